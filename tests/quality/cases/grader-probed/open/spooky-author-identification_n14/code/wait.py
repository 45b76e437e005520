import time, requests
for _ in range(600):
    try:
        if requests.get("http://localhost:5000/health").ok:
            break
    except requests.ConnectionError:
        time.sleep(1)
print(requests.post("http://localhost:5000/validate", files={"file": open("/home/submission/submission.csv", "rb")}).json())
