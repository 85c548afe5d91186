"""Fits the guard for other languages: python3 packages/lab/training/fit_languages.py FOLDER ENGLISH-WEIGHTS.json WEIGHTS.json

FOLDER holds languages-fold-0.npz, languages-fold-1.npz and languages-final.npz (train_languages.py --fold 0, --fold 1,
and neither): what models say about texts that they have not seen. A language is judged where the shipped model catches
enough of the suite (packages/lab/bench/languages.jsonl, never trained on) at the bar that a stated share of everyday texts of unseen
sources reaches. Its shift for each language puts that bar at the one of the English guard; where there is no such text,
the mean of the other languages' bars stands in.
Beside it stands what models without them catch of whole sets, whose posts are harder, and how many harmless posts of
these sets, which are collected to look like hate, they flag.
"""

import json
import os
import sys

import numpy as np

from fit import HARMFUL_SHARE, fit, heads_of
from model import HEADS

# At balanced.
FALSE_ALARM_RATE = 0.03
FURTHEST_BELOW = 0.3
LEAST = {"recall": 0.55, "harmful": 500, "everyday": 500, "shipped": 300}
FOLDS = ["fold-0", "fold-1"]


def load(folder, names):
    """Rows of several models, each with its own: their scores have bars of their own."""
    found = []
    for name in names:
        part = np.load(os.path.join(folder, f"languages-{name}.npz"))
        found.append(([json.loads(line) | {"model": name} for line in part["about"]], part["logits"].astype(float)))
    about = [item for items, _ in found for item in items]
    return about, np.concatenate([logits for _, logits in found])


def logit(chance):
    return np.log(chance / (1 - chance))


def fit_head(about, logits, head):
    rows = np.array([n for n, item in enumerate(about) if head in item["heads"] and "wrapper" not in item and item["heads"][head] != 0.5 and item["source"] != "suite"])
    labels = np.array([about[n]["heads"][head] for n in rows])
    weights = np.where(labels == 1, HARMFUL_SHARE / max(1, (labels == 1).sum()), (1 - HARMFUL_SHARE) / max(1, (labels == 0).sum()))
    return fit({f"own.{head}": logits[rows, HEADS.index(head)]}, labels, weights)


def rows_of(about, lang, label, everyday, suite=False, model=None):
    wanted = lambda item: item["lang"] == lang and item["heads"].get("content") == label and "wrapper" not in item and (item["source"] == "suite") == suite
    return [n for n, item in enumerate(about) if wanted(item) and (suite or bool(item.get("kind")) == everyday) and model in (None, item["model"])]


def measure_sets(lang, about, score):
    """By each fold's model that was shown no harm of some set, at the bar of that model."""
    caught, harmful, everyday, lookalikes = [], 0, 0, []
    for model in FOLDS:
        of = lambda label, kind: rows_of(about, lang, label, kind, model=model)
        harmless, near, harm = of(0, True), of(0, False), of(1, False) + of(1, True)
        if len(harmless) < LEAST["everyday"] or not harm:
            continue
        bar = np.quantile(score[harmless], 1 - FALSE_ALARM_RATE)
        caught += [score[n] > bar for n in harm]
        lookalikes += [score[n] > bar for n in near]
        harmful, everyday = harmful + len(harm), everyday + len(harmless)
    if harmful < LEAST["harmful"]:
        return None
    return {"recall": share(caught), "harmful": harmful, "everyday": everyday, "lookalikes": share(lookalikes)}


def share(found):
    return round(float(np.mean(found)), 3) if len(found) else None


def main():
    folder, english, out = sys.argv[1:4]
    about, logits = load(folder, FOLDS)
    bar = logit(json.load(open(english, encoding="utf-8"))["moderation"]["threshold"])
    terms = {}
    for name, head in (("text", "content"), ("image", "image"), ("text+image", "pair"), ("exchange", "reply")):
        known = any(head in item["heads"] for item in about)
        fitted = fit_head(about, logits, head if known else "content")
        terms[name] = {"alone": {**heads_of(fitted, "own"), "heads": {head: round(float(next(value for key, value in fitted.items() if key != "intercept")), 4)}}, "contested": [0, 0]}
    content = terms["text"]["alone"]
    scored = lambda said: content["heads"]["content"] * said[:, HEADS.index("content")] + content["intercept"]
    score = scored(logits)
    unseen, said = load(folder, ["final"])
    shipped = scored(said)
    suite = sorted({item["lang"] for item in unseen if item["source"] == "suite"})
    everyday = {lang: rows_of(unseen, lang, 0, True) for lang in suite}
    bars = {lang: np.quantile(shipped[rows], 1 - FALSE_ALARM_RATE) for lang, rows in everyday.items() if len(rows) >= LEAST["shipped"]}
    usual = np.mean(list(bars.values()))
    languages, others = {}, {}
    for lang in suite:
        # A few hundred texts of few sources do not allow a bar far below that of English.
        own = max(bars.get(lang, usual), bar - FURTHEST_BELOW)
        harm, harmless = (rows_of(unseen, lang, label, False, suite=True) for label in (1, 0))
        found = {
            "shift": round(float(bar - own), 3),
            "suite": {"recall": share(shipped[harm] > own), "lookalikes": share(shipped[harmless] > own), "harmful": len(harm)},
            "everyday": len(everyday[lang]),
            "sets": measure_sets(lang, about, score),
        }
        print(lang, json.dumps(found))
        (languages if found["suite"]["recall"] >= LEAST["recall"] else others)[lang] = found
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"version": 3, "falseAlarms": FALSE_ALARM_RATE, "terms": terms, "languages": languages, "undecided": others}, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
