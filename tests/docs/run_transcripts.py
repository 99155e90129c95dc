#!/usr/bin/env python3
"""Runs the commands that README and docs show, and compares what they print with what the page says.

A transcript is an indented block, or one fenced as ```console, whose first line begins with "$ ". Every "$ COMMAND" is run by
bash in the page's own scratch folder, in order, with models/, domains/, examples/ and tools/ of the project in it; the lines
below it are what it has to print, on either stream. A line "..." stands for any number of lines, "..." within a line for any
text. Seconds and mebibytes are not compared: "0.012 s" and "3.4 s" are the same.

What a reader need not see stands in comments of the page:

    <!-- transcript: run COMMAND -->        runs COMMAND first (to copy a file, say); it has to succeed
    <!-- transcript: needs PATH ... -->     up to the next heading, only where these files of the folder above the data of
                                            others (BNNPLAN_SHARED), or of a variable ($BNNPLAN_MNIST/FILE), exist; they are
                                            linked into the scratch folder by their name
    <!-- transcript: program NAME ... -->   up to the next heading, only where these programs are installed
    <!-- transcript: file NAME -->          the fenced block that follows is written to the file NAME

    run_transcripts.py --bnnplan PROGRAM [--update] PAGE.md ...

--update writes what the commands print into the pages instead of comparing; look at the difference before you commit it.
The last line counts: "N passed, N failed, N skipped". The exit code is 1 if anything failed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS_FOR_A_COMMAND = 300
DIRECTIVE = re.compile(r"<!-- transcript: (run|needs|program|file) (.*?) -->$")
MEASURED = re.compile(r"\b\d+(?:\.\d+)?(?:e-?\d+)? (s|ms|MiB)\b")


@dataclass
class Command:
    """One "$ COMMAND" of a page: where it stands and what is to follow."""

    text: str
    line: int  # of the "$ ", from 0
    indent: str
    expected: list[str] = field(default_factory=list)
    end: int = 0  # behind the last expected line


@dataclass
class Directive:
    kind: str
    text: str
    line: int


@dataclass
class File:
    """A block that the reader is asked to save."""

    name: str
    text: str
    line: int


@dataclass
class Heading:
    line: int


def parse(lines):
    """The commands, directives and headings of a page, in order."""
    items = []
    index = 0
    while index < len(lines):
        line = lines[index]
        if directive := DIRECTIVE.match(line.strip()):
            items.append(Directive(directive[1], directive[2], index))
        elif line.startswith("#"):
            items.append(Heading(index))
        elif line.strip() == "```console":
            end = next(i for i in range(index + 1, len(lines)) if lines[i].strip() == "```")
            items += commands_of(lines, index + 1, end, "")
            index = end
        elif line.startswith("```"):
            end = next(i for i in range(index + 1, len(lines)) if lines[i].startswith("```"))
            if items and isinstance(items[-1], Directive) and items[-1].kind == "file":
                items[-1] = File(items[-1].text, "\n".join([*lines[index + 1:end], ""]), index)
            index = end
        elif line.startswith("    $ "):
            end = index
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            items += commands_of(lines, index, end, "    ")
            index = end - 1
        index += 1
    return items


def commands_of(lines, begin, end, indent):
    commands = []
    index = begin
    while index < end:
        line = lines[index].removeprefix(indent)
        if line.startswith("$ "):
            text = line[2:]
            start = index
            while text.endswith("\\") and index + 1 < end:
                index += 1
                text = text[:-1] + lines[index].strip()
            commands.append(Command(text, start, indent))
        elif commands:
            commands[-1].expected.append(line)
        index += 1
        if commands:
            commands[-1].end = index
    return commands


def masked(line):
    return MEASURED.sub(r"# \1", line.rstrip())


def same_line(expected, actual):
    parts = [re.escape(part) for part in masked(expected).split("...")]
    return re.fullmatch(".*".join(parts), masked(actual)) is not None


def same(expected, actual):
    """Whether the lines fit, "..." standing for any number of them."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(same(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and same_line(expected[0], actual[0]) and same(expected[1:], actual[1:])


def run(command, folder, environment):
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=SECONDS_FOR_A_COMMAND)
    text = done.stdout.decode(errors="replace").rstrip("\n")
    return done.returncode, text.split("\n") if text else []


def missing(directive, shared, folder):
    """What a `needs` or `program` asks for and is not there, or None; files that are there are linked into the scratch folder."""
    for name in directive.text.split():
        if directive.kind == "program":
            if not shutil.which(name):
                return f"{name} is not installed"
        else:
            file = shared / os.path.expandvars(name)  # an absolute path, where a variable has one
            if not file.exists():
                return f"{name} is not there" if name.startswith("$") else f"{name} is not in {shared}"
            if not (folder / file.name).exists():
                (folder / file.name).symlink_to(file)
    return None


def run_page(page, program, update):
    """Runs the page's transcripts; returns how many commands passed, failed and were skipped."""
    lines = page.read_text(encoding="utf-8").split("\n")
    shared = Path(os.environ.get("BNNPLAN_SHARED", ROOT.parent / "shared")).resolve()
    passed = failed = skipped = 0
    without = None  # why commands up to the next heading are skipped
    replacements = []
    with tempfile.TemporaryDirectory(prefix="bnnplan-transcript-") as name:
        folder = Path(name)
        for part in ("models", "domains", "examples", "tools"):
            (folder / part).symlink_to(ROOT / part)
        environment = dict(os.environ, PATH=f"{program.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
                           LC_ALL="C.UTF-8", COLUMNS="120")
        for item in parse(lines):
            if isinstance(item, Heading):
                without = None
            elif isinstance(item, File):
                (folder / item.name).write_text(item.text, encoding="utf-8")
            elif isinstance(item, Directive) and item.kind == "file":
                failed += 1
                print(f"{page}:{item.line + 1}: no block follows that could be written to {item.text}")
            elif isinstance(item, Directive) and item.kind != "run":
                without = without or missing(item, shared, folder)
            elif without:
                if isinstance(item, Command):
                    skipped += 1
                    print(f"{page}:{item.line + 1}: skipped: {without}")
            else:
                command = item.text
                try:
                    status, printed = run(command, folder, environment)
                except subprocess.TimeoutExpired:
                    status, printed = -1, [f"(not done after {SECONDS_FOR_A_COMMAND} seconds)"]
                if isinstance(item, Directive):
                    if status != 0:
                        failed += 1
                        print(f"{page}:{item.line + 1}: '{command}' ended with {status}:", *printed, sep="\n  | ")
                elif same(item.expected, printed):
                    passed += 1
                elif update and status != -1:
                    replacements.append((item, printed))
                    passed += 1
                else:
                    failed += 1
                    print(f"{page}:{item.line + 1}: $ {command}", "  the page says:", sep="\n")
                    print(*(f"  - {line}" for line in item.expected), f"  it prints (exit code {status}):", sep="\n")
                    print(*(f"  + {line}" for line in printed), sep="\n")
    for command, printed in reversed(replacements):
        first = command.end - len(command.expected)
        lines[first:command.end] = [(command.indent + line).rstrip() for line in printed]
    if replacements:
        page.write_text("\n".join(lines), encoding="utf-8")
    print(f"{page}: {passed} commands as the page says, {failed} not, {skipped} skipped")
    return passed, failed, skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bnnplan", type=lambda text: Path(text).resolve(), required=True, help="the program to run")
    parser.add_argument("--update", action="store_true", help="write what is printed into the pages")
    parser.add_argument("pages", type=Path, nargs="+")
    options = parser.parse_args()
    counts = [run_page(page, options.bnnplan, options.update) for page in options.pages]
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed + skipped == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
