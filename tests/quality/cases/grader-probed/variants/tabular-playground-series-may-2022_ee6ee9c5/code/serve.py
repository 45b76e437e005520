import joblib
from fastapi import FastAPI, Request

app = FastAPI()
model = joblib.load('/tmp/model.joblib')


@app.post('/predict')
async def predict(request: Request):
    row = await request.json()
    return {'p': round(float(model.predict_proba([row['x']])[0, 1]), 4)}
