"""The benchmark suites as files, and how far a plan is from what a domain allows."""

import pytest

import bnnplan
from bnnplan import InputError


def test_problems_of_the_suite(models, tmp_path):
    told = []
    names = ["navigation_3x3_4", "navigation_3x3_5"]
    suite = bnnplan.make_suite(tmp_path / "s", models=models, formats=["opb", "wcnf"], only=names, threads=1, progress=told.append)
    assert suite and (suite.made, suite.kept, suite.unproved) == (4, 0, 0)
    assert {entry["name"] for entry in suite.entries} == set(names) and len(suite.entries) == 4
    assert all((suite.folder / entry["file"]).stat().st_size == int(entry["bytes"]) for entry in suite.entries)
    assert [one.name for one in told if one.finished] == names and told[-1].done == told[-1].all == 2
    optimum = {entry["name"]: entry["optimum"] for entry in suite.entries}
    problem = bnnplan.Problem.read(models / "navigation_3x3.toml")
    assert [str(problem.plan(horizon=h).cost) for h in (4, 5)] == [optimum[name] for name in names]
    again = bnnplan.make_suite(tmp_path / "s", models=models, formats="opb", only=names, progress=False)
    assert (again.made, again.kept, len(again.entries)) == (0, 2, 4)
    assert "2 complete already" in repr(again)


def test_published_problems_of_the_suite(published, tmp_path):
    suite = bnnplan.make_suite(tmp_path, published=published, only="navigation_3x3_4", formats="opb", proof=True, gap_free=True, progress=False)
    assert suite and (suite.made, suite.proofs) == (1, 1)
    assert bnnplan.Problem.read(tmp_path / "navigation_3x3_4.toml").horizon == 4


def test_a_ladder(domains, tmp_path):
    names = bnnplan.ladder_names(family="random")
    assert names and all(name.startswith("random_") for name in names)
    assert set(names) < set(bnnplan.ladder_names())
    name = "navigation-known_n3_h4_s1"
    assert bnnplan.ladder_names(only=name) == [name]
    ladder = bnnplan.make_ladder(tmp_path, domains=domains, only=[name], formats="opb", proof=True, gap_free=True, packing="xz")
    assert ladder and ladder.proofs == 1 and ladder.entries[0]["name"] == name
    assert len(ladder.entries) == 1 and any(path.name.endswith(".opb.xz") for path in tmp_path.iterdir())


def test_what_is_wrong_with_a_suite(models, tmp_path):
    wrong = [
        lambda: bnnplan.make_suite(tmp_path, models=models, formats="text"),
        lambda: bnnplan.make_suite(tmp_path, models=models, only="navigation"),
        lambda: bnnplan.make_suite(tmp_path, models=models, family="chess"),
        lambda: bnnplan.make_suite(tmp_path, models=models, packing="zip"),
        lambda: bnnplan.make_suite(tmp_path, models=models, time_limit=-1),
        lambda: bnnplan.make_suite(tmp_path, models=tmp_path / "none", only="navigation_3x3_4"),
        lambda: bnnplan.make_ladder(tmp_path, domains=models, neurons="none"),
        lambda: bnnplan.make_ladder(tmp_path, domains=models, only="chess_n3"),
        lambda: bnnplan.ladder_names(family="chess"),
    ]
    for call in wrong:
        with pytest.raises(InputError):
            call()
    with pytest.raises(TypeError):
        bnnplan.make_suite(tmp_path, models=models, progress=3)

    def told(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bnnplan.make_suite(tmp_path, models=models, only="navigation_3x3_4", progress=told)


def test_how_far_from_the_optimum_of_the_domain(domains, coins):
    domain = bnnplan.rddl.load(domains / "navigation.rddl", domains / "navigation_3x3.rddl")
    problem = domain.compile()
    best = problem.plan(progress=False)
    check = problem.check(best, domain, optimum=True)
    assert check and check.gap == "0" and check.optimum.reward == best.reward
    assert check.gap_text.endswith("it is optimal in the domain, too")
    plain = problem.check(best, domain)
    assert (plain.optimum, plain.gap, plain.gap_text) == (None, None, "")
    # A longer plan: the first that was found, not the best.
    longer = domain.compile(horizon=8)
    first = longer.plan(first=True, progress=False)
    check = longer.check(first, domain, optimum=True, time_limit=60)
    assert check.optimum.horizon == 8 and float(check.gap) == float(check.optimum.reward) - float(check.domain_reward) >= 0
    with pytest.raises(InputError):
        problem.check(best, optimum=True)
    with pytest.raises(InputError):
        problem.check(best, "navigation")
    model = coins.compile(determinize="most-likely")
    with pytest.raises(InputError):  # a random domain has no optimum of its own
        model.check(model.plan(progress=False), coins, optimum=True)
