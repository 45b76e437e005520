import requests
while True:
    r = requests.post("http://localhost:5000/validate", files={"file": open("/home/submission/submission.csv", "rb")})
    if "is valid" in r.text:
        break
    mend(r.json()["result"])
