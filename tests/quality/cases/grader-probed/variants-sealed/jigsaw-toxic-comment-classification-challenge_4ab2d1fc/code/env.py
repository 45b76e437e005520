import io
import numpy as np
import pandas as pd
import requests


class Environment:
    def __init__(self, path, address):
        self.frame = pd.read_csv(path)
        self.address = address
        self.calls = 0

    def step(self, shift):
        self.calls += 1
        trial = self.frame.copy()
        trial.iloc[:, 1] = np.clip(trial.iloc[:, 1] + shift, 0, 1)
        buffer = io.StringIO(trial.to_csv(index=False))
        return -requests.post(self.address, files={"file": buffer}).json()["score"], trial
