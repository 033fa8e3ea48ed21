"""Reads event files back with TensorBoard itself. Usage: event_file_test.py REPORT_INTEROP"""

import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

INTEROP = sys.argv.pop(1)


class EventFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        subprocess.run([INTEROP, "events", folder.name], check=True)
        self.events = EventAccumulator(folder.name)
        self.events.Reload()

    def test_resuming_replaces_the_later_steps(self):
        loss = self.events.Scalars("train/loss")
        self.assertEqual([point.step for point in loss], [1, 2, 3, 4, 5, 6, 7, 8])
        expected = [4 / step for step in range(1, 7)] + [107, 108]
        for point, value in zip(loss, expected):
            self.assertAlmostEqual(point.value, value, places=6)
            self.assertGreater(point.wall_time, 1.6e9)

    def test_odd_values_and_tags_pass(self):
        self.assertTrue(math.isnan(self.events.Scalars("odd/nan")[0].value))
        self.assertEqual(self.events.Scalars("odd/beyond a float")[0].value, math.inf)
        self.assertEqual(self.events.Scalars("odd/\ufffd")[0].value, 1)

    def test_every_file_begins_with_its_version(self):
        files = sorted(self.folder.iterdir())
        self.assertEqual(len(files), 2)
        for file in files:
            first = next(EventFileLoader(str(file)).Load())
            self.assertEqual(first.file_version, "brain.Event:2")


if __name__ == "__main__":
    unittest.main()
