"""Cases on which other backends of PyTorch went wrong; those of one line are in cases.programs."""

import unittest

import torch

import ippatsu

DEVICE = "ippatsu"


class Cases(unittest.TestCase):
    def test_an_empty_channel_ends_nothing(self):
        x, weight = torch.ones(1, 1, 3, 3), torch.ones(1, 0, 3, 3)
        try:
            y = torch.nn.functional.conv_transpose2d(x.to(DEVICE), weight.to(DEVICE))
            self.assertEqual(y.numel(), 0)
        except RuntimeError:
            pass

    def test_operators_without_a_sparse_form_say_so(self):
        with self.assertRaisesRegex(NotImplementedError, "aten::sin has no form for sparse"):
            torch.ones(2, device=DEVICE).to_sparse().sin()

    def test_values_stay_right_over_a_sync(self):
        t0, t1 = torch.ones(1, device=DEVICE), torch.full((1,), 2.0, device=DEVICE)
        ippatsu.sync()
        t2 = t0 + t1
        t1 += 1
        self.assertEqual(t1.item(), 3)
        ippatsu.sync()
        self.assertEqual((t2.item(), t1.item()), (3, 3))

    def test_the_seed_counts(self):
        draws = []
        for seed in (7, 7, None):
            if seed is not None:
                torch.manual_seed(seed)
            draws.append(torch.rand(3, device=DEVICE).tolist())
        self.assertEqual(draws[0], draws[1])
        self.assertNotEqual(draws[1], draws[2])

    def test_a_changing_scalar_compiles_once_and_waits_for_nothing(self):
        t, a, b = (torch.ones(4, device=DEVICE) for _ in range(3))
        ippatsu.sync()
        ippatsu.reset_metrics()
        for k in range(5):
            t.addcdiv_(a, b, value=0.1 * (k + 1))
            ippatsu.sync()
        counts = ippatsu.metrics()
        self.assertEqual((counts["compiles"], counts["host_reads"]), (1, 0))
        self.assertAlmostEqual(t[0].item(), 2.5, places=5)

    def test_many_small_writes_are_one_program(self):
        x = torch.zeros(400, device=DEVICE)
        ippatsu.sync()
        ippatsu.reset_metrics()
        for i in range(400):
            x[i] = i
        self.assertEqual(x.tolist(), list(range(400)))
        self.assertEqual(ippatsu.metrics()["executions"], 1)

    def test_a_long_chain_is_cut_into_equal_programs(self):
        y, expected = torch.zeros(3, device=DEVICE), torch.zeros(3)
        ippatsu.sync()
        ippatsu.reset_metrics()
        for _ in range(8000):
            y = torch.sin(y) + 1
        y = y.cpu()
        counts = ippatsu.metrics()
        self.assertLess(counts["compiles"], 4)
        self.assertGreater(counts["cache_hits"], counts["compiles"])
        for _ in range(8000):
            expected = torch.sin(expected) + 1
        torch.testing.assert_close(y, expected)

    def test_a_large_host_tensor_is_no_constant(self):
        x = torch.ones(1, device=DEVICE)
        ippatsu.sync()
        ippatsu.reset_metrics()
        for value in (1.0, 2.0):
            table = torch.full((1 << 24,), value).to(DEVICE)
            self.assertEqual((x + table).mean().item(), value + 1)
        self.assertEqual(ippatsu.metrics()["compiles"], 1)


if __name__ == "__main__":
    unittest.main()
