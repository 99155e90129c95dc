"""tools/make-submission: what a submission has in it, and which ladders it refuses. The argument is the program bnnplan."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the tool
ROOT = pathlib.Path(__file__).parents[2]
loader = importlib.machinery.SourceFileLoader("make_submission", str(ROOT / "tools/make-submission"))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_submission", loader))
loader.exec_module(tool)
PROGRAM = ""
NAMES = ["sysadmin-known_n3_h3_s1", "perturbation_n8_w6_l2_s2"]


def make_ladder(folder, *options):
    subprocess.run([PROGRAM, "suite", "--extended", "--domains", ROOT / "domains", "--only", ",".join(NAMES), *options, "-o", folder],
                   check=True, capture_output=True)


def run(*arguments):
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = tool.main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
    return code, output.getvalue(), errors.getvalue()


class Submission(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.ladder, self.kit = self.folder / "ladder", self.folder / "kit"

    def check(self, competition):
        kind = tool.FORMATS[competition]
        make_ladder(self.ladder, "--to", kind, "--pack", "xz", "--gap-free", "--time-limit", "60")
        code, output, errors = run(competition, self.ladder, "-o", self.kit)
        self.assertEqual((code, errors), (0, ""))
        archive = self.kit / f"bnnplan-{competition}.tar"
        self.assertTrue(output.endswith(f"archive: {archive}\n"), output)
        description = (self.kit / "description.tex").read_text()
        rows = tool.read_ladder(self.ladder, competition)
        self.assertEqual(len(rows), 2)
        for row in rows:
            line = next(line for line in description.splitlines() if line.startswith(row["name"].replace("_", "\\_") + " & "))
            self.assertIn(f" & {row['value']} & auto ", line)
        for text in ("AUTHORS AND AFFILIATIONS TO BE FILLED IN", "These 2 problems", f"bnnplan {rows[0]['version']}. ",
                     "2 of\n2 have a proved answer"):
            self.assertIn(text, description)
        self.assertNotIn("@", description.replace("{@", ""))
        self.assertEqual((self.kit / "description.pdf").exists(), shutil.which("pdflatex") is not None)
        with tarfile.open(archive) as tar:
            members = {member.name: member for member in tar.getmembers()}
        for name in ["README", "description.tex", "benchmarks/index.csv"] + [f"benchmarks/{row['file']}" for row in rows]:
            self.assertIn(name, members)
        self.assertTrue(all((m.mtime, m.uid, m.uname) == (0, 0, "") for m in members.values()))
        first = archive.read_bytes()
        run(competition, self.ladder, "-o", self.kit)
        if shutil.which("pdflatex") is None:  # a PDF has its time in it
            self.assertEqual(archive.read_bytes(), first, "the same files, the same archive")
        return members

    def test_maxsat(self):
        members = self.check("maxsat")
        self.assertIn("application/ipamirgrowinghorizons/growing_horizons.c", members)
        application = self.kit / "application/ipamirgrowinghorizons"
        for name, source in (("growing_horizons.c", "examples/growing_horizons.c"), ("ipamir.h", "include/bnnplan/ipamir.h")):
            self.assertEqual((application / name).read_bytes(), (ROOT / source).read_bytes())

    def test_pb(self):
        self.assertFalse([name for name in self.check("pb") if name.startswith("application")])

    def test_other_ladders_are_refused(self):
        make_ladder(self.ladder, "--to", "opb", "--pack", "xz", "--gap-free")
        index, opb = self.ladder / "index.csv", self.ladder / f"{NAMES[0]}.gapfree.opb.xz"
        code, _, errors = run("maxsat", self.ladder, "-o", self.kit)
        self.assertEqual(code, 2)
        self.assertRegex(errors, r"index\.csv:2: .*\.opb\.xz is not for this competition, expected a suite made with --to wcnf "
                                 r"--pack xz --gap-free\n$")
        content = opb.read_bytes()
        opb.write_bytes(content + b"x")
        self.assertEqual(run("pb", self.ladder, "-o", self.kit),
                         (2, "", f"{opb}: missing or not the file of the index, expected a complete suite\n"))
        opb.write_bytes(content)
        text = index.read_text()
        index.write_text(text + "short,line\n")
        self.assertEqual(run("pb", self.ladder, "-o", self.kit)[2],
                         f"{index}:4: not a line of the index, expected as many values as columns\n")
        for wrong in ("", "name,family\n"):
            index.write_text(wrong)
            self.assertEqual(run("pb", self.ladder, "-o", self.kit)[2],
                             f"{index}:1: not the index of a suite, expected its header (name,family,...)\n")
        index.write_text(text.splitlines()[0] + "\n")
        self.assertEqual(run("pb", self.ladder, "-o", self.kit)[2], f"{index}: no problems in it\n")
        index.unlink()
        self.assertEqual(run("pb", self.ladder, "-o", self.kit)[2], f"{index}: No such file or directory\n")
        self.assertFalse(self.kit.exists(), "nothing is written")
        self.assertEqual(run("chess", self.ladder, "-o", self.kit)[0], 1)

    def test_folders_that_cannot_be_written(self):
        make_ladder(self.ladder, "--to", "opb", "--pack", "xz", "--gap-free")
        before = sorted(self.ladder.iterdir())
        self.assertEqual(run("pb", self.ladder, "-o", self.ladder), (2, "", f"{self.ladder}: the folder of the ladder, expected another "
                                                                     "one, as all files of the ladder are packed\n"))
        self.assertEqual(sorted(self.ladder.iterdir()), before)
        self.kit.mkdir()
        part = self.kit / "bnnplan-pb.tar.part"
        part.symlink_to("/dev/full")
        self.assertEqual(run("pb", self.ladder, "-o", self.kit), (2, "", f"{self.kit}: No space left on device\n"))
        self.assertFalse(part.is_symlink(), "an incomplete archive is removed")

    def test_bounds_and_names_in_latex(self):
        row = dict.fromkeys(tool.COLUMNS, "")
        row.update(name="a_b%", version="1_0", status="plan", value_upper="7", variables="1234567", hard="12", soft="3", times="auto -")
        text = tool.description([row], "pb")
        self.assertIn("a\\_b\\% & 1{,}234{,}567 & 12 & 3 & [-, 7] & auto - \\\\\n", text)
        self.assertIn("bnnplan 1\\_0. ", text)
        self.assertIn("0 of\n1 have", text)
        self.assertEqual(tool.known_of({"status": "infeasible"}), "none")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
