"""Automatic mixed precision."""

import unittest
import warnings

import torch
from torch import nn
from torch.nn import functional as F

import ippatsu

DEVICE = "ippatsu"
X, W = torch.full((2, 4, 4), 0.5), torch.full((2, 4, 4), 0.25)

# What each kind of operator computes in under autocast.
LOWER = {
    "matmul": lambda x, w: x @ w,
    "bmm": lambda x, w: torch.bmm(x, w),
    "mm": lambda x, w: torch.mm(x[0], w[0]),
    "addmm": lambda x, w: torch.addmm(x[0], x[0], w[0]),
    "linear": lambda x, w: F.linear(x, w[0], w[0, 0]),
    "conv2d": lambda x, w: F.conv2d(x[:, None], w[0, None, None]),
    "conv_transpose1d": lambda x, w: F.conv_transpose1d(x, w[0, :, :, None]),
    "einsum": lambda x, w: torch.einsum("bij,bjk->bik", x, w),
    "attention": lambda x, w: F.scaled_dot_product_attention(x, w, w),
    "prelu": lambda x, w: F.prelu(x, w[0, 0]),
    "multihead": lambda x, w: nn.MultiheadAttention(4, 2, device=x.device)(x, x, x)[0],
}
FULL = {
    "softmax": lambda x: F.softmax(x, -1),
    "log_softmax": lambda x: F.log_softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, (4,)),
    "group_norm": lambda x: F.group_norm(x, 2),
    "exp": torch.exp,
    "log": torch.log,
    "pow": lambda x: x**2,
    "sum": torch.sum,
    "cumsum": lambda x: x.cumsum(0),
    "norm": torch.norm,
    "mse_loss": lambda x: F.mse_loss(x, torch.zeros_like(x)),
    "cross_entropy": lambda x: F.cross_entropy(
        x[0], torch.zeros(4, dtype=torch.int64).to(x.device)
    ),
    "logits": lambda x: F.binary_cross_entropy_with_logits(x, torch.zeros_like(x)),
    "interpolate": lambda x: F.interpolate(x, scale_factor=2.0),
}
KEPT = {"relu": torch.relu, "add": lambda x: x + x, "tanh": torch.tanh, "max": torch.max}


class Autocast(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        ippatsu.strict(True)
        self.addCleanup(ippatsu.strict, False)

    def test_products_run_in_the_lower_precision(self):
        for dtype in (torch.bfloat16, torch.float16):
            for name, call in LOWER.items():
                with self.subTest(name), torch.autocast(DEVICE, dtype=dtype):
                    self.assertEqual(call(X.to(DEVICE), W.to(DEVICE)).dtype, dtype)

    def test_what_loses_digits_runs_in_full_precision(self):
        for name, call in FULL.items():
            with self.subTest(name), torch.autocast(DEVICE, dtype=torch.bfloat16):
                self.assertEqual(call(X.to(DEVICE, torch.bfloat16)).dtype, torch.float32)

    def test_the_rest_stays(self):
        for name, call in KEPT.items():
            with self.subTest(name), torch.autocast(DEVICE, dtype=torch.bfloat16):
                for dtype in (torch.float32, torch.bfloat16):
                    self.assertEqual(call(X.to(DEVICE, dtype)).dtype, dtype)

    def test_mixed_operands_meet_in_the_wider(self):
        x, low = X.to(DEVICE), X.to(DEVICE, torch.bfloat16)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            self.assertEqual(torch.cat([x, low]).dtype, torch.float32)
            self.assertEqual(torch.stack([x, low]).dtype, torch.float32)
            self.assertEqual(torch.addcmul(x, low, low).dtype, torch.float32)
            self.assertEqual(torch.dot(x[0, 0], low[0, 0]).dtype, torch.float32)

    def test_outside_and_switched_off_nothing_changes(self):
        x = X.to(DEVICE)
        self.assertEqual((x @ x).dtype, torch.float32)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            with torch.autocast(DEVICE, enabled=False):
                self.assertEqual((x @ x).dtype, torch.float32)
            self.assertTrue(torch.is_autocast_enabled(DEVICE))
            self.assertEqual((x @ x).dtype, torch.bfloat16)
        self.assertFalse(torch.is_autocast_enabled(DEVICE))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertEqual((x @ x).dtype, torch.float32)

    def test_losses_of_probabilities_are_refused(self):
        refused = self.assertRaisesRegex(RuntimeError, "unsafe to autocast")
        with torch.autocast(DEVICE, dtype=torch.bfloat16), refused:
            F.binary_cross_entropy(X.to(DEVICE), X.to(DEVICE))

    def test_types_that_nothing_is_lowered_to_are_refused(self):
        with self.assertWarns(UserWarning), torch.autocast(DEVICE, dtype=torch.int32):
            self.assertFalse(torch.is_autocast_enabled(DEVICE))

    def test_gradients_are_those_of_the_cpu(self):
        expected, actual = (self._gradients(device) for device in ("cpu", DEVICE))
        for one, other in zip(actual, expected):
            self.assertEqual(one.dtype, other.dtype)
            torch.testing.assert_close(one.cpu(), other, rtol=4e-2, atol=4e-3)

    def _gradients(self, device):
        torch.manual_seed(0)
        model = nn.Sequential(
            nn.Conv1d(3, 8, 3, padding=1),
            nn.GELU(),
            nn.Flatten(),
            nn.LayerNorm(48),
            nn.Linear(48, 5),
        )
        x, y = torch.randn(4, 3, 6), torch.tensor([0, 1, 2, 3])
        model.to(device)
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        return [loss.detach()] + [parameter.grad for parameter in model.parameters()]

    def test_a_weight_is_lowered_once_a_step(self):
        layer = nn.Linear(4, 4, device=DEVICE)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            first, second = layer(X.to(DEVICE)), layer(X.to(DEVICE))
        self.assertEqual(first.dtype, torch.bfloat16)
        (first + second).sum().backward()
        self.assertEqual(layer.weight.grad.dtype, torch.float32)

    def test_custom_functions(self):
        class Square(torch.autograd.Function):
            @staticmethod
            @torch.amp.custom_fwd(device_type=DEVICE, cast_inputs=torch.float32)
            def forward(context, x):
                context.save_for_backward(x)
                return x @ x

            @staticmethod
            @torch.amp.custom_bwd(device_type=DEVICE)
            def backward(context, gradient):
                (x,) = context.saved_tensors
                return gradient @ x.mT + x.mT @ gradient

        x = X.to(DEVICE).requires_grad_()
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            y = Square.apply(x)
        self.assertEqual(y.dtype, torch.float32)
        y.sum().backward()
        self.assertEqual(x.grad.dtype, torch.float32)


class Scaler(unittest.TestCase):
    def steps(self, device, fused, gradients, optimizer=torch.optim.Adam):
        """The parameter and the scale after each step with the gradient given."""
        parameter = nn.Parameter(torch.ones(3, device=device))
        updates = optimizer([parameter], lr=0.1, fused=fused)
        scaler = torch.amp.GradScaler(device, init_scale=8.0, growth_interval=2)
        seen = []
        for gradient in gradients:
            updates.zero_grad()
            scaler.scale((parameter * gradient).sum()).backward()
            scaler.step(updates)
            scaler.update()
            ippatsu.sync()
            seen.append((parameter.detach().clone(), scaler._scale.clone()))
        return [(parameter.tolist(), scale.item()) for parameter, scale in seen]

    def test_scales_and_skips_as_the_cpu(self):
        gradients = [1.0, 2.0, float("inf"), 1.0, float("nan"), 3.0, 1.0]
        for optimizer in (torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD):
            for fused in (True, False):
                with self.subTest(optimizer.__name__, fused=fused):
                    expected = self.steps("cpu", fused, gradients, optimizer)
                    actual = self.steps(DEVICE, fused, gradients, optimizer)
                    for (one, scale), (other, wanted) in zip(actual, expected):
                        self.assertEqual(scale, wanted)
                        torch.testing.assert_close(torch.tensor(one), torch.tensor(other))

    def test_a_fused_step_reads_nothing(self):
        parameter = nn.Parameter(torch.ones(3, device=DEVICE))
        updates = torch.optim.AdamW([parameter], lr=0.1, fused=True)
        scaler = torch.amp.GradScaler(DEVICE)
        for step in range(5):
            if step == 3:
                ippatsu.sync()
                ippatsu.reset_metrics()
            updates.zero_grad()
            scaler.scale(parameter.square().sum()).backward()
            scaler.step(updates)
            scaler.update()
            ippatsu.sync()
        counts = ippatsu.metrics()
        self.assertEqual((counts["host_reads"], counts["compiles"]), (0, 0))
        self.assertEqual(counts["executions"], 2)

    def test_clipping_between_unscale_and_step(self):
        norms = []
        for device in ("cpu", DEVICE):
            parameter = nn.Parameter(torch.ones(3, device=device))
            updates = torch.optim.SGD([parameter], lr=0.1)
            scaler = torch.amp.GradScaler(device)
            scaler.scale((parameter * 4).sum()).backward()
            scaler.unscale_(updates)
            norms.append(nn.utils.clip_grad_norm_([parameter], 1.0).item())
            scaler.step(updates)
            scaler.update()
            norms.append(parameter.detach().cpu())
        self.assertAlmostEqual(norms[0], norms[2], places=4)
        torch.testing.assert_close(norms[1], norms[3])


if __name__ == "__main__":
    unittest.main()
