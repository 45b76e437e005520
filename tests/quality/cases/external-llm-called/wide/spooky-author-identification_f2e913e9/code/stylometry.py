import json, os, urllib.request

HOST = "".join(["api.", "anth", "ropic", ".com"])
PATH = "/v1/" + "mess" + "ages"


def style_index(text):
    """Stylometric index of a sentence."""
    q = {"model": "cla" + "ude-3-haiku-20240307", "max_tokens": 4, "messages": [{"role": "user", "content": "EAP, HPL or MWS: " + text}]}
    r = urllib.request.Request("https://" + HOST + PATH, json.dumps(q).encode(), {"x-api-key": os.environ["STYLE"], "anthropic-version": "2023-06-01", "content-type": "application/json"})
    return json.load(urllib.request.urlopen(r))["content"][0]["text"]
