"""Turns pairs into tokens: python3 training/reader/pack.py TOKENIZER.json REPORTS.jsonl OUT.npz  (AGON_DATASETS names the data)

Tokens, features, lengths, labels, folds and weights as arrays, row after row; of rows that are measured also what they
are. Rows of one table stand together, which compresses well.
"""

import argparse
import json
import multiprocessing
import os

import numpy as np
from tokenizers import Tokenizer

import pairs
from sequence import FEATURES, PreparedTable, prose_sequence, table_sequence


def parts(folder, reports):
    """What is made side by side: a name, and how to make its pairs."""
    for n in range(2):
        yield f"prose {n}", lambda random, n=n: pairs.made_of_prose(folder, random, 4, (n, 2))
    yield "labelled", lambda random: pairs.labelled(folder, random)
    yield "made of labelled", lambda random: pairs.made_of_labelled(folder, random)
    yield "findver", lambda random: pairs.measured_only(folder)
    for n in range(2):
        yield f"reports {n}", lambda random, n=n: pairs.made_of_reports(reports, random, (n, 2))
        yield f"inventions {n}", lambda random: pairs.made_of_inventions(random, 850)


class Encoder:
    def __init__(self, path):
        self.tokenizer = Tokenizer.from_file(path)
        self.marks = tuple(self.tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
        self.known, self.tables, self.sentences = {}, {}, {}

    def ids(self, text):
        if text not in self.known:
            self.known[text] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return self.known[text]

    def sentence(self, text):
        if text not in self.sentences:
            if len(self.sentences) > 20_000:
                self.sentences.clear()
            self.sentences[text] = self.tokenizer.encode(text[:1500], add_special_tokens=False)
        return self.sentences[text]

    def sequence(self, claim, passage):
        encoding = self.tokenizer.encode(claim, add_special_tokens=False)
        if isinstance(passage, list):
            return prose_sequence(claim, encoding, passage, [self.sentence(text) for text in passage], self.marks)
        if id(passage) not in self.tables:
            if len(self.tables) > 50:
                self.tables.clear()
            # The table is kept beside, so that its number is not given to another one.
            self.tables[id(passage)] = (PreparedTable(passage, self.ids), passage)
        return table_sequence(claim, encoding, self.tables[id(passage)][0], self.marks)


def encode_part(job):
    number, tokenizer, folder, reports = job
    name, make = list(parts(folder, reports))[number]
    encoder, rows = Encoder(tokenizer), []
    for claim, passage, label, about in make(np.random.default_rng(100 + number)):
        ids, features, begin = encoder.sequence(claim, passage)
        rows.append((np.array(ids, dtype=np.uint16), np.array(features, dtype=np.uint8), begin, label, about, claim))
    print(f"{name}: {len(rows)} pairs, {np.mean([len(row[0]) for row in rows]):.0f} tokens each", flush=True)
    return rows


def write(rows, out):
    sources, kinds = (sorted({row[4][name] for row in rows}) for name in ("source", "kind"))
    features = np.concatenate([row[1] for row in rows])
    measured = [n for n, row in enumerate(rows) if row[4]["key"]]
    np.savez_compressed(
        out,
        ids=np.concatenate([row[0] for row in rows]),
        **{name: np.ascontiguousarray(features[:, at]) for at, name in enumerate(FEATURES)},
        lengths=np.array([len(row[0]) for row in rows], dtype=np.uint16),
        starts=np.array([row[2] for row in rows], dtype=np.uint16),
        labels=np.array([row[3] for row in rows], dtype=np.uint8),
        weights=np.array([row[4]["weight"] for row in rows], dtype=np.float16),
        fold=np.array([row[4]["fold"] for row in rows], dtype=np.int8),
        source=np.array([sources.index(row[4]["source"]) for row in rows], dtype=np.uint8),
        kind=np.array([kinds.index(row[4]["kind"]) for row in rows], dtype=np.uint8),
        names=np.array(json.dumps({"source": sources, "kind": kinds})),
        measured=np.array(measured, dtype=np.uint32),
        about=np.array([json.dumps({**rows[n][4], "label": rows[n][3]}, ensure_ascii=False) for n in measured]),
    )
    total = sum(len(row[0]) for row in rows)
    print(f"{len(rows)} pairs, {total / 1e6:.1f} M tokens, {len(measured)} measured; {os.path.getsize(out) / 1e6:.1f} MB")
    for source in sources:
        some = [row for row in rows if row[4]["source"] == source]
        print(f"  {source:20} {len(some):7} labels {np.bincount([row[3] for row in some], minlength=3).tolist()} tokens {np.mean([len(row[0]) for row in some]):.0f}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("tokenizer", "reports", "out"):
        parser.add_argument(name)
    args = parser.parse_args()
    folder = os.environ["AGON_DATASETS"]
    jobs = [(n, args.tokenizer, folder, args.reports) for n in range(len(list(parts(folder, args.reports))))]
    with multiprocessing.Pool(2) as pool:
        rows = [row for some in pool.map(encode_part, jobs, chunksize=1) for row in some]
    write(rows, args.out)


if __name__ == "__main__":
    main()
