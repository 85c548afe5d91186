"""Fits the guard for other languages: python3 training/fit_languages.py FOLDER ENGLISH-WEIGHTS.json WEIGHTS.json

FOLDER holds languages-fold-0.npz, languages-fold-1.npz and languages-final.npz (train_languages.py --fold 0, --fold 1,
and neither): what models say about sources that they have not seen. A language is judged where harm of unseen sources is caught often enough at the bar that
a stated share of everyday texts of unseen sources reaches. What is shipped knows more harm than the folds do and scores
higher: its own shift for each language puts the bar of what it has not seen at the one of the English guard; where there
is no such text, the mean of the other languages' bars stands in.
The harmless posts of hate sets, which are collected to look like hate, are counted beside it.
"""

import json
import os
import sys

import numpy as np

from fit import HARMFUL_SHARE, fit, heads_of
from model import HEADS

# At balanced. What is shipped has learnt from the sources that the folds left out, and catches more than they do.
FALSE_ALARM_RATE = 0.03
LEAST = {"recall": 0.4, "harmful": 500, "everyday": 500, "shipped": 300}
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
    rows = np.array([n for n, item in enumerate(about) if head in item["heads"] and "wrapper" not in item and item["heads"][head] != 0.5])
    labels = np.array([about[n]["heads"][head] for n in rows])
    weights = np.where(labels == 1, HARMFUL_SHARE / max(1, (labels == 1).sum()), (1 - HARMFUL_SHARE) / max(1, (labels == 0).sum()))
    return fit({f"own.{head}": logits[rows, HEADS.index(head)]}, labels, weights)


def measure(lang, about, score):
    """By each fold's model that was shown no harm of some source, at the bar of that model."""
    caught, bars, harmful, everyday, lookalikes = [], [], 0, 0, []
    for model in FOLDS:
        of = lambda label, kind: [n for n, item in enumerate(about) if item["model"] == model and item["lang"] == lang and item["heads"].get("content") == label and "wrapper" not in item and bool(item.get("kind")) == kind]
        harmless, near, harm = of(0, True), of(0, False), of(1, False) + of(1, True)
        if len(harmless) < LEAST["everyday"] or not harm:
            continue
        bars.append(np.quantile(score[harmless], 1 - FALSE_ALARM_RATE))
        caught += [score[n] > bars[-1] for n in harm]
        lookalikes += [score[n] > bars[-1] for n in near]
        harmful, everyday = harmful + len(harm), everyday + len(harmless)
    if harmful < LEAST["harmful"]:
        return None
    share = round(float(np.mean(lookalikes)), 3) if lookalikes else None
    return {"recall": round(float(np.mean(caught)), 3), "harmful": harmful, "everyday": everyday, "lookalikes": share}


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
    score = content["heads"]["content"] * logits[:, HEADS.index("content")] + content["intercept"]
    unseen, said = load(folder, ["final"])
    shipped = content["heads"]["content"] * said[:, HEADS.index("content")] + content["intercept"]
    judged, bars = {}, {}
    for lang in sorted({item["lang"] for item in about} - {"en"}):
        found = measure(lang, about, score)
        if found is None:
            continue
        print(f"{lang}: recall {found['recall']:.3f} of {found['harmful']} harmful texts at {FALSE_ALARM_RATE:.1%} of {found['everyday']} everyday ones, {found['lookalikes']} of lookalikes")
        if found["recall"] >= LEAST["recall"]:
            everyday = [n for n, item in enumerate(unseen) if item["lang"] == lang and item["heads"].get("content") == 0 and "wrapper" not in item]
            judged[lang] = found
            if len(everyday) >= LEAST["shipped"]:
                bars[lang] = np.quantile(shipped[everyday], 1 - FALSE_ALARM_RATE)
    usual = np.mean(list(bars.values()))
    languages = {lang: {"shift": round(float(bar - bars.get(lang, usual)), 3), **found} for lang, found in judged.items()}
    print({lang: found["shift"] for lang, found in languages.items()}, f"usual {bar - usual:.2f}")
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"version": 3, "falseAlarms": FALSE_ALARM_RATE, "terms": terms, "languages": languages}, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
