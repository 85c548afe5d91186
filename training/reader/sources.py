"""The labelled sets that may be trained on, and the one that is only measured with, as pairs of claim and passage."""

import gzip
import json
import os
import re

from prose import split_sentences
from series import NEITHER, REFUTES, SUPPORTS
from tables import Table, fold_of, read_infotabs, read_tabfact

SETS = ("c_tabfact_test", "c_infotabs_alpha", "c_contract_nli", "c_summedits")
LABELS = {"entailed": SUPPORTS, "refuted": REFUTES, "neutral": NEITHER, "entailment": SUPPORTS, "contradiction": REFUTES, "notmentioned": NEITHER, "consistent": SUPPORTS}


def read_set(folder, name):
    with open(os.path.join(folder, "dev", f"{name}.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tabfact(folder):
    """(table, fold, its rows) for each table."""
    grouped = {}
    for row in read_set(folder, "c_tabfact_test"):
        grouped.setdefault(row["doc"], []).append(row)
    return [(read_tabfact(os.path.join(folder, doc), rows[0]["caption"]), fold_of(doc), rows) for doc, rows in grouped.items()]


def infotabs(folder):
    grouped = {}
    for row in read_set(folder, "c_infotabs_alpha"):
        grouped.setdefault(row["doc"], []).append(row)
    return [(read_infotabs(os.path.join(folder, doc)), fold_of(doc), rows) for doc, rows in grouped.items()]


def contracts(folder):
    """(spans, fold, rows) for each contract."""
    found = json.load(open(os.path.join(folder, "files/contract-nli/dataset/dev.json"), encoding="utf-8"))
    by_id = {str(document["id"]): document for document in found["documents"]}
    grouped = {}
    for row in read_set(folder, "c_contract_nli"):
        grouped.setdefault(row["doc"], []).append(row)
    for doc, rows in grouped.items():
        document = by_id[doc.split("#")[1]]
        spans = [re.sub(r"\s+", " ", document["text"][start:end]).strip() for start, end in document["spans"]]
        yield spans, fold_of(doc), rows


def summaries(folder):
    grouped = {}
    for row in read_set(folder, "c_summedits"):
        grouped.setdefault(row["doc_text"], []).append(row)
    for text, rows in grouped.items():
        lines = [sentence for line in text.split("\n") for sentence in split_sentences(line)]
        yield lines, fold_of(text[:200].replace("/", " ")), rows


def summary_label(row):
    """What was only added is neither; what was changed is refuted."""
    if row["label"] == "consistent":
        return SUPPORTS
    kinds = " ".join(row.get("edit_types") or []).lower() if isinstance(row.get("edit_types"), list) else str(row.get("edit_types")).lower()
    return NEITHER if "hallucinated" in kinds and not re.search(r"negation|antonym|entity", kinds) else REFUTES


def documents(folder):
    """All texts of the sets, for counting word pieces."""
    for table, _, _ in [*tabfact(folder), *infotabs(folder)]:
        yield " ".join([table.caption, *table.header, *(cell for row in table.rows for cell in row)])
    for spans, _, _ in contracts(folder):
        yield " ".join(spans)
    for lines, _, _ in summaries(folder):
        yield " ".join(lines)


def findver(folder):
    """(row, contexts of its document): measured with, never trained on."""
    for row in read_set(folder, "c_findver_testmini"):
        with gzip.open(os.path.join(folder, row["doc"]), "rt", encoding="utf-8") as file:
            yield row, json.load(file)["context"]


def context_passage(text):
    """A table where the text is mostly lines in pipes, otherwise its sentences."""
    lines = [line for line in text.split("\n") if line.strip()]
    piped = [line for line in lines if line.startswith("|")]
    if len(piped) < 3:
        return [sentence for line in lines for sentence in split_sentences(line)]
    rows = []
    for line in piped:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        joined = []
        for cell in cells:
            if cell in (")", "%", ")%") and joined:
                joined[-1] += cell
            elif cell not in ("$", "€", "£"):
                joined.append(cell)
        rows.append(joined)
    width = max(map(len, rows))
    head = next((n for n, row in enumerate(rows) if len(row) > 1 and not re.search(r"20\d\d|19\d\d", row[0]) and any(re.match(r"^\(?[\d,.]+", cell) and not re.match(r"^(19|20)\d\d$", cell) for cell in row[1:])), 1)
    header = [""] * width
    for row in rows[:head]:
        for at, cell in enumerate(row):
            place = width - len(row) + at if len(row) < width else at
            header[place] = f"{header[place]} {cell}".strip()
    body = [row if len(row) == width or len(row) == 1 else [row[0], *[""] * (width - len(row)), *row[1:]] for row in rows[head:]]
    caption = " ".join(line for line in lines if not line.startswith("|"))[-300:]
    return Table(caption, header, body, "records")
