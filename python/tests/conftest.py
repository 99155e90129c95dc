import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def models() -> Path:
    return ROOT / "models"


@pytest.fixture
def domains() -> Path:
    return ROOT / "domains"


@pytest.fixture
def published() -> Path:
    folder = Path(os.environ.get("BNNPLAN_PUBLISHED", ROOT.parent / "shared" / "fd-sat-plan"))
    if not folder.is_dir():
        pytest.skip(f"no published problems in {folder} (BNNPLAN_PUBLISHED)")
    return folder


@pytest.fixture
def corridor(models):
    import bnnplan

    return bnnplan.Problem.read(models / "corridor.toml")


@pytest.fixture(autouse=True)
def in_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
