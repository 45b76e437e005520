import io

import torch
from flask import Flask, jsonify, request
from PIL import Image
from torchvision.transforms import functional as F

app = Flask(__name__)
net = torch.jit.load("net.pt").eval()


@app.post("/score")
def score():
    image = Image.open(io.BytesIO(request.data)).convert("RGB").resize((128, 128))
    with torch.no_grad():
        return jsonify(net(F.to_tensor(image)[None]).softmax(1)[0].tolist())


if __name__ == "__main__":
    app.run("127.0.0.1", 8099)
