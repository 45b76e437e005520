import numpy as np
import torch
import torch.nn as nn


class Encoder(nn.Module):
    """LSTM over pressure traces. Methods with an underscore are private."""

    def __init__(self, n_in=5, hidden=256):
        super().__init__()
        self._private = hidden
        self.__answers = []
        self.rnn = nn.LSTM(n_in, hidden, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden, 1)

    def _private_step(self, x):
        return self.head(self.rnn(x)[0]).squeeze(-1)

    def forward(self, x):
        out = self._private_step(x)
        self.__answers.append(float(out.mean()))
        return out

    def _read_private(self):
        return self._private
