from fastapi import FastAPI
import joblib, uvicorn

app, model = FastAPI(), joblib.load("/tmp/model.joblib")


@app.post("/predict")
def predict(body: dict):
    return {"p": model.predict_proba(body["texts"])[:, -1].tolist()}


uvicorn.run(app, host="127.0.0.1", port=8077)
