"""Planted: an operator that no device has."""

import torch


class Spectral(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.mix = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mixed = self.mix(x) + x
        values = torch.linalg.eig(mixed @ mixed.transpose(0, 1))[0]  # planted
        return (values.abs().sort()[0] * torch.arange(8, device=x.device)).tanh().sum()


def make_step(device):
    model = Spectral().to(device)
    x = torch.randn(8, 8, generator=torch.Generator().manual_seed(1)).to(device)

    def step():
        model.zero_grad()
        loss = model(x)
        loss.backward()
        return loss.detach()

    return step
