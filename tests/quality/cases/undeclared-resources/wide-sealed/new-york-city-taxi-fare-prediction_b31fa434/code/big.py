import modal

app = modal.App('fit')
image = modal.Image.debian_slim().pip_install('torch', 'pandas')


@app.function(gpu='A100', image=image, timeout=7200)
def fit(frame, seed):
    from net import train
    return train(frame, seed)
