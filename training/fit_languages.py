"""Fits the guard for other languages: python3 training/fit_languages.py FOLDER ENGLISH-WEIGHTS.json WEIGHTS.json

FOLDER holds languages-fold-0.npz and languages-fold-1.npz (train_languages.py --fold 0 and 1): what models say about
sources that they have not seen. A language is judged where harm of unseen sources is caught often enough at few enough
false alarms on harmless texts of unseen sources; its own shift puts the stated rate at the bar of the English guard.
"""

import json
import os
import sys

import numpy as np

from fit import HARMFUL_SHARE, fit, heads_of
from model import HEADS

# At balanced; measured on all harmless rows there are, of which some sources are hard.
FALSE_ALARM_RATE = 0.02
LEAST = {"recall": 0.5, "harmful": 60, "harmless": 100}


def load(folder):
    found = []
    for fold in (0, 1):
        part = np.load(os.path.join(folder, f"languages-fold-{fold}.npz"))
        found.append(([json.loads(line) for line in part["about"]], part["logits"].astype(float)))
    about = [item for items, _ in found for item in items]
    return about, np.concatenate([logits for _, logits in found])


def logit(chance):
    return np.log(chance / (1 - chance))


def fit_head(about, logits, head):
    rows = np.array([n for n, item in enumerate(about) if head in item["heads"] and "wrapper" not in item and item["heads"][head] != 0.5])
    labels = np.array([about[n]["heads"][head] for n in rows])
    weights = np.where(labels == 1, HARMFUL_SHARE / max(1, (labels == 1).sum()), (1 - HARMFUL_SHARE) / max(1, (labels == 0).sum()))
    return fit({f"own.{head}": logits[rows, HEADS.index(head)]}, labels, weights)


def main():
    folder, english, out = sys.argv[1:4]
    about, logits = load(folder)
    bar = logit(json.load(open(english, encoding="utf-8"))["moderation"]["threshold"])
    terms = {}
    for name, head in (("text", "content"), ("image", "image"), ("text+image", "pair"), ("exchange", "reply")):
        known = any(head in item["heads"] for item in about)
        fitted = fit_head(about, logits, head if known else "content")
        terms[name] = {"alone": {**heads_of(fitted, "own"), "heads": {head: next(value for key, value in fitted.items() if key != "intercept")}}, "contested": [0, 0]}
    content = terms["text"]["alone"]
    score = content["heads"]["content"] * logits[:, HEADS.index("content")] + content["intercept"]
    languages = {}
    for lang in sorted({item["lang"] for item in about} - {"en"}):
        of = lambda label: np.array([score[n] for n, item in enumerate(about) if item["lang"] == lang and item["heads"].get("content") == label and "wrapper" not in item])
        harmless, harmful = of(0), of(1)
        if len(harmless) < LEAST["harmless"] or len(harmful) < LEAST["harmful"]:
            continue
        own = np.quantile(harmless, 1 - FALSE_ALARM_RATE)
        recall = (harmful > own).mean()
        print(f"{lang}: {len(harmless)} harmless, {len(harmful)} harmful of unseen sources; recall {recall:.3f} at {FALSE_ALARM_RATE:.0%}, shift {bar - own:+.2f}")
        if recall >= LEAST["recall"]:
            languages[lang] = {"shift": round(float(bar - own), 3), "recall": round(float(recall), 3), "harmful": len(harmful), "harmless": len(harmless)}
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"version": 3, "falseAlarms": FALSE_ALARM_RATE, "terms": terms, "languages": languages}, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
