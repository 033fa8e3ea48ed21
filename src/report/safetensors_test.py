"""Holds our safetensors files to the safetensors package.

Usage: safetensors_test.py REPORT_INTEROP
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

INTEROP = sys.argv.pop(1)


def interop(*arguments):
    return subprocess.run([INTEROP, *map(str, arguments)], capture_output=True, text=True)


class SafeTensors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "file.safetensors"

    def test_the_package_reads_ours(self):
        self.assertEqual(interop("safetensors", self.file).returncode, 0)
        tensors = load_file(self.file)
        shapes = {name: (str(tensor.dtype), tensor.shape) for name, tensor in tensors.items()}
        self.assertEqual(
            shapes,
            {
                "bool": ("bool", (3,)),
                "f16": ("float16", (2, 2)),
                "f32": ("float32", (2, 3)),
                "f64": ("float64", ()),
                "i64": ("int64", (12,)),
                "u8": ("uint8", (5, 1)),
                "nothing": ("float32", (0, 7)),
                'layers.0.weight "é"': ("int32", (1,)),
            },
        )
        self.assertEqual(tensors["i64"][0], 0x0100010001000100)
        self.assertEqual(tensors["u8"].tobytes(), b"\0\1\0\1\0")
        with safe_open(self.file, framework="numpy") as opened:
            self.assertEqual(opened.metadata(), {"step": "50", "name": '一発 "quoted"\n'})

    def test_we_read_the_packages(self):
        random = numpy.random.default_rng(0)
        dtypes = ["bool", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "c8"]

        def tensor(dtype, rank):
            return numpy.asarray(9 * random.normal(size=range(2, 2 + rank))).astype(dtype)

        tensors = {f"{dtype}.{rank}": tensor(dtype, rank) for dtype in dtypes for rank in range(4)}
        save_file(tensors, self.file, metadata={"format": "pt", "一": "発"})
        described = json.loads(interop("describe", self.file).stdout)
        self.assertEqual(described["metadata"], {"format": "pt", "一": "発"})
        self.assertEqual(described["tensors"].keys(), tensors.keys())
        for name, tensor in tensors.items():
            self.assertEqual(described["tensors"][name]["shape"], list(tensor.shape), name)
            self.assertEqual(described["tensors"][name]["bytes"], tensor.tobytes().hex(), name)

    def test_each_cut_is_refused(self):
        save_file({"a": numpy.zeros(3, "f4"), "b": numpy.ones((2, 2))}, self.file)
        whole = self.file.read_bytes()
        for length in [*range(0, 20), len(whole) // 2, len(whole) - 1]:
            self.file.write_bytes(whole[:length])
            result = interop("describe", self.file)
            self.assertEqual(result.returncode, 1, f"{length} bytes: {result.stderr}")
            self.assertIn("file.safetensors: ", result.stderr)


if __name__ == "__main__":
    unittest.main()
