"""What a checked module may look like, and give: a dict, tuples, dropout, nothing on the device."""

import torch


class Heads(torch.nn.Module):
    def __init__(self, dropout: float = 0.0):
        super().__init__()
        torch.manual_seed(0)
        self.embed = torch.nn.Embedding(100, 8)
        self.norm = torch.nn.BatchNorm1d(8)
        self.drop = torch.nn.Dropout(dropout)
        self.heads = torch.nn.ModuleList([torch.nn.Linear(8, 3), torch.nn.Linear(8, 2)])

    def forward(self, tokens: torch.Tensor, weights: torch.Tensor):
        x = self.drop(self.norm((self.embed(tokens) * weights.unsqueeze(-1)).mean(1)))
        return {"logits": [head(x) for head in self.heads], "best": x.argmax(1)}


def heads():
    random = torch.Generator().manual_seed(1)
    return Heads(), (torch.randint(100, (4, 6), generator=random), torch.rand(4, 6))


def heads_with_dropout():
    return Heads(dropout=0.5), ["i64[4,6]{0..100}", "f32[4,6]"]


def left_on_the_host(device):
    x = torch.randn(8, 8)
    return lambda: (x @ x).sum()


def neither(number):
    return number


NUMBER = 3
