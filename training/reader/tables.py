"""Tables as the reader sees them: a caption, a header, rows of texts; and the numbers in their cells."""

import csv
import json
import os
import re

LEADING = re.compile(r"^([^0-9A-Za-z]*)(\d+(?:,\d+)*(?:\.\d+)?|\.\d+)")
NUMBER = re.compile(r"(?<![A-Za-z\d.,])\d+(?:,\d+)*(?:\.\d+)?")
YEAR = re.compile(r"^(1[6-9]|20)\d\d$")


def cell_number(text):
    """The number that a cell begins with, signs and brackets understood; None for words."""
    found = LEADING.match(text.strip())
    if not found:
        return None
    value = float(found[2].replace(",", "") or 0)
    return -value if re.search(r"[-−–(]", found[1]) else value


class Table:
    """`header` is a list of column names, `rows` a list of lists of texts of the same length."""

    def __init__(self, caption, header, rows, kind="records", subject="", unit=""):
        width = len(header)
        self.caption, self.header, self.kind, self.subject, self.unit = caption, list(header), kind, subject, unit
        self.rows = [list(row[:width]) + [""] * (width - len(row)) for row in rows]
        self.numbers = [[cell_number(cell) for cell in row] for row in self.rows]

    def column(self, at):
        return [row[at] for row in self.rows]

    def is_numeric(self, at):
        filled = [n for n, row in enumerate(self.rows) if row[at].strip() not in ("", "-", "n/a", "—")]
        if len(filled) < 2 or any(YEAR.match(self.rows[n][at].strip()) for n in filled):
            return False
        plain = [n for n in filled if re.match(r"^[^0-9A-Za-z]*[\d,]*\.?\d+\)?\s?(%|[A-Za-z./]{0,8})$", self.rows[n][at].strip())]
        return len(plain) == len(filled)

    def shuffled(self, random):
        """The same facts in another order of rows."""
        order = random.permutation(len(self.rows))
        return Table(self.caption, self.header, [self.rows[n] for n in order], self.kind, self.subject, self.unit)


def read_tabfact(path, caption):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in csv.reader(file, delimiter="#", quoting=csv.QUOTE_NONE) if line]
    return Table(caption, lines[0], lines[1:])


def read_infotabs(path):
    found = json.load(open(path, encoding="utf-8"))
    title = " ".join(found.get("title") or [""])
    rows = [[key, ", ".join(map(str, values))] for key, values in found.items() if key != "title"]
    return Table(title, ["", ""], rows, "facts")


def read_reports(path):
    """What list-reports.ts wrote: tables of generated reports, and their sentences."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            report = json.loads(line)
            report["tables"] = [
                Table(found["caption"], found["header"], found["rows"], "series", report["company"], found["unit"])
                for found in report["tables"]
            ]
            yield report


def fold_of(name):
    """The half of a table or document, by its name alone."""
    import hashlib

    return hashlib.sha256(os.path.basename(name).encode()).digest()[0] % 2
