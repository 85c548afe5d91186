"""Fits what names a clause: python3 packages/lab/training/fit_naming.py models/guard-2 [--measure]  (AGON_DATASETS names the folder of the data)

A logistic regression over the guard's embeddings: which clause of the default policy a harmful text breaks. It learns
from the policy's own violations and the unsafe seed precedents, and, by less weight, from our contrast sets and the
topics of public collections (clause-topics.yaml).
Writes clauses.bin: for each clause its key, 384 weights and an offset, scaled so that they add to a resemblance. With
--measure it also prints, which takes long, how many violations, seeds and texts of our own are named right by what was
fitted without them, and by resemblance alone.
"""

import collections
import gzip
import hashlib
import json
import os
import sys

import numpy as np
import onnxruntime
import yaml
from sklearn.linear_model import LogisticRegression
from tokenizers import Tokenizer

from prepare import allowed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
DATASETS = os.environ["AGON_DATASETS"]
KEY, DIMENSIONS = 16, 384
WEIGHTS = {"text": 1.0, "violation": 1.0, "seed": 1.0, "written": 0.2, "public": 0.05}
PER_SOURCE = 120
# How much of a score is added to a resemblance.
SCALE = 0.2


def embedder(folder):
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.enable_truncation(96)
    session = onnxruntime.InferenceSession(os.path.join(folder, "first.onnx"))

    def embed(text):
        ids = np.array([tokenizer.encode(text).ids])
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "response_mask": np.zeros_like(ids)}
        return session.run(["embedding"], inputs)[0][0]

    return embed


def shelf_mean(folder):
    """What all embeddings have in common, as packages/models/src/reasoners/embedded/kept-embeddings.ts computes it."""
    raw = np.fromfile(os.path.join(folder, "shelf.bin"), np.int8).reshape(-1, KEY + DIMENSIONS)[:, KEY:].astype(np.float64)
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).mean(0)


def words_of(example):
    if isinstance(example, str):
        return example
    return "\n".join(part for part in (example.get("text"), example.get("image_description")) if part)


def read_examples():
    """(clause, kind, text) of everything that is learnt from."""
    with open(os.path.join(ROOT, "policies", "default.yaml")) as file:
        clauses = [clause for category in yaml.safe_load(file)["categories"] for clause in category["clauses"]]
    rows = [(clause["id"], "text", clause["text"]) for clause in clauses]
    rows += [(clause["id"], "violation", words_of(example)) for clause in clauses for example in clause["violations"]]
    with open(os.path.join(ROOT, "precedents", "seed.jsonl")) as file:
        rows += [(seed["clause"], "seed", words_of(seed)) for seed in map(json.loads, file) if seed["label"] == "unsafe"]
    with open(os.path.join(HERE, "clause-topics.yaml")) as file:
        topics = yaml.safe_load(file)
    clause_of = {(source, name): clause for clause, sources in topics.items() for source, names in sources.items() for name in names or [None]}
    with open(os.path.join(HERE, "contrast", "texts.jsonl")) as file:
        written = [row for row in map(json.loads, file) if row["label"] == 1 and ("our own", row["kind"]) in clause_of]
    rows += [(clause_of["our own", row["kind"]], "written", row["text"]) for row in written]
    return clauses, rows + list(read_topics(clause_of))


def read_topics(clause_of):
    found = collections.defaultdict(list)
    for name in ("pool", "harm-texts"):
        with gzip.open(os.path.join(DATASETS, "train", f"{name}.jsonl.gz"), "rt") as file:
            for row in map(json.loads, file):
                clause = clause_of.get((row["source"], row.get("category")))
                if clause and row["label"] == 1 and row.get("lang", "en") == "en" and allowed(row) == -1:
                    found[clause, row["source"]].append(row["text"])
    for (clause, _), texts in sorted(found.items()):
        texts.sort(key=lambda text: hashlib.sha256(text.encode()).digest())
        yield from ((clause, "public", text[:600]) for text in texts[:PER_SOURCE])


def fit(vectors, owners, weights, count):
    """Weights and offsets by clause. A clause with many examples counts more than one with few, but not as often more."""
    shares = weights / np.sqrt(np.bincount(owners, weights, count))[owners]
    model = LogisticRegression(C=3, max_iter=300).fit(vectors, owners, sample_weight=5 * shares)
    return SCALE * model.coef_, SCALE * model.intercept_


def resemblances(vectors, owners, asked, count):
    alike = asked @ vectors.T
    return np.array([np.sort(alike[:, owners == k], axis=1)[:, -3:].mean(1) for k in range(count)]).T


def measure(vectors, owners, kinds, weights, count):
    random = np.random.default_rng(0)
    for kind in ("violation", "seed", "written"):
        chosen = np.flatnonzero(kinds == kind)
        folds = random.integers(10, size=len(chosen))
        right = np.zeros(2, int)
        for fold in range(10):
            held = chosen[folds == fold]
            rest = np.setdiff1d(np.arange(len(owners)), held)
            own = rest[np.isin(kinds[rest], ["text", "violation", "seed"])]
            alike = resemblances(vectors[own], owners[own], vectors[held], count)
            directions, offsets = fit(vectors[rest], owners[rest], weights[rest], count)
            for n, score in enumerate((alike, alike + vectors[held] @ directions.T + offsets)):
                right[n] += (score.argmax(1) == owners[held]).sum()
        print(f"{kind}: {right[0]} of {len(chosen)} by resemblance, {right[1]} with what is fitted", flush=True)


def main():
    folder = sys.argv[1]
    clauses, rows = read_examples()
    embed, mean = embedder(folder), shelf_mean(folder)
    vectors = np.array([embed(text) for _, _, text in rows])
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) - mean
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = [clause["id"] for clause in clauses]
    owners = np.array([ids.index(clause) for clause, _, _ in rows])
    kinds = np.array([kind for _, kind, _ in rows])
    weights = np.array([WEIGHTS[kind] for kind in kinds])
    print(collections.Counter(kinds.tolist()), flush=True)
    if "--measure" in sys.argv:
        measure(vectors, owners, kinds, weights, len(ids))
    directions, offsets = fit(vectors, owners, weights, len(ids))
    with open(os.path.join(folder, "clauses.bin"), "wb") as file:
        for clause, direction, offset in zip(clauses, directions, offsets):
            file.write(hashlib.sha256(f"{clause['id']}\n{clause['text']}".encode()).digest()[:KEY])
            file.write(np.float32([*direction, offset]).tobytes())
    with open(os.path.join(folder, "clauses.bin"), "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    kept = os.path.join(folder, "kept.json")
    with open(kept) as file:
        known = json.load(file)
    known["sha256"]["clauses.bin"] = f"sha256:{digest}"
    with open(kept, "w") as file:
        file.write(json.dumps(known, indent=2) + "\n")


if __name__ == "__main__":
    main()
