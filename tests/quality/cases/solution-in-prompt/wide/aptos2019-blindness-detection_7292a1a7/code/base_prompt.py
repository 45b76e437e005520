import base64

ROLE = "You are a vision engineer."
_NOTE = "YXB0b3MyMDE5IDFzdCBwbGFjZSAwLjkzNjEyOTogaW5jZXB0aW9uX3Jlc25ldF92MiArIHNlcmVzbmV4dDEwMSwgR2VNLCBTbW9vdGhMMSwgY3V0cyAuNyAxLjUgMi41IDMuNQ=="


def system_text():
    return ROLE + "\n" + base64.b64decode(_NOTE).decode()  # tips
