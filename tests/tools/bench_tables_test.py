"""tools/bench-tables: scores, pages, pictures, and what it says about bad files."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True  # nothing is left beside the tool
TOOL = pathlib.Path(__file__).parents[2] / "tools/bench-tables"
loader = importlib.machinery.SourceFileLoader("bench_tables", str(TOOL))
bench_tables = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_tables", loader))
loader.exec_module(bench_tables)


def run(task, entrant, status, cost="", seconds=1.0, repetition=1, bound="", digest="d", message=""):
    """A line of runs.csv; wall time is twice the CPU time."""
    quoted = ['"' + text.replace('"', '""').replace("\n", " ") + '"' for text in (task, entrant, message)]
    return f"{quoted[0]},{quoted[1]},{repetition},{status},{cost},{bound},{2 * seconds:.6f},{seconds:.6f},1.0,{digest},{quoted[2]}"


def settings(problems, entrants, **rules):
    """settings.json: problems are names or (name, family, horizon, reward), entrants names or (name, ours)."""
    full = [(p, "f", 1, False) if isinstance(p, str) else p for p in problems]
    return {"seconds": 10.0, "memory_mib": 2000, "core": 1, "program": "p", "machine": "a machine", "repetitions": 1,
            "warm_up": True, "give_up": 0,
            "problems": [{"name": n, "family": f, "horizon": h, "digest": "d", "reward": r} for n, f, h, r in full],
            "entrants": [{"name": e, "ours": True} if isinstance(e, str) else {"name": e[0], "ours": e[1]} for e in entrants],
            **rules}


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.runs = self.folder / "runs.csv"

    def write(self, lines, rules=None, folder=None):
        folder = folder or self.folder
        folder.mkdir(exist_ok=True)
        (folder / "runs.csv").write_text("".join(line + "\n" for line in [bench_tables.HEADER] + lines))
        if rules is not None:
            (folder / "settings.json").write_text(json.dumps(rules))
        return str(folder / "runs.csv")

    def comparison(self, lines, rules, **options):
        return bench_tables.read_comparison([self.write(lines, rules)], **options)

    def page(self, lines, rules, *notes):
        return bench_tables.results_page(self.comparison(lines, rules), notes)

    def tool(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                code = bench_tables.main([str(argument) for argument in arguments])
            except SystemExit as end:
                code = end.code
        return code, output.getvalue(), errors.getvalue()


class Scores(Case):
    RULES = settings([("p", "f", 1, False), ("q", "g", 1, False)], [("slow", False), ("fast", True)])
    RUNS = [run("p", "slow", "optimal", 3, 4), run("q", "slow", "unknown"), run("p", "fast", "optimal", 3, 1),
            run("p", "fast", "optimal", 3, 3, 2), run("p", "fast", "optimal", 3, 2, 3), run("q", "fast", "infeasible", "", 6)]

    def test_count_solved_and_par2(self):
        made = self.comparison(self.RUNS, self.RULES)
        self.assertEqual(made.times["fast", "p"], 2, "the median of 1, 3 and 2")
        self.assertNotIn(("slow", "q"), made.times)
        first, second = bench_tables.scores(made)
        self.assertEqual((first.entrant.name, first.solved, first.par2, first.total), ("fast", 2, 4, 8),
                         "to prove that there is no plan is to solve it")
        self.assertEqual((second.par2, second.ratio), (12, 3), "4, and twice the limit")
        self.assertEqual(bench_tables.scores(made, "f")[0].par2, 2)
        self.assertEqual(bench_tables.scores(self.comparison(self.RUNS, self.RULES, measure="wall"), "f")[0].par2, 4)
        self.assertEqual(made.families, ["f", "g"])

    def test_the_page_has_them(self):
        page = self.page(self.RUNS, self.RULES, "a note")
        for text in ("| f | fast | 1/1 | 2.00 | slow | 1/1 | 4.00 | 2.0 times ours |\n", "- a note\n", "- machine: a machine\n",
                     "| q | none | - | 6.00 |\n", "all answers agree", "## All 2 problems\n", "\n### g\n",
                     "on one core, limits 10 s and 2000 MiB, 1 run each, after a warm-up\n"):
            self.assertIn(text, page)

    def test_the_median_of_two_is_between_them(self):
        lines = [run("p", "a", "optimal", 3, 1), run("p", "a", "optimal", 3, 2, 2)]
        self.assertEqual(self.comparison(lines, settings(["p"], ["a"])).times, {("a", "p"): 1.5})

    def test_one_unsolved_repetition_is_unsolved(self):
        lines = [run("p", "a", "optimal", 3, 1), run("p", "a", "unknown", "", 2, 2)]
        self.assertEqual(self.comparison(lines, settings(["p"], ["a"])).times, {})

    def test_a_run_beyond_the_limit_is_not_solved(self):
        self.assertEqual(self.comparison([run("p", "a", "optimal", 3, 10.5)], settings(["p"], ["a"])).times, {})

    def test_ties_keep_the_order_of_the_entrants(self):
        lines = [run("p", name, "optimal", 3) for name in "cab"] + [run("q", name, "unknown") for name in "abc"]
        listed = bench_tables.scores(self.comparison(lines, settings(["p", "q"], ["b", "c", "a"])))
        self.assertEqual([score.entrant.name for score in listed], ["b", "c", "a"])
        self.assertEqual({score.ratio for score in listed}, {1})

    def test_costs_stay_exact_and_rewards_are_said(self):
        lines = [run("p", "a", "optimal", "12345678901234.567"), run("q", "a", "optimal", "-36"),
                 run("r", "a", "plan", "-2.5"), run("s", "a", "plan", "7")]
        page = self.page(lines, settings(["p", ("q", "f", 1, True), ("r", "f", 1, True), "s", "t"], ["a"]))
        for line in ("| p | 12345678901234.567 | 1.00 |", "| q | reward 36 | 1.00 |", "| r | >= 2.5 | - |", "| s | <= 7 | - |",
                     "| t | - | not run |"):
            self.assertIn(line + "\n", page)

    def test_nothing_was_run(self):
        page = self.page([], settings(["p"], ["a", ("b", False)]))
        self.assertIn("\n## 1 problem\n", page)
        self.assertIn("| a | 0/1 | 20.00 | 0.000 | 1.0 |\n", page)

    def test_giving_up_is_said(self):
        self.assertIn("does not solve 2 problems of a family in a row is not run on its later ones, which count as not solved\n",
                      self.page([], settings(["p"], ["a"], give_up=2)))
        page = self.page([], settings(["p"], ["a"], give_up=1))
        self.assertIn("does not solve a problem is not run on the later ones of its family, which count as not solved\n", page)
        self.assertIn(", not run a problem that was skipped.\n", page)

    def test_only_what_the_last_bench_compared(self):
        lines = [run("p", "a", "optimal", 3), run("p", "a", "optimal", 9, digest="an older p"), run("p", "b", "optimal", 3),
                 run("q", "a", "optimal", 3)]
        self.assertEqual(len(self.comparison(lines, settings(["p"], ["a"])).runs), 1)


class Refutation(Case):
    def test_a_refuted_claim_has_solved_nothing(self):
        """Three liars who are faster than the honest one."""
        lines = [run("p", "too dear", "optimal", 4, 0.1), run("p", "too dear", "optimal", 4, 0.1, 2),
                 run("p", "none", "infeasible", "", 0.1), run("p", "honest", "optimal", 3, 9),
                 run("p", "bound", "plan", 5, 1, bound=4), run("q", "too dear", "optimal", 7, 0.1),
                 run("q", "none", "optimal", 7, 0.1), run("q", "honest", "unknown")]
        page = self.page(lines, settings(["p", "q"], [("too dear", False), ("none", False), "honest", ("bound", False)]))
        for text in ("| p | 3 | refuted | refuted | 9.00 | refuted |\n", "| too dear | 1/2, 1 refuted | 10.05 |",
                     "**The entrants disagree:**",
                     "\n- refuted: p: honest has a plan of cost 3, but too dear claims that none costs less than 4\n",
                     "\n- refuted: p: honest has a plan of cost 3, but none claims that there is none\n"):
            self.assertIn(text, page)
        self.assertEqual(page.count("- refuted: "), 3, "one line for two repetitions")
        self.assertNotIn("all answers agree", page)

    def test_plans_of_others_refute_too_but_not_those_of_another_problem(self):
        claim = run("p", "a", "optimal", 4)
        rules = settings(["p"], ["a"])
        self.assertEqual(self.comparison([claim, run("p", "earlier", "plan", 3)], rules).runs[0].status, "refuted")
        self.assertEqual(self.comparison([claim, run("p", "earlier", "plan", 3, digest="x")], rules).runs[0].status, "optimal")

    def test_rewards(self):
        made = self.comparison([run("p", "a", "optimal", -36), run("p", "b", "optimal", -30)],
                               settings([("p", "f", 1, True)], ["a", "b"]))
        self.assertEqual(made.runs[1].message, "a has a plan of reward 36, but b claims that none has a reward above 30")

    def test_numbers_are_compared_exactly(self):
        made = self.comparison([run("p", "a", "optimal", "12345678901234567.1"), run("p", "b", "optimal", "12345678901234567.2")],
                               settings(["p"], ["a", "b"]))
        self.assertEqual([one.status for one in made.runs], ["optimal", "refuted"])

    def test_what_agrees(self):
        lines = [run("p", "a", "optimal", 3, bound=3), run("p", "b", "optimal", "3"), run("p", "c", "plan", 5),
                 run("p", "d", "unknown", bound=2), run("p", "e", "error", message="exit code 2")]
        page = self.page(lines, settings(["p"], list("abcde")))
        self.assertIn("all answers agree", page)
        self.assertIn("\nRuns that failed:\n\n- p: e: exit code 2\n", page)


class Names(Case):
    def test_are_not_markdown(self):
        task, other = "p|q\t`x`, \"y\"", "<i>[x](y)"
        lines = [run(task, "a|b", "error", message="bad | `worse`\x07# worst"), run(task, other, "optimal", 3)]
        page = self.page(lines, settings([(task, "f*g_h", 1, False)], ["a|b", (other, False)]), "one\ntwo")
        for text in ('| p\\|q\\\\x09\\`x\\`, "y" | 3 | - | 1.00 |\n', "| problem | optimum | a\\|b | &lt;i&gt;\\[x\\](y) |\n",
                     "| f\\*g_h | a\\|b |", ": bad \\| \\`worse\\`\\\\x07\\# worst\n", "- one two\n"):
            self.assertIn(text, page)
        self.assertNotIn(".md", page, "it refers to no file that is not beside it")

    def test_say_families_and_horizons_if_nothing_else_does(self):
        lines = [run("grid_3x3_4", "search", "optimal", 3), run("grid_5", "clasp (opb)", "optimal", 3), run("x", "search", "plan")]
        made = bench_tables.read_comparison([self.write(lines)], limit=60)
        self.assertEqual([(p.family, p.horizon) for p in made.problems], [("grid_3x3", 4), ("grid", 5), ("x", 0)])
        self.assertEqual([entrant.ours for entrant in made.entrants], [True, False])
        made = bench_tables.read_comparison([str(self.runs)], limit=60, family_end="_")
        self.assertEqual(made.families, ["grid", "x"])


class Pictures(Case):
    def made(self, solved=True, problems=3):
        times = {"ours & best": (0.004, 0.00001, 0.02), "other": (1.5, 10, None), "nothing": (None, None, None)}
        lines = [run(f"a<b_{i + 4}", name, "unknown" if not solved or s is None else "optimal", 3, s or 1)
                 for name, row in times.items() for i, s in enumerate(row[:problems])]
        return self.comparison(lines, settings([(f"a<b_{i + 4}", "a<b", i + 4, False) for i in range(problems)],
                                               ["ours & best", ("other", False), ("nothing", False)]))

    def check(self, svg):
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertEqual(svg.count("http"), 1, "only the name of the format")
        self.assertNotRegex(svg, "nan|inf")
        width, height = float(root.get("width")), float(root.get("height"))
        for element in root.iter():
            for name, most in (("cx", width), ("x", width), ("cy", height), ("y", height)):
                self.assertTrue(0 <= float(element.get(name, 0)) <= most, xml.etree.ElementTree.tostring(element))
        return svg

    def test_cactus(self):
        svg = self.check(bench_tables.cactus_plot(self.made()))
        self.assertEqual([svg.count(f'class="f{i}"') for i in range(3)], [4, 3, 1], "those solved, and one in the legend")
        self.assertIn("ours &amp; best", svg)
        self.assertIn("prefers-color-scheme:dark", svg)

    def test_scatter(self):
        svg = self.check(bench_tables.scatter_plot(self.made(), "ours & best", "other"))
        self.assertEqual(svg.count("<g><title>"), 3)
        self.assertIn("a&lt;b_6: 20 ms and not solved", svg)

    def test_horizon(self):
        svg = self.check(bench_tables.horizon_plot(self.made()))
        self.assertEqual((svg.count(">horizon</text>"), svg.count(">time</text>")), (1, 1))
        self.assertEqual(bench_tables.horizon_plot(self.made(problems=1)), "", "one horizon is not a curve")
        self.check(bench_tables.cactus_plot(self.made(problems=1)))

    def test_without_anything_solved(self):
        made = self.made(solved=False)
        self.check(bench_tables.cactus_plot(made))
        self.check(bench_tables.scatter_plot(made, "other", "nothing"))
        self.check(bench_tables.horizon_plot(made))

    def test_which_two_are_drawn(self):
        made = self.made()
        self.assertEqual(bench_tables.scatter_pair(made, None), ("ours & best", "other"))
        self.assertEqual(bench_tables.scatter_pair(made, ["other", "nothing"]), ["other", "nothing"])
        made.entrants = made.entrants[:1]
        self.assertIsNone(bench_tables.scatter_pair(made, None))

    def test_names_that_xml_does_not_allow(self):
        self.check(bench_tables.cactus_plot(self.comparison([], settings(["p"], ["a\x01\"<"]))))


class Tool(Case):
    def test_writes_a_page_and_pictures(self):
        runs = self.write(Scores.RUNS, Scores.RULES)
        out = self.folder / "out"
        self.assertEqual(self.tool(runs, "-o", out, "--note", "a note"), (0, f"wrote {out}/RESULTS.md and pictures\n", ""))
        self.assertEqual(sorted(file.name for file in out.iterdir()), ["RESULTS.md", "cactus.svg", "scatter.svg"])
        self.assertEqual(re.findall(r"!\[\]\((.*)\)", (out / "RESULTS.md").read_text()), ["cactus.svg", "scatter.svg"])

    def test_several_files_are_one_comparison(self):
        one = self.write([run("p", "a", "optimal", 3)], settings(["p"], ["a"]), self.folder / "one")
        two = self.write([run("p", "b", "optimal", 4)], settings(["p"], ["b"], machine="another"), self.folder / "two")
        self.assertEqual(self.tool(one, two, "-o", self.folder)[0], 0)
        page = (self.folder / "RESULTS.md").read_text()
        self.assertIn("| p | 3 | 1.00 | refuted |\n", page)
        self.assertIn("- machine: a machine\n- machine: another\n", page)
        self.write([], settings(["p"], ["b"], seconds=20.0), self.folder / "two")
        self.assertEqual(self.tool(one, two, "-o", self.folder),
                         (2, "", f"{two}: these runs were made with seconds = 20.0, not 10.0 as those of {one}\n"))

    def test_bad_files(self):
        good = run("p", "a", "optimal", 3)
        for line, message in (("a,b", "not a run, expected 11 fields"), ('"a,b', "not a run, expected 11 fields"),
                              ("a,b,1,plan,3,,x,1,1,d,", "bad number in a run"), ("a,b,1,plan,3,,nan,1,1,d,", "bad number in a run"),
                              ("a,b,1,plan,3,,1,1e999,1,d,", "bad number in a run"), ("a,b,1,plan,y,,1,1,1,d,", "bad cost in a run"),
                              ("a,b,1,plan,,1e3,1,1,1,d,", "bad cost in a run"), ("a,b,0,plan,3,,1,1,1,d,", "bad repetition of a run"),
                              ("a,b,1.5,plan,3,,1,1,1,d,", "bad repetition of a run")):
            runs = self.write([good, line])
            self.assertEqual(self.tool(runs, "--time-limit", 5, "-o", self.folder), (2, "", f"{runs}:3: {message}\n"))
        self.runs.write_text("x\n")
        self.assertEqual(self.tool(self.runs, "-o", self.folder)[2],
                         f"{self.runs}:1: not a file of runs, expected the header that bench writes\n")
        self.runs.write_text("")
        self.assertEqual(self.tool(self.runs, "-o", self.folder)[0], 2)
        self.assertEqual(self.tool(self.folder / "none.csv", "-o", self.folder),
                         (2, "", f"{self.folder}/none.csv: No such file or directory\n"))

    def test_an_incomplete_last_line_is_ignored(self):
        self.write([run("p", "a", "optimal", 3)])
        with self.runs.open("a") as file:
            file.write('"p","b')
        self.assertEqual(len(bench_tables.read_runs(self.runs)), 1)

    def test_a_full_disk(self):
        runs = self.write([run("p", "a", "optimal", 3)], settings(["p"], ["a"]))
        (self.folder / "RESULTS.md").symlink_to("/dev/full")
        self.assertEqual(self.tool(runs, "-o", self.folder), (2, "", f"{self.folder}: No space left on device\n"))

    def test_bad_settings(self):
        runs = self.write([run("p", "a", "optimal", 3)])
        self.assertEqual(self.tool(runs, "-o", self.folder)[2],
                         f"{runs}: no settings.json beside it, expected --time-limit S with the limit of a run\n")
        for text in ("{", "[]", "{}", '{"seconds": 1, "problems": [3], "entrants": []}'):
            (self.folder / "settings.json").write_text(text)
            self.assertEqual(self.tool(runs, "-o", self.folder)[2],
                             f"{self.folder}/settings.json: not the settings of a comparison, expected those that bench writes\n")
        (self.folder / "settings.json").unlink()
        self.write([])
        self.assertEqual(self.tool(runs, "--time-limit", 5, "-o", self.folder)[2],
                         f"{runs}: no runs, and no settings.json beside it that lists problems\n")

    def test_bad_usage(self):
        runs = self.write([run("p", "a", "optimal", 3)], settings(["p"], ["a"]))
        self.assertEqual(self.tool(runs)[0], 1)
        self.assertEqual(self.tool(runs, "-o", self.folder, "--measure", "moon")[0], 1)
        self.assertEqual(self.tool(runs, "-o", self.folder, "--time-limit", "0")[0], 1)
        self.assertEqual(self.tool(runs, "-o", self.folder, "--scatter", "a", "x"),
                         (2, "", "'x' is not among the entrants, expected two of: a\n"))


if __name__ == "__main__":
    unittest.main()
