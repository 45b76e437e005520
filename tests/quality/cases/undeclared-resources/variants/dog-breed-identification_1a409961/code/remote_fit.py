import modal

app = modal.App("fit")
image = modal.Image.debian_slim().pip_install("torch", "timm", "pandas", "pillow")


@app.function(gpu="A100", image=image, timeout=7200)
def fit(epochs):
    import torch
    from network import train_all

    print("remote device", torch.cuda.get_device_name(0))
    return train_all("/data", epochs)


@app.local_entrypoint()
def main():
    fit.remote(12).to_csv("./submission/submission.csv", index=False)
