"""Claim and passage as one sequence: tokens, and of each token where it stands in the table and what its number is.

[CLS] claim [SEP] caption header rows [SEP]. Beside each token stand eight small numbers (FEATURES): row and column;
rank of the cell's number in its column from above and from below, the same in its row; how it relates to the claim's
numbers (figures.py), or that the claim names it; and whether it is more or less than its neighbours to the left and above. Ranks and relations are
those of the whole table, even where only some of its rows fit. src/reasoners/embedded/reader does the same.
"""

import re

import numpy as np

from figures import AGGREGATE, COUNTED, DERIVED, NO_NUMBER, NOT_FOUND, SAME, UNRELATED, WORD_NOT_FOUND, find_figures, is_derived, relate
from tables import NUMBER

FEATURES = ("row", "column", "high", "low", "row_high", "row_low", "relation", "step")
SIZES = (64, 32, 8, 8, 8, 8, 12, 16)
LENGTH, LONGEST_CLAIM, LONGEST_CAPTION, LONGEST_CELL, LONGEST_FACT = 320, 110, 28, 14, 40
WORD = re.compile(r"[^\W\d_]+|\d+(?:,\d+)*(?:\.\d+)?")
STOP = set("the and for was were are has have had with that this from than its their his her they not but all any who which when what where there been more most less least number total average only other over under during into about each every did does between after before while also both same".split())


def stem(word):
    return word.replace(",", "") if word[0].isdigit() else word[:5]


def stems(text):
    return {stem(word) for word in WORD.findall(text.lower()) if (len(word) > 2 or word[0].isdigit()) and word not in STOP}


def ranks(values):
    """Of each number its place from above and from below, 1 to 7; 0 for what is no number."""
    known = sorted({value for value in values if value is not None}, reverse=True)
    if len(known) < 2:
        return [(0, 0)] * len(values)
    place = {value: n for n, value in enumerate(known)}
    return [(0, 0) if value is None else (min(place[value] + 1, 7), min(len(known) - place[value], 7)) for value in values]


def step(now, before):
    return 0 if now is None or before is None else 1 if now > before else 2 if now < before else 3


class PreparedTable:
    """A table with its tokens, stems and ranks, for many claims."""

    def __init__(self, table, encode):
        self.table = table
        longest = LONGEST_FACT if table.kind == "facts" else LONGEST_CELL
        self.caption = encode(table.caption)[:LONGEST_CAPTION]
        self.header = [encode(text)[:longest] for text in table.header]
        self.cells = [[encode(text)[:longest] for text in row] for row in table.rows]
        self.header_stems = [stems(text) for text in table.header]
        self.cell_stems = [[stems(text) for text in row] for row in table.rows]
        self.words = set().union(stems(table.caption), *self.header_stems, *(cell for row in self.cell_stems for cell in row))
        self.counts = {}
        for row in self.cell_stems:
            for word in set().union(*row):
                self.counts[word] = self.counts.get(word, 0) + 1
        numbers, width = table.numbers, len(table.header)
        columns = [ranks([row[at] for row in numbers]) for at in range(width)]
        self.places = []
        for n, row in enumerate(numbers):
            across = ranks(row[1:])
            self.places.append([
                (*columns[at][n], *(across[at - 1] if at else (0, 0)), 4 * step(row[at], row[at - 1] if at > 1 else None) + step(row[at], numbers[n - 1][at] if n else None))
                for at in range(width)
            ])


def select(prepared, wanted, figures, room):
    """The rows and columns to show: all, or those whose words and numbers the claim shares, in the table's order."""
    table = prepared.table
    columns, rows = list(range(len(table.header))), list(range(len(table.rows)))
    size = lambda: sum(len(prepared.header[at]) for at in columns) + sum(len(prepared.cells[n][at]) for n in rows for at in columns)
    if size() <= room:
        return columns, rows
    hit = [[len(cell & wanted) for cell in row] for row in prepared.cell_stems]
    score = [2 * len(prepared.header_stems[at] & wanted) + max((row[at] for row in hit), default=0) for at in columns]
    for at in sorted(columns[1:], key=lambda at: (score[at], -at)):
        if size() <= room or (score[at] > 0 and len(columns) <= 6):
            break
        columns.remove(at)
    named = [at for at in columns if at and score[at] > 1]
    value = []
    for n in rows:
        found = set().union(*prepared.cell_stems[n]) & wanted
        value.append(sum(1 / prepared.counts[word] for word in found) + (0.05 if any(1 in prepared.places[n][at][:2] for at in named) else 0))
    kept, used = [], sum(len(prepared.header[at]) for at in columns)
    for n in sorted(rows, key=lambda n: (-value[n], n)):
        length = sum(len(prepared.cells[n][at]) for at in columns)
        if used + length > room:
            break
        kept.append(n)
        used += length
    return columns, sorted(kept)


def table_figures(prepared, wanted, figures):
    """Of each number of the claim: found in the table, derived from rows that the claim names, an aggregate, or none."""
    table = prepared.table
    flat = [value for row in table.numbers for value in row if value is not None] + [float(text.replace(",", "")) for text in NUMBER.findall(" ".join([table.caption, *table.header]))]
    named = [n for n, row in enumerate(prepared.cell_stems) if any(cell and cell <= wanted for cell in row)][:6]
    found = []
    for figure in figures:
        best = relate_best(figure, flat)
        if best == NOT_FOUND and not figure.is_year:
            lines = [[value for value in table.numbers[n][1:] if value is not None][:12] for n in named]
            across = [[table.numbers[n][at] for n in named if table.numbers[n][at] is not None] for at in range(1, len(table.header))]
            if is_derived(figure, [*lines, *across]):
                best = DERIVED
            elif is_aggregate(figure, table):
                best = AGGREGATE
        if figure.is_count and figure.value in matching_rows(prepared, wanted):
            best = COUNTED
        found.append(best)
    return found


def matching_rows(prepared, wanted):
    """How many rows there are, and how many hold a text that the claim names."""
    counts = {len(prepared.table.rows)}
    for at in range(len(prepared.table.header)):
        seen = {}
        for row in prepared.cell_stems:
            key = frozenset(row[at])
            if key and key <= wanted:
                seen[key] = seen.get(key, 0) + 1
        counts.update(seen.values())
    return counts


def is_aggregate(figure, table):
    for at in range(1, len(table.header)):
        values = [row[at] for row in table.numbers if row[at] is not None]
        if len(values) > 1 and (figure.is_near(sum(values)) or figure.is_near(sum(values) / len(values)) or figure.is_near(max(values) - min(values))):
            return True
    return False


def relate_best(figure, values):
    found = [figure.match(value) for value in values]
    return SAME if SAME in found else max(found, default=NO_NUMBER) or NOT_FOUND


def claim_tokens(claim, encoding, figures, states, known):
    """Tokens of the claim with the relation of their number, or that their word occurs nowhere in the passage."""
    relation = np.zeros(len(claim) + 1, dtype=np.uint8)
    for word in WORD.finditer(claim.lower()):
        text = word[0]
        if len(text) > 3 and not text[0].isdigit() and text not in STOP and stem(text) not in known:
            relation[word.start() : word.end()] = WORD_NOT_FOUND
    for figure, state in zip(figures, states):
        relation[figure.start : figure.end] = state
    ids = encoding.ids[:LONGEST_CLAIM]
    return ids, [int(relation[start]) for start, _ in encoding.offsets[: len(ids)]]


def join(start, separator, claim, passage):
    """The sequence and where the passage begins; claim and passage are tokens with features."""
    ids, relation = claim
    width = len(FEATURES)
    features = [[0, 0, 0, 0, 0, 0, value, 0] for value in relation]
    tokens = [start, *ids, separator, *passage[0], separator]
    return tokens, [[0] * width, *features, [0] * width, *passage[1], [0] * width], len(ids) + 2


def table_sequence(claim, encoding, prepared, marks):
    wanted, figures = stems(claim), find_figures(claim)
    mine = claim_tokens(claim, encoding, figures, table_figures(prepared, wanted, figures), prepared.words)
    room = LENGTH - 3 - len(mine[0]) - len(prepared.caption)
    columns, rows = select(prepared, wanted, figures, room)
    ids, features = list(prepared.caption), [[0] * len(FEATURES) for _ in prepared.caption]
    named = lambda words: SAME if words and words <= wanted else NO_NUMBER
    for at in columns:
        ids += prepared.header[at]
        features += [[0, min(at + 1, 31), 0, 0, 0, 0, named(prepared.header_stems[at]), 0]] * len(prepared.header[at])
    for n in rows:
        for at in columns:
            value = prepared.table.numbers[n][at]
            high, low, row_high, row_low, change = prepared.places[n][at]
            relation = named(prepared.cell_stems[n][at]) if value is None else relate(value, figures) if figures else UNRELATED
            ids += prepared.cells[n][at]
            features += [[min(n + 1, 63), min(at + 1, 31), high, low, row_high, row_low, relation, change]] * len(prepared.cells[n][at])
    room = LENGTH - 3 - len(mine[0])
    return join(*marks, mine, (ids[:room], features[:room]))


def prose_sequence(claim, encoding, sentences, encodings, marks):
    """Sentences of a passage: all, or those that share most with the claim, in their order."""
    wanted, figures = stems(claim), find_figures(claim)
    own = [stems(text) for text in sentences]
    values = [[float(text.replace(",", "")) for text in NUMBER.findall(sentence)] for sentence in sentences]
    states = []
    for figure in figures:
        best = relate_best(figure, [value for some in values for value in some])
        near = [value for some, words in zip(values, own) if words & wanted for value in some][:14]
        states.append(DERIVED if best == NOT_FOUND and not figure.is_year and is_derived(figure, [near]) else best)
    mine = claim_tokens(claim, encoding, figures, states, set().union(*own))
    room = LENGTH - 3 - len(mine[0])
    counts = {}
    for words in own:
        for word in words & wanted:
            counts[word] = counts.get(word, 0) + 1
    order = sorted(range(len(sentences)), key=lambda n: (-sum(1 / counts[word] for word in own[n] & wanted), n))
    kept, used = [], 0
    for n in order:
        if used + len(encodings[n].ids) > room and kept:
            break
        kept.append(n)
        used += len(encodings[n].ids)
    ids, features = [], []
    for n in sorted(kept):
        relation = np.zeros(len(sentences[n]) + 1, dtype=np.uint8)
        for found in NUMBER.finditer(sentences[n]):
            relation[found.start() : found.end()] = relate(float(found[0].replace(",", "")), figures) if figures else UNRELATED
        ids += encodings[n].ids
        features += [[0, 0, 0, 0, 0, 0, int(relation[start]), 0] for start, _ in encodings[n].offsets]
    return join(*marks, mine, (ids[:room], features[:room]))
