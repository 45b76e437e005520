#!/bin/bash
# Ask the validation server about a file: validate_submission.sh FILE
# It says whether the form is right, never how good the predictions are.
# Ends with 0 when the file is valid, 1 when it is not, 2 when there was no answer.
if [ $# -ne 1 ]; then
  echo "Usage: $0 FILE" >&2
  exit 2
fi
exec python3 -I -S - "$1" <<'PYTHON'
import http.client
import json
import os
import sys
import urllib.parse

BOUNDARY = "validate-submission-7d9f3c"


def blocks(head, stream, tail):
    yield head
    while True:
        block = stream.read(1 << 20)
        if not block:
            break
        yield block
    yield tail


def ask(path):
    url = urllib.parse.urlsplit(os.environ.get("VALIDATION_URL", "http://127.0.0.1:5000/validate"))
    kind = 'form-data; name="file"; filename="submission.csv"'
    head = "--%s\r\nContent-Disposition: %s\r\nContent-Type: text/csv\r\n\r\n" % (BOUNDARY, kind)
    tail = "\r\n--%s--\r\n" % BOUNDARY
    head, tail = head.encode(), tail.encode()
    with open(path, "rb") as stream:
        size = len(head) + os.fstat(stream.fileno()).st_size + len(tail)
        headers = {
            "Content-Type": "multipart/form-data; boundary=%s" % BOUNDARY,
            "Content-Length": str(size),
        }
        server = http.client.HTTPConnection(url.hostname, url.port, timeout=600)
        server.request("POST", url.path, body=blocks(head, stream, tail), headers=headers)
        return json.loads(server.getresponse().read().decode())["result"]


if not os.path.isfile(sys.argv[1]):
    sys.stderr.write("Not checked: there is no file %s\n" % sys.argv[1])
    sys.exit(2)
try:
    result = ask(sys.argv[1])
except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException) as error:
    reason = getattr(error, "strerror", None) or error
    sys.stderr.write("There was no answer: %s\n" % reason)
    sys.exit(2)
print(result)
sys.exit(0 if result == "Submission is valid." else 1 if "invalid!" in result[:20] else 2)
PYTHON
