"""The tour in docs/python.md and the example of README.md, run line by line and compared."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name, least", [("docs/python.md", 60), ("README.md", 5)])
def test_every_line_does_what_it_says(name, least, monkeypatch):
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=flags, encoding="utf-8")
    assert result.failed == 0 and result.attempted >= least
