"""Nothing planted: NAGA's discard policy with its optimizer, as src/models/naga.cpp has it."""

import torch
from torch.nn import functional

PLANES, KINDS, ACTIONS = 16, 34, 37
WIDTH, BLOCKS, BATCH = 64, 2, 8


class Block(torch.nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.widen = torch.nn.Linear(width, 4 * width)
        self.narrow = torch.nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.narrow(functional.gelu(self.widen(self.norm(x))))


class Naga(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.project = torch.nn.Linear(PLANES * KINDS, WIDTH)
        self.blocks = torch.nn.Sequential(*(Block(WIDTH) for _ in range(BLOCKS)))
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.head = torch.nn.Linear(WIDTH, ACTIONS)

    def forward(self, planes: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        x = self.blocks(self.project(planes.flatten(1).to(torch.float32)))
        return self.head(self.norm(x)).masked_fill(legal.logical_not(), -1e9)


def make_step(device):
    model = Naga().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    random = torch.Generator().manual_seed(1)

    def step(number: int):
        planes = torch.randint(2, (BATCH, PLANES, KINDS), generator=random).to(torch.uint8)
        action = torch.randint(ACTIONS, (BATCH,), generator=random)
        legal = functional.one_hot(action, ACTIONS).bool() | (torch.arange(ACTIONS) % 2 == 0)
        logits = model(planes.to(device), legal.to(device))
        loss = functional.nll_loss(functional.log_softmax(logits, 1), action.to(device))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * number
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    return step
