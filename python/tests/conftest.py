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


@pytest.fixture
def coins(tmp_path):
    """A domain of luck, in which every action is legal."""
    from bnnplan import rddl

    (tmp_path / "coins.rddl").write_text(
        """domain coins {
  types { coin: object; };
  pvariables {
    heads(coin): { state-fluent, bool, default = false };
    count: { state-fluent, int, default = 0 };
    flip(coin): { action-fluent, bool, default = false };
  };
  cpfs {
    heads'(?c) = if (flip(?c)) then Bernoulli(0.75) else heads(?c);
    count' = (sum_{?c: coin} [heads(?c)]);
  };
  reward = (sum_{?c: coin} [heads'(?c)]) - 0.25 * (sum_{?c: coin} [flip(?c)]);
  state-invariants { count >= 0; count <= 3; };
}
"""
    )
    (tmp_path / "coins_2.rddl").write_text(
        """non-fluents two { domain = coins; objects { coin: {a, b}; }; }
instance coins_2 { domain = coins; non-fluents = two; max-nondef-actions = pos-inf; horizon = 6; discount = 1.0; }
"""
    )
    return rddl.load(tmp_path / "coins.rddl", tmp_path / "coins_2.rddl")


@pytest.fixture(autouse=True)
def in_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
