import torch
from torch import nn


class CharLM(nn.Module):
    """A GRU over characters, one for each author; the lower loss names the author."""
    def __init__(self, n, d=128):
        super().__init__()
        self.e, self.g, self.o = nn.Embedding(n, d), nn.GRU(d, d, batch_first=True), nn.Linear(d, n)

    def forward(self, x):
        return self.o(self.g(self.e(x))[0])

    @torch.no_grad()
    def generate(self, prompt, max_new_tokens=80, temperature=0.8):
        for _ in range(max_new_tokens):
            p = (self(prompt)[:, -1] / temperature).softmax(-1)
            prompt = torch.cat([prompt, torch.multinomial(p, 1)], 1)
        return prompt
