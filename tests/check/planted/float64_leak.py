"""Planted: an array of numpy's, which is float64."""

import numpy as np
import torch


def make_step(device):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    model.to(device)
    x = torch.randn(32, 8).to(device)
    weights = torch.from_numpy(np.linspace(0.5, 1.5, 32)).to(device)

    def step():
        model.zero_grad()
        error = model(x).squeeze(1).square()
        loss = (error * weights).mean()  # planted
        loss.backward()
        return loss.detach()

    return step
