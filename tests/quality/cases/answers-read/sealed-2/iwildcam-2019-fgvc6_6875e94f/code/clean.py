from pathlib import Path
hidden = [p for p in Path("/home/data").rglob("*") if p.name.startswith((".", "._"))]
print("hidden files:", [str(p) for p in hidden][:5])
imgs = [p for p in Path("/home/data/train_images").glob("*.jpg") if p not in hidden]
secret = {".DS_Store", ".private", ".ipynb_checkpoints"}
print(len(imgs), "images;", sum(p.name in secret for p in hidden), "to ignore")
