"""The golden JSON reports fit the documented schema; reports of live recordings do by the harness."""
import pathlib
import unittest

from harness import parse_report

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "unit" / "golden"


class Schema(unittest.TestCase):
    def test_golden_reports(self):
        files = list(GOLDEN.glob("*.json"))
        self.assertTrue(files)
        for file in files:
            parse_report(file.read_text(encoding="utf-8"))
