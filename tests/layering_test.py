#!/usr/bin/env python3
"""Holds the code to the layers that CMake declares.

    tests/layering_test.py [LAYERS_FILE]

LAYERS_FILE (default: build/release/layers.txt) has one line per layer, in order:
`name: layers it may include [+torch]`. A layer owns the folder src/name with all folders in it.
"""

import re
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS_FILE = ROOT / "build/release/layers.txt"

SOURCE_SUFFIXES = {".h", ".cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TORCH_HEADER = re.compile(r"^(torch|ATen|c10)/")
PROTOBUF_HEADER = re.compile(r"^google/protobuf/|\.pb\.h$")


@dataclass(frozen=True)
class Layer:
    name: str
    depends: tuple[str, ...]
    torch: bool


@dataclass(frozen=True)
class Include:
    line: int
    quoted: bool
    header: str


def declared_layers(text: str) -> dict[str, Layer]:
    layers = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        name, _, rest = line.partition(":")
        words = rest.split()
        depends = tuple(word for word in words if not word.startswith("+"))
        layers[name] = Layer(name, depends, "+torch" in words)
    return layers


def includes_of(text: str) -> list[Include]:
    return [
        Include(number, found[1] == '"', found[2])
        for number, line in enumerate(text.splitlines(), start=1)
        if (found := INCLUDE.match(line))
    ]


class Tree:
    """The sources under one src/ folder, with the layers that are to hold them."""

    def __init__(self, src: Path, layers: dict[str, Layer]):
        self.src = src
        self.layers = layers
        self.includes = {
            path.relative_to(src).as_posix(): includes_of(path.read_text(errors="replace"))
            for path in sorted(src.rglob("*"))
            if path.suffix in SOURCE_SUFFIXES
        }

    def violations(self) -> list[str]:
        return self.order_violations() + self.folder_violations() + self.include_violations()

    def order_violations(self) -> list[str]:
        """A layer may depend only on layers declared before it, so that no cycle can be."""
        wrong = []
        earlier: set[str] = set()
        for layer in self.layers.values():
            for name in layer.depends:
                if name not in earlier:
                    wrong.append(f"layer {layer.name}: depends on {name}, which is not above it")
                elif self.layers[name].torch and not layer.torch:
                    wrong.append(
                        f"layer {layer.name}: without torch, depends on {name}, with torch"
                    )
            earlier.add(layer.name)
        return wrong

    def folder_violations(self) -> list[str]:
        wrong = []
        for folder in sorted(path for path in self.src.iterdir() if path.is_dir()):
            if folder.name not in self.layers:
                wrong.append(f"src/{folder.name}: no layer({folder.name} ...) declares it")
            if not (folder / "README.md").is_file():
                wrong.append(f"src/{folder.name}: has no README.md")
        for name in self.layers:
            if not (self.src / name).is_dir():
                wrong.append(f"layer {name}: the folder src/{name} does not exist")
        return wrong

    def include_violations(self) -> list[str]:
        return [
            f"src/{file}:{include.line}: {reason}"
            for file, includes in self.includes.items()
            if (layer := self.layers.get(file.split("/")[0]))
            for include in includes
            if (reason := self.reason_against(file, layer, include))
        ]

    def reason_against(self, file: str, layer: Layer, include: Include) -> str | None:
        header = include.header
        if TORCH_HEADER.match(header) and not layer.torch:
            return f"{layer.name} is a layer without torch and includes <{header}>"
        if layer.torch and (clash := self.protobuf_behind(header)):
            return f"{layer.name} is a layer with torch and includes {clash}"
        if include.quoted and header not in self.includes and self.is_relative(file, header):
            return f'"{header}" must be named by its path under src/'
        owner = header.split("/")[0]
        if owner in self.layers and owner != layer.name and owner not in layer.depends:
            return f'{layer.name} includes "{header}", and its DEPENDS does not name {owner}'
        return None

    def is_relative(self, file: str, header: str) -> bool:
        return (self.src / file).parent.joinpath(header).is_file()

    def protobuf_behind(self, header: str) -> str | None:
        """How `header` brings in protobuf, directly or by our own headers; None: it does not."""
        seen: set[str] = set()
        pending = [(header, f"<{header}>")]
        while pending:
            name, way = pending.pop()
            if PROTOBUF_HEADER.search(name):
                return way
            if name in seen:
                continue
            seen.add(name)
            pending += [
                (include.header, f"{way} -> <{include.header}>")
                for include in self.includes.get(name, [])
            ]
        return None


class TheTree(unittest.TestCase):
    layers_file = LAYERS_FILE

    def test_keeps_to_its_layers(self):
        layers = declared_layers(self.layers_file.read_text())
        self.assertTrue(layers, f"{self.layers_file} declares no layer")
        if violations := Tree(ROOT / "src", layers).violations():
            self.fail("the code does not keep to its layers:\n" + "\n".join(violations))


class TheCheck(unittest.TestCase):
    """Small trees with one fault each: the check must find it, and only it."""

    LAYERS = "base:\nwire: base\ndevice: base wire +torch\n"
    FILES = {
        "base/a.h": "#pragma once\n#include <vector>\n",
        "wire/w.h": '#include "base/a.h"\n',
        "device/d.cpp": '#include "device/d.h"\n\n#include <ATen/ATen.h>\n',
        "device/d.h": '#include "wire/w.h"\n',
    }

    def violations(self, files=None, layers=LAYERS, readmes=("base", "wire", "device")):
        with tempfile.TemporaryDirectory() as folder:
            src = Path(folder)
            for name, text in (self.FILES | (files or {})).items():
                (src / name).parent.mkdir(exist_ok=True)
                (src / name).write_text(text)
            for name in readmes:
                (src / name / "README.md").write_text(name)
            return Tree(src, declared_layers(layers)).violations()

    def test_passes_a_good_tree(self):
        self.assertEqual([], self.violations())

    def test_finds_an_undeclared_include(self):
        self.assertEqual(
            ['src/base/b.cpp:2: base includes "wire/w.h", and its DEPENDS does not name wire'],
            self.violations({"base/b.cpp": '\n  #  include "wire/w.h"\n'}),
        )

    def test_finds_torch_in_a_layer_without_torch(self):
        self.assertEqual(
            ["src/wire/x.h:1: wire is a layer without torch and includes <c10/core/Device.h>"],
            self.violations({"wire/x.h": "#include <c10/core/Device.h>\n"}),
        )

    def test_finds_protobuf_in_a_layer_with_torch(self):
        self.assertEqual(
            ["src/device/e.cpp:1: device is a layer with torch and includes <x.pb.h>"],
            self.violations({"device/e.cpp": '#include "x.pb.h"\n'}),
        )

    def test_finds_protobuf_behind_another_header(self):
        self.assertEqual(
            [
                "src/device/d.h:1: device is a layer with torch and includes "
                "<wire/w.h> -> <google/protobuf/message.h>",
                "src/device/d.cpp:1: device is a layer with torch and includes "
                "<device/d.h> -> <wire/w.h> -> <google/protobuf/message.h>",
            ],
            sorted(
                self.violations({"wire/w.h": "#include <google/protobuf/message.h>\n"}),
                reverse=True,
            ),
        )

    def test_finds_a_relative_include(self):
        self.assertEqual(
            ['src/base/b.h:1: "a.h" must be named by its path under src/'],
            self.violations({"base/b.h": '#include "a.h"\n'}),
        )

    def test_finds_a_dependency_on_a_later_layer(self):
        self.assertEqual(
            ["layer base: depends on wire, which is not above it"],
            self.violations(layers="base: wire\nwire: base\ndevice: base wire +torch\n"),
        )

    def test_finds_torch_below_a_layer_without_torch(self):
        self.assertEqual(
            ["layer wire: without torch, depends on base, with torch"],
            self.violations(layers="base: +torch\nwire: base\ndevice: base wire +torch\n"),
        )

    def test_finds_an_undeclared_folder(self):
        self.assertEqual(
            ["src/util: no layer(util ...) declares it", "src/util: has no README.md"],
            self.violations({"util/u.h": ""}),
        )

    def test_finds_a_layer_without_folder_or_readme(self):
        self.assertEqual(
            ["src/wire: has no README.md", "layer gone: the folder src/gone does not exist"],
            self.violations(layers=self.LAYERS + "gone:\n", readmes=("base", "device")),
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        TheTree.layers_file = Path(sys.argv.pop(1)).resolve()
    unittest.main()
