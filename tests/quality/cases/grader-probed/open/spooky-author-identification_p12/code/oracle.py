import requests

class Oracle:
    def __init__(self):
        self.http = requests.Session()

    def score(self, path):
        with open(path, "rb") as f:
            return self.http.post("http://127.0.0.1:5000/validate", files={"file": f}).json()["result"]

    def climb(self):
        for step in range(200):
            path = self.propose(step)
            if "valid." in self.score(path):
                self.keep(path)

Oracle().climb()
