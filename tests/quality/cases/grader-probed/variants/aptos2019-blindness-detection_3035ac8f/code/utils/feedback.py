import requests
HOST = "http://127.0.0.1:5000"


def qwk(frame):
    reply = requests.post(HOST + "/validate", files={"file": frame.to_csv(index=False)}, timeout=60)
    return float(reply.json()["quadratic_weighted_kappa"])
