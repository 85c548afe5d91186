"""Fewer word pieces: python3 training/reader/vocabulary.py BASE/tokenizer.json OUT-FOLDER [--pieces 16000]

Keeps the pieces that claims, tables and everyday English use most, and every letter and mark, so that a word whose
piece is gone falls into smaller ones and never becomes [UNK]. Writes tokenizer.json and kept.npy: of each new piece its
number in the base's vocabulary.
"""

import argparse
import gzip
import json
import os

import numpy as np
from tokenizers import Tokenizer

from sources import SETS, documents, read_set


def everyday(folder, most):
    with gzip.open(os.path.join(folder, "train/benign-texts.jsonl.gz"), "rt", encoding="utf-8") as lines:
        found = (row["text"][:1500] for row in map(json.loads, lines) if row["lang"] == "en" and not row["kind"].startswith(("code", "commit")))
        yield from (text for _, text in zip(range(most), found))


def claims_and_documents(folder):
    for name in SETS:
        for row in read_set(folder, name):
            yield row["claim"]
    yield from documents(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("out")
    parser.add_argument("--reports", default="")
    parser.add_argument("--pieces", type=int, default=16_000)
    args = parser.parse_args()
    folder = os.environ["AGON_DATASETS"]
    tokenizer = Tokenizer.from_file(args.base)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    counts = np.zeros(tokenizer.get_vocab_size())
    for texts, weight in ((claims_and_documents(folder), 4), (everyday(folder, 60_000), 1), (open(args.reports) if args.reports else [], 0.2)):
        batch = list(texts)
        for at in range(0, len(batch), 20_000):
            for encoding in tokenizer.encode_batch_fast(batch[at : at + 20_000], add_special_tokens=False):
                np.add.at(counts, encoding.ids, weight)
    described = json.load(open(args.base, encoding="utf-8"))
    pieces = sorted(described["model"]["vocab"].items(), key=lambda item: item[1])
    always = {n for piece, n in pieces if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]") or (len(piece.removeprefix("##")) == 1 and ord(piece[-1]) < 0x2E80)}
    always |= {n for piece, n in pieces if piece.removeprefix("##").isascii() and piece.removeprefix("##").isdigit() and len(piece.removeprefix("##")) < 3}
    # The base's own order is by frequency: it decides between pieces that occur equally often.
    order = sorted((n for _, n in pieces if n not in always), key=lambda n: (-counts[n], n))
    kept = np.array(sorted([*always, *order[: args.pieces - len(always)]]))
    described["model"]["vocab"] = {pieces[n][0]: at for at, n in enumerate(kept.tolist())}
    for token in described["added_tokens"]:
        token["id"] = described["model"]["vocab"][token["content"]]
    marks = described["post_processor"]
    if marks and "special_tokens" in marks:
        for name, mark in marks["special_tokens"].items():
            mark["ids"] = [described["model"]["vocab"][name]]
    described["truncation"] = described["padding"] = None
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump(described, file, ensure_ascii=False, separators=(",", ":"))
    np.save(os.path.join(args.out, "kept.npy"), kept.astype(np.int32))
    print(f"{len(kept)} pieces cover {counts[kept].sum() / counts.sum():.4f} of what is read; {len(always)} are kept in any case")


if __name__ == "__main__":
    main()
