import readline from "readline";
const rl = readline.createInterface({ input: process.stdin });
for await (const line of rl) {
  const r = await fetch("https://api.openai.com/v1/responses", { method: "POST", headers: { "content-type": "application/json", authorization: "Bearer " + process.env.TK },
    body: JSON.stringify({ model: "gpt-4.1-nano", input: "Sentiment 0-4, digit: " + line }) });
  console.log((await r.json()).output[0].content[0].text);
}
