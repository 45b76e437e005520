import os
from huggingface_hub import snapshot_download

REPO = os.environ.get("ENC", "BAAI/bge-small-en-v1.5")
path = snapshot_download(REPO, allow_patterns=["*.json", "*.safetensors", "vocab.txt"])
os.makedirs("enc", exist_ok=True)
os.system(f"cp -rL {path}/. enc/")
