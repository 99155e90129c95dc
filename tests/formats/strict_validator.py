#!/usr/bin/env python3
"""Checks files for solvers to the letter of their formats.

    strict_validator.py FILE ...       plain, .gz or .xz; prints a line for each file, and the first thing that is wrong

What a file is goes by its name and by its first lines:
  .wcnf             the format of the MaxSAT Evaluation since 2022, or, with a p line, the classic one before it
  .cnf              DIMACS
  .opb              the format of the pseudo-Boolean competitions (linear, hard constraints)

It is stricter than readers have to be: everything that some solver of the evaluations was ever seen to stumble over is
refused. ASCII only; one blank between words; no blank at either end of a line, no empty line, \\n at the end of each.
"""

import gzip
import lzma
import re
import sys

MOST_VARIABLES = 2**31 - 1
LARGEST_WEIGHT = 2**63 - 1
NUMBER = re.compile(r"0|[1-9][0-9]*")
SIGNED = re.compile(r"[+-]?(0|[1-9][0-9]*)")
LITERAL = re.compile(r"-?[1-9][0-9]*")
VARIABLE = re.compile(r"~?x[1-9][0-9]*")


class Wrong(Exception):
    """What is wrong with the line that is being looked at."""


def expect(condition, message):
    if not condition:
        raise Wrong(message)


def lines_of(path):
    opener = gzip.open if path.endswith(".gz") else lzma.open if path.endswith(".xz") else open
    with opener(path, "rb") as file:
        for number, line in enumerate(file, 1):
            yield number, line


def text_of(line):
    """The line without its end, which is looked at."""
    expect(line.endswith(b"\n"), "the last line does not end")
    expect(all(32 <= c < 127 for c in line[:-1]), "a character that is not printable ASCII")
    return line[:-1].decode("ascii")


def words_of(text):
    words = text.split(" ")
    expect(all(words), "an empty line, or more than one blank between words or at an end")
    return words


class Clauses:
    """WCNF of both kinds and CNF."""

    def __init__(self, plain_cnf):
        self.plain_cnf = plain_cnf
        self.header = None  # words of the p line
        self.clauses = 0
        self.soft_sum = 0
        self.variables = 0

    def line(self, text):
        if text.startswith("c"):
            expect(text == "c" or text.startswith("c "), "a comment is 'c', a blank and text")
            return
        words = words_of(text)
        if words[0] == "p":
            self.head(words)
        else:
            self.clause(words)

    def head(self, words):
        expect(self.header is None, "a second p line")
        expect(self.clauses == 0, "a p line behind clauses")
        kind = "cnf" if self.plain_cnf else "wcnf"
        expect(len(words) == (4 if self.plain_cnf else 5) and words[1] == kind, f"expected 'p {kind}' and its numbers")
        expect(all(NUMBER.fullmatch(word) for word in words[2:]), "expected whole numbers")
        expect(int(words[2]) <= MOST_VARIABLES, "too many variables")
        if not self.plain_cnf:
            expect(1 <= int(words[4]) <= LARGEST_WEIGHT, "a top out of range")
        self.header = words

    def clause(self, words):
        self.clauses += 1
        if self.plain_cnf:
            expect(self.header is not None, "a clause before the p line")
            literals = words
        else:
            self.weight(words[0])
            literals = words[1:]
        expect(literals and literals[-1] == "0", "a clause ends with 0 on its line")
        literals = literals[:-1]
        expect(all(LITERAL.fullmatch(word) for word in literals), "a literal is a number that is not 0")
        expect(len(set(literals)) == len(literals), "a literal twice in a clause")
        for word in literals:
            variable = abs(int(word))
            self.variables = max(self.variables, variable)
            expect(variable <= MOST_VARIABLES, "a variable beyond 2^31 - 1")
            expect(self.header is None or variable <= int(self.header[2]), "a variable beyond the announced ones")

    def weight(self, word):
        if self.header is None:
            if word == "h":
                return
            expect(NUMBER.fullmatch(word), "a clause begins with h or a weight")
        else:
            expect(NUMBER.fullmatch(word), "a clause begins with a weight")
            expect(int(word) <= int(self.header[4]), "a weight above the top")
            if int(word) == int(self.header[4]):
                return
        expect(1 <= int(word) <= LARGEST_WEIGHT, "a weight out of range")
        self.soft_sum += int(word)
        expect(self.soft_sum < 2**64 - 1, "weights that sum up to 2^64 - 1 or more")

    def end(self):
        expect(self.header is not None or not self.plain_cnf, "no p line")
        if self.header is not None:
            expect(self.clauses == int(self.header[3]), f"{self.clauses} clauses, {self.header[3]} announced")
            if not self.plain_cnf:
                expect(self.soft_sum < int(self.header[4]), "the top is not above the sum of the soft weights")
        expect(self.clauses > 0 or self.header is not None, "nothing in the file")


class Opb:
    """Linear pseudo-Boolean problems."""

    HEAD = re.compile(
        r"\* #variable= (\d+) #constraint= (\d+)(?: (?:\* )?#equal= (\d+) intsize= (\d+))?"
    )

    def __init__(self):
        self.head = None
        self.objective = False
        self.constraints = self.equations = self.largest = self.variables = 0

    def line(self, text):
        if self.head is None:
            self.head = self.HEAD.fullmatch(text)
            expect(self.head, "the first line is '* #variable= N #constraint= M', perhaps with #equal= and intsize=")
            return
        if text.startswith("*"):
            return
        words = words_of(text)
        expect(words[-1] == ";", "a statement is a line that ends with ;")
        words = words[:-1]
        if words and words[0] == "min:":
            expect(not self.objective and self.constraints == 0, "min: once, before all constraints")
            self.objective = True
            self.terms(words[1:], 0)
            return
        self.constraints += 1
        expect(len(words) >= 2 and words[-2] in (">=", "="), "a constraint is terms, >= or =, and a number")
        expect(SIGNED.fullmatch(words[-1]), "the right side is a whole number")
        self.equations += words[-2] == "="
        self.terms(words[:-2], abs(int(words[-1])))

    def terms(self, words, bound):
        expect(len(words) % 2 == 0, "terms are pairs of a coefficient and a variable")
        total = 0
        seen = set()
        for coefficient, variable in zip(words[::2], words[1::2]):
            expect(SIGNED.fullmatch(coefficient) and coefficient[0] in "+-", "a coefficient is a number with a sign")
            expect(VARIABLE.fullmatch(variable), "a variable is x and its number")
            number = int(variable.lstrip("~x"))
            expect(number not in seen, "a variable twice in a line")
            seen.add(number)
            self.variables = max(self.variables, number)
            expect(number <= int(self.head[1]), "a variable beyond the announced ones")
            total += abs(int(coefficient))
        self.largest = max(self.largest, total, bound)

    def end(self):
        expect(self.head is not None, "nothing in the file")
        expect(self.constraints == int(self.head[2]), f"{self.constraints} constraints, {self.head[2]} announced")
        if self.head[3] is not None:
            expect(self.equations == int(self.head[3]), f"{self.equations} equations, {self.head[3]} announced")
            bits = self.largest.bit_length()
            expect(bits == int(self.head[4]), f"sums of {bits} bits, {self.head[4]} announced")


def check(path):
    """What is wrong with the file, or None."""
    name = path[:-3] if path.endswith((".gz", ".xz")) else path
    if name.endswith(".opb"):
        form = Opb()
    elif name.endswith((".wcnf", ".cnf")):
        form = Clauses(name.endswith(".cnf"))
    else:
        return "no .wcnf, .cnf or .opb file"
    number = 0
    try:
        for number, line in lines_of(path):
            form.line(text_of(line))
        number += 1
        form.end()
    except Wrong as wrong:
        return f"line {number}: {wrong}"
    except (OSError, EOFError, lzma.LZMAError) as error:
        return f"cannot be read: {error}"
    return None


def main(arguments):
    if not arguments:
        print(__doc__)
        return 1
    failures = 0
    for path in arguments:
        wrong = check(path)
        print(f"{path}: {wrong or 'valid'}")
        failures += wrong is not None
    return 2 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
