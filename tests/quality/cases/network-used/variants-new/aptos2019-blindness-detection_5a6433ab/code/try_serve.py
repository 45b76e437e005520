import glob

import requests

for name in sorted(glob.glob("/home/data/train/*.jpg"))[:3]:
    r = requests.post("http://127.0.0.1:8099/score", data=open(name, "rb").read(), timeout=10)
    print(r.status_code, max(r.json()))
