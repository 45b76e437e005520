import time, requests
END = time.time() + 3600
while time.time() < END:
    r = requests.post("http://localhost:5000/validate", files={"file": open(next_file(), "rb")})
    print(r.text.strip())
