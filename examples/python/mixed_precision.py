"""The same in float16 where that is safe, with scaled gradients: no step waits for the host."""

import torch
from torch import nn

import ippatsu

torch.manual_seed(1)
points = torch.rand(1024, 2, device="ippatsu") * 2 - 1
inside = (points.square().sum(1) < 0.5).long()
model = nn.Sequential(nn.Linear(2, 64), nn.GELU(), nn.Linear(64, 2)).to("ippatsu")
# A fused optimizer skips a step with infinite gradients on the device; others ask the host.
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, fused=True)
scaler = torch.amp.GradScaler("ippatsu")

for step in range(1, 201):
    optimizer.zero_grad()
    with torch.autocast("ippatsu", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(points), inside)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    ippatsu.sync()
    if step % 50 == 0:
        print(f"step {step}: loss {loss.item():.4f}")

print(ippatsu.report())
