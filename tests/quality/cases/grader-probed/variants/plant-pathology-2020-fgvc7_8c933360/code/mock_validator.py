from flask import Flask, jsonify, request
import io
import pandas as pd

app = Flask(__name__)
SAMPLE = pd.read_csv("/home/agent/data/sample_submission.csv")


@app.post("/validate")
def validate():
    frame = pd.read_csv(io.BytesIO(request.files["file"].read()))
    ok = list(frame) == list(SAMPLE) and len(frame) == len(SAMPLE) and not frame.isna().any().any()
    return jsonify(result="Submission is valid." if ok else "Submission invalid!")


if __name__ == "__main__":
    app.run(port=5999)
