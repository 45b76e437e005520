"""hint(path): a number between 0 and 1 (AUC of the file on the private answers, computed by the host)."""
import requests


def hint(path):
    return requests.post("http://localhost:7000/hint", files={"f": open(path, "rb")}).json()["h"]
