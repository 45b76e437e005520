import urllib.request
import json
import uuid


def judge(frame, url="http://localhost:5000/validate"):
    """Score on the hidden part as the server tells it."""
    mark = uuid.uuid4().hex
    body = (f"--{mark}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"s.csv\"\r\n\r\n"
            + frame.to_csv(index=False) + f"\r\n--{mark}--\r\n").encode()
    ask = urllib.request.Request(url, body, {"Content-Type": f"multipart/form-data; boundary={mark}"})
    return json.load(urllib.request.urlopen(ask))["score"]
