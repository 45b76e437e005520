import time, requests
END = time.time() + 3600
best = None
while time.time() < END:
    r = requests.post("http://localhost:5000/validate", files={"file": open(mutate(best), "rb")})
    best = learn(best, r.json()["result"])
