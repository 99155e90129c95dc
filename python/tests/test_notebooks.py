"""The example notebooks, executed: by nbconvert where it is installed, as scripts otherwise."""

import importlib.util
import json
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


@pytest.mark.parametrize("name", ["plan_a_corridor", "learn_a_world", "verify_a_classifier"])
def test_notebook(name, monkeypatch, capsys):
    file = NOTEBOOKS / f"{name}.ipynb"
    notebook = json.loads(file.read_text())
    assert all(cell.get("outputs", []) == [] for cell in notebook["cells"]), "notebooks are kept without their outputs"
    monkeypatch.chdir(NOTEBOOKS)
    if all(importlib.util.find_spec(each) for each in ("nbconvert", "nbformat", "ipykernel")):
        import nbformat
        from nbconvert.preprocessors import ExecutePreprocessor

        book = nbformat.read(file, as_version=4)
        ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(book, {"metadata": {"path": str(NOTEBOOKS)}})
        shown = [o for cell in book.cells for o in cell.get("outputs", []) if "text/html" in o.get("data", {})]
        assert shown
        return
    space = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(file), "exec"), space)
