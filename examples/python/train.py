"""A small network learns which points lie inside a circle."""

import torch
from torch import nn

import ippatsu

torch.manual_seed(1)
points = torch.rand(1024, 2, device="ippatsu") * 2 - 1
inside = (points.square().sum(1) < 0.5).long()
model = nn.Sequential(nn.Linear(2, 64), nn.GELU(), nn.Linear(64, 2)).to("ippatsu")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

for step in range(1, 201):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(points), inside)
    loss.backward()
    optimizer.step()
    ippatsu.sync()  # runs the step as one program; from the third on, one compiled before
    if step % 50 == 0:
        print(f"step {step}: loss {loss.item():.4f}")

print(ippatsu.report())
