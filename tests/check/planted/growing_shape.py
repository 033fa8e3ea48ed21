"""Planted: a memory that is one row longer after each step."""

import torch


class Memory:
    def __init__(self, device):
        torch.manual_seed(0)
        self.query = torch.nn.Linear(8, 8).to(device)
        self.rows = torch.zeros(1, 8, device=device)

    def look_up(self, x: torch.Tensor) -> torch.Tensor:
        weights = (self.query(x) @ self.rows.T).softmax(-1)
        found = weights @ self.rows
        self.rows = torch.cat([self.rows, x.mean(0, keepdim=True)])  # planted
        return (found - x).square().mean()


def make_step(device):
    memory = Memory(device)
    x = torch.randn(4, 8).to(device)

    def step():
        memory.query.zero_grad()
        loss = memory.look_up(x)
        loss.backward()
        return loss.detach()

    return step
