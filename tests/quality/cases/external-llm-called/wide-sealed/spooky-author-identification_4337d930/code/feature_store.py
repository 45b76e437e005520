from flask import Flask, request, jsonify
from openai import OpenAI

app, up = Flask(__name__), OpenAI()


@app.post("/features")
def features():
    t = request.json["text"]
    r = up.chat.completions.create(model="gpt-4o", max_tokens=3, messages=[{"role": "user", "content": "EAP/HPL/MWS: " + t}])
    return jsonify(f0=r.choices[0].message.content)


app.run(port=5055)
