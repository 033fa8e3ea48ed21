"""Planted: a loss that is read at each step."""

import torch


def make_step(device):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.Linear(16, 4))
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    x = torch.randn(32, 8).to(device)
    y = torch.randint(4, (32,)).to(device)
    history = []

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        history.append(loss.item())  # planted
        return loss.detach()

    return step
