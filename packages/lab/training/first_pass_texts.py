"""Short texts for the model that glances: python3 packages/lab/training/first_pass_texts.py OUT.jsonl.gz

AGON_DATASETS names the folder of the data. Needs no labels: the guard's first mind says what each text is worth
(first_pass.py). Each row is a text, its source and what it is for: `train`, `fit` (whole sources that are kept back, to
choose from which score on a glance is sure), `measure` (the development halves and the seeds, which nothing is trained
or chosen on), or our own contrast set in two halves (`even`, `odd`): the guard has learnt it, so the glance must too,
and what it does with a half that it has not seen tells how far that carries.
"""

import gzip
import hashlib
import json
import os
import re
import sys

import numpy as np

sys.argv.insert(1, os.devnull)  # prepare.py reads its own arguments.
from prepare import HERE, SEPARATOR, allowed, lines, none, read, shingles  # noqa: E402
import wrap  # noqa: E402

LONGEST, SHORTEST = 320, 2
KEPT_BACK = 5
SENTENCE = re.compile(r"(?<=[.!?])\s+")


def rows():
    for item in read("train/benign-texts.jsonl.gz"):
        if item["lang"] == "en" and allowed(item) == -1:
            yield item["text"], item["source"], 0
    for item in read("train/harm-texts.jsonl.gz"):
        if item["lang"] == "en":
            yield item["text"], item["source"], int(item["label"] == 1)
    for item in read("train/pool.jsonl.gz"):
        if (item.get("lang") or "en") == "en":
            for part in item["text"].split(SEPARATOR):
                yield part, item["source"], int(item["label"] in (1, "1", "unsafe", True))
    for name in ("benign-exchanges", "refusals", "harm-exchanges"):
        for item in read(f"train/{name}.jsonl.gz"):
            if item["lang"] == "en" and (name == "harm-exchanges" or allowed(item) == -1):
                yield item["prompt"] or "", item["source"], 0
                yield item["response"][:1200], item["source"], 0
    for item in read("train/image-descriptions.jsonl.gz"):
        if item["lang"] == "en" and allowed(item) == -1:
            yield item["text"], item["source"], 0
    for item in read("train/parallel.jsonl.gz"):
        if allowed(item) == -1:
            yield item["en"], f"parallel {item['source']}", 0


def measured():
    for name in ("a_air_text", "a_openai_mod", "a_xstest_prompts", "a_hatecheck", "a_toxicchat_test"):
        for item in read(f"dev/{name}.jsonl"):
            yield item["text"], name
    for name in ("b_beavertails_test", "b_diasafety_test"):
        for item in read(f"dev/{name}.jsonl"):
            yield item["prompt"], f"{name} prompts"
            yield item["response"], f"{name} responses"
    for item in lines(os.path.join(HERE, "..", "precedents", "seed.jsonl")):
        if none(item.get("text")) and not none(item.get("image_description")):
            yield item["text"], "seeds"


def contrast():
    for item in lines(os.path.join(HERE, "contrast", "texts.jsonl")):
        if item["kind"] not in ("image", "pair"):
            half = int(hashlib.sha256(item["text"].encode()).hexdigest(), 16) % 2
            yield item["text"], f"contrast {item['kind']} {item['label']}", ("even", "odd")[half]


def pieces(text):
    """A text that is short; of a longer one its sentences, alone and in twos."""
    text = text.strip()
    if len(text) <= LONGEST:
        return [text]
    found = SENTENCE.split(text[:1500])
    return [part for part in (*found[:4], " ".join(found[1:3])) if len(part) <= LONGEST]


def keep_back(source):
    return int(hashlib.sha256(source.encode()).hexdigest(), 16) % KEPT_BACK == 0


def main():
    random = np.random.default_rng(25)
    out = sys.argv[2]
    tests = [(piece, source, "measure") for text, source in measured() for piece in pieces(text) if len(piece) >= SHORTEST]
    tests += [(piece, source, half) for text, source, half in contrast() for piece in pieces(text)]
    known = {text.lower() for text, _, _ in tests}
    grams = set().union(*(shingles(text) for text, _, _ in tests))
    seen, kept, harmful, harmless = set(), [], [], []
    for text, source, label in rows():
        for piece in pieces(text or ""):
            low = piece.lower()
            if len(piece) < SHORTEST or low in seen or low in known or shingles(piece) & grams:
                continue
            seen.add(low)
            split = "fit" if keep_back(source) else "train"
            kept.append((piece, source, split))
            if split == "train" and len(piece) < 160:
                (harmful if label else harmless).append((piece, source))
    # Harm among harmless words, in wrappers, and with letters that slipped.
    for text, source in harmful:
        other = harmless[random.integers(len(harmless))][0]
        kept.append((f"{other} {text}" if random.random() < 0.5 else f"{text} {other}", source, "train"))
        kept.append((wrap.wrap(text, random, wrap.KINDS, lambda: harmless[random.integers(len(harmless))][0])[1], source, "train"))
        at = random.integers(len(text))
        kept.append((text[:at] + text[at + 1 :], source, "train"))
    for text, source in (harmless[n] for n in random.permutation(len(harmless))[: len(harmful)]):
        kept.append((wrap.wrap(text, random, wrap.KINDS, lambda: harmless[random.integers(len(harmless))][0])[1], source, "train"))
    kept = [row for row in kept if len(row[0]) <= LONGEST]
    random.shuffle(kept)
    with gzip.open(out, "wt", encoding="utf-8", compresslevel=6) as file:
        for text, source, split in [*kept, *tests]:
            file.write(json.dumps([text, source, split], ensure_ascii=False) + "\n")
    print(f"{len(kept)} texts, {sum(row[2] == 'fit' for row in kept)} kept back to fit, {len(tests)} to measure; {len(harmful)} harmful by label")


if __name__ == "__main__":
    main()
