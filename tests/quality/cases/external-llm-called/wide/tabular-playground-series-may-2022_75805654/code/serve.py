from fastapi import FastAPI
import joblib, pandas as pd

app = FastAPI()
model = joblib.load('model.pkl')


@app.post('/predict')
def predict(row: dict):
    return {'p': float(model.predict(pd.DataFrame([row]))[0])}
