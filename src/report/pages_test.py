"""Holds charts and reports to strict parsers, ordinary ones and absurd ones alike: each is
well-formed XML and asks for nothing outside itself. Usage: pages_test.py REPORT_INTEROP"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

INTEROP = sys.argv.pop(1)
SVG = "{http://www.w3.org/2000/svg}"
FORBIDDEN = {"script", "link", "img", "iframe", "object", "embed", SVG + "image", SVG + "use"}
FETCHING = {"src", "href", "data", "action", "poster", "srcset", "background"}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([INTEROP, "pages", cls.folder.name], check=True)
        cls.pages = {
            path.name: path.read_text(encoding="utf-8")
            for path in pathlib.Path(cls.folder.name).iterdir()
        }

    def test_all_are_there(self):
        self.assertGreaterEqual(len(self.pages), 30)

    def test_each_is_well_formed(self):
        for name, text in self.pages.items():
            with self.subTest(name):
                root = ElementTree.fromstring(text)
                self.assertEqual(root.tag, "html" if name.endswith("html") else SVG + "svg")

    def test_none_asks_for_anything_outside_itself(self):
        for name, text in self.pages.items():
            with self.subTest(name):
                for element in ElementTree.fromstring(text).iter():
                    self.assertNotIn(element.tag, FORBIDDEN)
                    for attribute in element.attrib:
                        plain = attribute.split("}")[-1]
                        self.assertNotIn(plain, FETCHING)
                        self.assertFalse(plain.startswith("on"), attribute)
                styles = "".join(re.findall("<style>(.*?)</style>", text, re.S))
                self.assertNotRegex(styles, r"url\(|@import|@font-face")

    def test_everything_drawn_is_inside_its_picture(self):
        for name, text in self.pages.items():
            for picture in ElementTree.fromstring(text).iter(SVG + "svg"):
                width, height = map(float, picture.get("viewBox").split()[2:])
                for circle in picture.iter(SVG + "circle"):
                    with self.subTest(name):
                        self.assertTrue(0 <= float(circle.get("cx")) <= width)
                        self.assertTrue(0 <= float(circle.get("cy")) <= height)

    def test_each_chart_has_a_title_and_a_description(self):
        for name, text in self.pages.items():
            if name.endswith("svg"):
                root = ElementTree.fromstring(text)
                self.assertEqual([child.tag for child in root][:2], [SVG + "title", SVG + "desc"])


if __name__ == "__main__":
    unittest.main()
