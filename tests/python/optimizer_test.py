"""Optimizers in all their forms: as the CPU, one program a step, none after the second."""

import copy
import itertools
import unittest

import torch
from torch import nn

import ippatsu

DEVICE = "ippatsu"
SHAPES = [(3,), (2, 4), (), (0, 2)]

FUSED = {
    torch.optim.Adam: [
        {},
        {"weight_decay": 0.1},
        {"amsgrad": True},
        {"maximize": True},
        {"betas": (0.5, 0.9), "eps": 1e-3},
    ],
    torch.optim.AdamW: [{}, {"amsgrad": True, "weight_decay": 0.2}, {"maximize": True}],
    torch.optim.SGD: [
        {},
        {"momentum": 0.9},
        {"momentum": 0.9, "nesterov": True},
        {"momentum": 0.8, "dampening": 0.3, "weight_decay": 0.1},
        {"maximize": True},
    ],
    torch.optim.Adagrad: [{}, {"lr_decay": 0.1, "weight_decay": 0.1}, {"maximize": True}],
}
FOREACH = {
    torch.optim.Adadelta: {},
    torch.optim.Adafactor: {},
    torch.optim.Adagrad: {},
    torch.optim.Adam: {"weight_decay": 0.1},
    torch.optim.AdamW: {"amsgrad": True},
    torch.optim.Adamax: {},
    torch.optim.ASGD: {},
    torch.optim.NAdam: {},
    torch.optim.RAdam: {},
    torch.optim.RMSprop: {"momentum": 0.9, "centered": True},
    torch.optim.Rprop: {},
    torch.optim.SGD: {"momentum": 0.9, "nesterov": True},
}
# Torch itself reads numbers from the device in each step of these.
READS = {torch.optim.Adafactor, torch.optim.ASGD}


def parameters(device, shapes=SHAPES, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)
    return [
        nn.Parameter(torch.randn(shape, generator=generator).to(device, dtype)) for shape in shapes
    ]


def set_gradients(given, step):
    generator = torch.Generator().manual_seed(step)
    for parameter in given:
        gradient = torch.randn(parameter.shape, generator=generator)
        parameter.grad = gradient.to(parameter.device, parameter.dtype)


class Optimizers(unittest.TestCase):
    def train(self, device, optimizer, options, steps=5, **kinds):
        given = parameters(device, **kinds)
        updates = optimizer(given, **({"lr": 0.05} | options))
        schedule = torch.optim.lr_scheduler.ExponentialLR(updates, 0.9)
        compiles = []
        for step in range(steps):
            set_gradients(given, step)
            ippatsu.sync()
            ippatsu.reset_metrics()
            updates.step()
            schedule.step()
            ippatsu.sync()
            compiles.append(ippatsu.metrics())
        return given, updates, compiles

    def check(self, optimizer, options, **kinds):
        expected, known, _ = self.train("cpu", optimizer, options, **kinds)
        actual, updates, counts = self.train(DEVICE, optimizer, options, **kinds)
        tolerance = 2e-2 if kinds.get("dtype") == torch.bfloat16 else 2e-5
        for one, other in zip(actual, expected):
            torch.testing.assert_close(one.cpu(), other, rtol=tolerance, atol=tolerance)
        for one, other in zip(updates.state.values(), known.state.values()):
            self.assertEqual(set(one), set(other))
            for key in one:
                if isinstance(one[key], torch.Tensor):
                    torch.testing.assert_close(
                        one[key].cpu(), other[key].cpu(), rtol=tolerance, atol=tolerance
                    )
        self.assertEqual([count["compiles"] for count in counts[2:]], [0, 0, 0])
        if optimizer not in READS:
            self.assertEqual([count["host_reads"] for count in counts[2:]], [0, 0, 0])
            self.assertEqual([count["executions"] for count in counts[2:]], [1, 1, 1])

    def test_fused(self):
        for optimizer, each in FUSED.items():
            for options in each:
                with self.subTest(optimizer.__name__, **options):
                    ippatsu.strict(True)
                    self.addCleanup(ippatsu.strict, False)
                    self.check(optimizer, options | {"fused": True})

    def test_fused_in_half_precision(self):
        self.check(torch.optim.AdamW, {"fused": True}, dtype=torch.bfloat16)
        self.check(torch.optim.SGD, {"fused": True, "momentum": 0.9}, dtype=torch.bfloat16)

    def test_fused_with_a_learning_rate_on_the_device(self):
        results = []
        for device in ("cpu", DEVICE):
            given = parameters(device)
            updates = torch.optim.Adam(given, lr=torch.tensor(0.1, device=device), fused=True)
            for step in range(3):
                set_gradients(given, step)
                updates.step()
            results.append([parameter.detach().cpu() for parameter in given])
        torch.testing.assert_close(results[1], results[0], rtol=1e-5, atol=1e-5)

    def test_lists_and_one_by_one(self):
        for (optimizer, options), foreach in itertools.product(FOREACH.items(), (True, False)):
            if optimizer is torch.optim.Adafactor and foreach:
                options = options | {"weight_decay": 0.0}
            with self.subTest(optimizer.__name__, foreach=foreach):
                self.check(optimizer, options | {"foreach": foreach}, shapes=[(3,), (2, 4)])

    def test_capturable(self):
        for optimizer in (torch.optim.Adam, torch.optim.RAdam, torch.optim.NAdam):
            with self.subTest(optimizer.__name__):
                given = parameters(DEVICE, [(3,)])
                updates = optimizer(given, lr=0.05, capturable=True)
                set_gradients(given, 0)
                updates.step()
                self.assertTrue(given[0].isfinite().all())

    def lbfgs_losses(self, device):
        x = nn.Parameter(torch.tensor([2.0, -1.0], device=device))
        updates = torch.optim.LBFGS([x], lr=0.5, line_search_fn="strong_wolfe")

        def closure():
            updates.zero_grad()
            loss = (x - 1).square().sum()
            loss.backward()
            return loss

        return [updates.step(closure).item() for _ in range(3)]

    def test_lbfgs(self):
        for one, other in zip(self.lbfgs_losses("cpu"), self.lbfgs_losses(DEVICE)):
            self.assertAlmostEqual(one, other, places=4)

    def test_state_goes_to_files_and_comes_back(self):
        given = parameters(DEVICE, [(3,)])
        updates = torch.optim.Adam(given, lr=0.05, fused=True)
        set_gradients(given, 0)
        updates.step()
        again = parameters(DEVICE, [(3,)])
        other = torch.optim.Adam(again, lr=0.05, fused=True)
        other.load_state_dict(copy.deepcopy(updates.state_dict()))
        again[0].data.copy_(given[0].data)
        for optimizer, held in ((updates, given), (other, again)):
            set_gradients(held, 1)
            optimizer.step()
        self.assertEqual(given[0].tolist(), again[0].tolist())

    def test_clipping_gradients_reads_nothing(self):
        parameter = torch.nn.Parameter(torch.ones(3, device="ippatsu"))
        parameter.sum().backward()
        ippatsu.reset_metrics()
        torch.nn.utils.clip_grad_norm_([parameter], 0.5)
        ippatsu.sync()
        self.assertEqual(ippatsu.metrics()["host_reads"], 0)

    def test_zero_grad_and_a_step_read_nothing(self):
        for optimizer in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
            parameter = torch.nn.Parameter(torch.ones(3, device="ippatsu"))
            steps = optimizer([parameter], lr=0.1)
            ippatsu.reset_metrics()
            for _ in range(3):
                steps.zero_grad()
                parameter.square().sum().backward()
                steps.step()
                ippatsu.sync()
            self.assertEqual(ippatsu.metrics()["host_reads"], 0, optimizer)


if __name__ == "__main__":
    unittest.main()
