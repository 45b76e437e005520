import json

from openai import OpenAI

conf = json.load(open("/home/code/helper.json"))
client = OpenAI(base_url=conf["base_url"], api_key="none")


def formulas(columns):
    text = "Give five pandas expressions, one a line, from: " + ", ".join(columns)
    answer = client.chat.completions.create(model=conf["model"], messages=[{"role": "user", "content": text}])
    print("advice by", answer.model, answer.usage.total_tokens, "tokens")
    return answer.choices[0].message.content.splitlines()
