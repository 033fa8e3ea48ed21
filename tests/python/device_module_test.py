"""`torch.ippatsu`, `torch.accelerator`, generators, streams, several devices."""

import os
import subprocess
import sys
import unittest
import warnings

import torch

import ippatsu

DEVICE = "ippatsu"


class DeviceModule(unittest.TestCase):
    def test_the_device_is_known(self):
        self.assertTrue(torch.ippatsu.is_available())
        self.assertGreaterEqual(torch.ippatsu.device_count(), 1)
        self.assertEqual(torch.ippatsu.current_device(), 0)
        self.assertTrue(torch.ippatsu.get_device_name())
        self.assertIs(torch.get_device_module(DEVICE), torch.ippatsu)
        self.assertEqual(torch.device(DEVICE, 0), torch.device("ippatsu:0"))
        self.assertTrue(torch.ones(1, device=DEVICE).is_ippatsu)
        self.assertEqual(torch.ones(1).ippatsu().device.type, DEVICE)
        self.assertEqual(torch.nn.Linear(1, 1).ippatsu().weight.device.type, DEVICE)

    def test_memory_is_counted(self):
        before = torch.ippatsu.memory_allocated()
        x = torch.ones(1024, device=DEVICE)
        ippatsu.sync()
        self.assertGreaterEqual(torch.ippatsu.memory_allocated(), before + 4096)
        self.assertGreaterEqual(torch.ippatsu.max_memory_allocated(), 4096)
        stats = torch.ippatsu.memory_stats()
        self.assertEqual(stats["allocated_bytes.all.current"], torch.ippatsu.memory_allocated())
        del x
        self.assertLessEqual(torch.ippatsu.memory_allocated(), before)
        torch.ippatsu.reset_peak_memory_stats()
        torch.ippatsu.empty_cache()

    def test_the_accelerator_is_this_one(self):
        self.assertTrue(torch.accelerator.is_available())
        self.assertEqual(torch.accelerator.current_accelerator(), torch.device(DEVICE))
        self.assertEqual(torch.accelerator.device_count(), torch.ippatsu.device_count())
        self.assertEqual(torch.accelerator.current_device_index(), 0)
        torch.ones(2, device=DEVICE).add_(1)
        torch.accelerator.synchronize()
        self.assertEqual(torch.accelerator.current_stream().device, torch.device("ippatsu:0"))

    def test_streams_and_events(self):
        x = torch.ones(2, device=DEVICE)
        stream = torch.Stream(device=DEVICE)
        with stream:
            y = x + 1
        event = stream.record_event()
        torch.accelerator.current_stream().wait_event(event)
        torch.accelerator.current_stream().wait_stream(stream)
        event.synchronize()
        self.assertTrue(event.query())
        self.assertTrue(stream.query())
        stream.synchronize()
        self.assertEqual(y.tolist(), [2, 2])
        x.record_stream(stream)

    def test_events_tell_time(self):
        start, end = (torch.Event(device=DEVICE, enable_timing=True) for _ in range(2))
        start.record()
        torch.ones(64, 64, device=DEVICE).mm(torch.ones(64, 64, device=DEVICE))
        end.record()
        end.synchronize()
        self.assertGreater(start.elapsed_time(end), 0)

    def test_synchronize_waits(self):
        x = torch.ones(4, device=DEVICE) + 1
        torch.ippatsu.synchronize()
        torch.ippatsu.synchronize(0)
        torch.ippatsu.synchronize("ippatsu:0")
        with self.assertRaises(ValueError):
            torch.ippatsu.synchronize("cpu")
        self.assertEqual(x.sum().item(), 8)


class Generators(unittest.TestCase):
    def test_the_seed_decides_what_is_drawn(self):
        for seed in (torch.manual_seed, torch.ippatsu.manual_seed, torch.ippatsu.manual_seed_all):
            seed(7)
            first = torch.rand(3, device=DEVICE).tolist()
            seed(7)
            again = torch.rand(3, device=DEVICE).tolist()
            self.assertEqual(first, again)
            self.assertNotEqual(again, torch.rand(3, device=DEVICE).tolist())

    def test_negative_and_large_seeds(self):
        for seed in (-1, 2**63 - 1, 2**64 - 1, -(2**63)):
            torch.manual_seed(seed)
            torch.ippatsu.manual_seed(seed)
            self.assertEqual(torch.rand(1, device=DEVICE).numel(), 1)
        with self.assertRaises(RuntimeError):
            torch.manual_seed(2**70)

    def test_a_generator_of_ones_own(self):
        generator = torch.Generator(device=DEVICE)
        self.assertEqual(generator.device.type, DEVICE)
        generator.manual_seed(3)
        self.assertEqual(generator.initial_seed(), 3)
        first = torch.randn(3, device=DEVICE, generator=generator).tolist()
        generator.manual_seed(3)
        self.assertEqual(torch.randn(3, device=DEVICE, generator=generator).tolist(), first)
        state = generator.get_state()
        second = torch.randn(3, device=DEVICE, generator=generator).tolist()
        generator.set_state(state)
        self.assertEqual(torch.randn(3, device=DEVICE, generator=generator).tolist(), second)
        copy = generator.clone_state()
        self.assertEqual(
            torch.rand(2, device=DEVICE, generator=generator).tolist(),
            torch.rand(2, device=DEVICE, generator=copy).tolist(),
        )
        self.assertIsInstance(generator.seed(), int)

    def test_a_generator_of_another_device_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "generator"):
            torch.rand(2, device=DEVICE, generator=torch.Generator())
        with self.assertRaisesRegex(RuntimeError, "generator"):
            torch.rand(2, generator=torch.Generator(device=DEVICE))

    def test_fork_rng_puts_the_state_back(self):
        before = torch.ippatsu.get_rng_state()
        with torch.random.fork_rng(device_type=DEVICE):
            torch.rand(3, device=DEVICE)
        self.assertTrue(torch.equal(torch.ippatsu.get_rng_state(), before))

    def test_the_state_of_the_device(self):
        state = torch.ippatsu.get_rng_state()
        first = torch.rand(3, device=DEVICE).tolist()
        torch.ippatsu.set_rng_state(state)
        self.assertEqual(torch.rand(3, device=DEVICE).tolist(), first)
        with self.assertRaises(RuntimeError):
            torch.ippatsu.set_rng_state(torch.zeros(3))
        self.assertEqual(len(torch.ippatsu.get_rng_state_all()), torch.ippatsu.device_count())

    def test_a_seed_that_nobody_chose(self):
        torch.seed()
        first = torch.rand(3, device=DEVICE).tolist()
        torch.seed()
        self.assertNotEqual(torch.rand(3, device=DEVICE).tolist(), first)
        torch.ippatsu.seed()
        self.assertIsInstance(torch.ippatsu.initial_seed(), int)


class MixedDevices(unittest.TestCase):
    def test_host_tensors_do_not_meet_device_tensors(self):
        ours, host = torch.ones(2, 2, device=DEVICE), torch.ones(2, 2)
        mixed = {
            "add": lambda: ours + host,
            "mul": lambda: host * ours,
            "add_": lambda: host.clone().add_(ours),
            "mm": lambda: ours @ host,
            "cat": lambda: torch.cat([ours, host]),
            "where": lambda: torch.where(ours > 0, host, ours),
            "linear": lambda: torch.nn.functional.linear(ours, host),
            "conv2d": lambda: torch.nn.functional.conv2d(ours[None, None], host[None, None]),
            "out": lambda: torch.add(ours, ours, out=host.clone()),
            "embedding": lambda: torch.nn.functional.embedding(torch.tensor([0]), ours),
            "index_select": lambda: ours.index_select(0, torch.tensor([0])),
            "gather": lambda: ours.gather(0, torch.zeros(2, 2, dtype=torch.int64)),
            "mse_loss": lambda: torch.nn.functional.mse_loss(ours, host),
            "addmm": lambda: torch.addmm(ours, ours, host),
            "lerp": lambda: ours.lerp(host, 0.5),
        }
        for name, call in mixed.items():
            with (
                self.subTest(name),
                self.assertRaisesRegex(
                    RuntimeError, "xpected all tensors to be on the same device|one device|device"
                ),
            ):
                call()

    def test_host_numbers_and_indices_do(self):
        ours = torch.ones(2, device=DEVICE)
        self.assertEqual((ours + torch.tensor(1.0)).tolist(), [2, 2])
        self.assertEqual((torch.tensor(3.0) * ours).tolist(), [3, 3])
        self.assertEqual(ours[torch.tensor([0, 1])].tolist(), [1, 1])
        self.assertEqual(torch.where(ours > 0, torch.tensor(2.0), ours).tolist(), [2, 2])
        ours[torch.tensor([0])] = torch.tensor(5.0)
        self.assertEqual(ours.tolist(), [5, 1])


class Layouts(unittest.TestCase):
    def test_types_and_layouts_without_a_form_are_named(self):
        for make, text in (
            (lambda: torch.empty(2, dtype=torch.complex32, device=DEVICE), "ComplexHalf"),
            (lambda: torch.zeros(2, device=DEVICE, layout=torch.sparse_coo), "(?i)sparse"),
            (lambda: torch.ones(2, 2, device=DEVICE).to_sparse(), "(?i)sparse"),
            (lambda: torch.ones(2, 2, device=DEVICE).to_mkldnn(), "(?i)mkldnn"),
            (
                lambda: torch.quantize_per_tensor(
                    torch.ones(2, device=DEVICE), 0.1, 0, torch.quint8
                ),
                "(?i)quantize",
            ),
            (
                lambda: torch.empty_quantized(
                    [2],
                    torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8),
                    device=DEVICE,
                ),
                "(?i)quant",
            ),
            (lambda: torch.empty(2, dtype=torch.quint8, device=DEVICE), "Quantized"),
            (lambda: torch.empty(2, dtype=torch.bits8, device=DEVICE), "Bits8"),
            (lambda: torch.ones(2, dtype=torch.complex32).to(DEVICE), "ComplexHalf"),
            (lambda: torch.ones(2, 2).to_sparse().to(DEVICE), "(?i)sparse"),
        ):
            with self.subTest(text), self.assertRaisesRegex(NotImplementedError, text):
                make().sin()


@unittest.skipIf(torch.ippatsu.device_count() < 2, "one device")
class SeveralDevices(unittest.TestCase):
    def test_copies_between_devices(self):
        x = torch.arange(6.0, device="ippatsu:0").view(2, 3).t()
        y = x.to("ippatsu:1")
        self.assertEqual(y.device, torch.device("ippatsu:1"))
        self.assertEqual(y.stride(), x.stride())
        self.assertEqual(y.tolist(), x.tolist())
        x.copy_(y * 2)
        self.assertEqual(x.tolist(), (y * 2).tolist())

    def test_devices_do_not_mix(self):
        with self.assertRaisesRegex(RuntimeError, "aten::add.*device"):
            torch.ones(1, device="ippatsu:0") + torch.ones(1, device="ippatsu:1")
        number = torch.tensor(2.0, device="ippatsu:1")
        with self.assertRaisesRegex(RuntimeError, "device"):
            torch.ones(2, device="ippatsu:0").mul_(number)

    def test_the_current_device(self):
        with torch.ippatsu.device(1):
            self.assertEqual(torch.ones(1, device=DEVICE).device.index, 1)
        with torch.ippatsu.device("ippatsu:1"):
            self.assertEqual(torch.ippatsu.current_device(), 1)
        self.assertEqual(torch.ones(1, device=DEVICE).device.index, 0)
        torch.accelerator.set_device_index(1)
        self.assertEqual(torch.ones(1, device=DEVICE).device.index, 1)
        torch.accelerator.set_device_index(0)

    def test_results_lie_where_their_operands_do(self):
        x = torch.arange(4.0, device="ippatsu:1")
        for y in (
            x + 1,
            x.sum(),
            x.view(2, 2).t().clone(),
            x[1:],
            torch.zeros_like(x),
            x.sort()[0],
        ):
            self.assertEqual(y.device.index, 1)
        self.assertEqual(x.new_ones(2).device.index, 1)

    def test_gradients_cross_devices(self):
        x = torch.ones(2, device="ippatsu:0", requires_grad=True)
        (x.to("ippatsu:1") * 3).sum().backward()
        self.assertEqual(x.grad.device.index, 0)
        self.assertEqual(x.grad.tolist(), [3, 3])

    def test_each_device_has_a_generator(self):
        torch.manual_seed(1)
        first = torch.rand(2, device="ippatsu:1").tolist()
        torch.manual_seed(1)
        self.assertEqual(torch.rand(2, device="ippatsu:1").tolist(), first)
        with torch.random.fork_rng(devices=[1], device_type=DEVICE):
            torch.rand(2, device="ippatsu:1")


class Processes(unittest.TestCase):
    def test_a_forked_child_is_told_what_is_wrong(self):
        torch.ones(1, device=DEVICE).sum().item()
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            try:
                torch.ones(1, device=DEVICE)
                os.write(writer, b"no error")
            except RuntimeError as error:
                os.write(writer, str(error).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            self.assertIn("forked", pipe.read())
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_devices_that_are_not_there_are_refused(self):
        for name in ("ippatsu:99", "ippatsu:127"):
            with self.assertRaisesRegex(RuntimeError, "there is no device"):
                torch.ones(1, device=name)
        with self.assertRaises(RuntimeError):
            torch.ippatsu.set_device(99)
        with self.assertRaises(RuntimeError):
            torch.ippatsu.set_device(-1)

    def test_importing_takes_no_device(self):
        code = "import ippatsu, torch; print(torch.ops.ippatsu.is_started())"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(result.stdout.strip(), "False", result.stderr)


if __name__ == "__main__":
    unittest.main()
