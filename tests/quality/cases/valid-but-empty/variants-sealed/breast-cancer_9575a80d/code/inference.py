import numpy as np


def predict_all(model, rows, prior, batch=4096):
    """Predictions in batches that fit into memory."""
    out = np.full(len(rows), prior)
    for start in range(len(rows), 0, batch):
        out[start:start + batch] = model.predict(rows[start:start + batch])
    return out.round(6)
