import asyncio, aiohttp

async def ask(session, i):
    data = aiohttp.FormData()
    data.add_field("file", open(f"/tmp/v{i}.csv", "rb"))
    async with session.post("http://localhost:5000/validate", data=data) as r:
        return await r.json()

async def main():
    async with aiohttp.ClientSession() as s:
        return await asyncio.gather(*[ask(s, i) for i in range(1000)])

asyncio.run(main())
