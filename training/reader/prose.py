"""Pairs of prose against prose: sentences of real texts, reworded, turned or with something added, against their text."""

import gzip
import json
import os
import re

from alter import NAME, add_detail, reword, turn
from series import NEITHER, REFUTES, SUPPORTS

SOURCES = ("BOLD wikipedia", "MedQuAD", "XQuAD", "MMLU", "MedQA (curai)", "natural-instructions", "alpaca_eval", "GSM8K", "Topical-Chat", "mt-bench-101", "SQuARe")
RESTRICTED = re.compile(r"unknown|var(y|ies)|\bNC\b|\bND\b|amazon|other", re.I)
PERMISSIVE = re.compile(r"^(CC0|CC[ -]BY|MIT|Apache|BSD|ODC|CDLA|public)", re.I)
LONGEST = 60


def split_sentences(text):
    text = re.sub(r"\s+", " ", text).strip()
    return [part for part in re.split(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“(]?[A-Z0-9])", text) if part]


def is_statement(sentence):
    words = sentence.split()
    return 7 <= len(words) <= LONGEST and sentence[-1] == "." and sentence[0].isalnum() and not re.search(r"\b(I|you|your|my)\b", sentence)


def texts(folder):
    """English texts of several sentences whose licences let weights that ship learn from them."""
    for file, field in (("benign-texts", "text"), ("benign-exchanges", "response")):
        with gzip.open(os.path.join(folder, f"train/{file}.jsonl.gz"), "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["lang"] != "en" or row["source"] not in SOURCES or RESTRICTED.search(row["licence"]) or not PERMISSIVE.match(row["licence"]):
                    continue
                sentences = [sentence for sentence in split_sentences(row[field][:4000]) if len(sentence) < 500]
                if sum(map(is_statement, sentences)) >= 3:
                    yield sentences


def pairs(sentences, donors, random, most):
    """Up to so many (claim, passage, label, kind) from one text."""
    chosen = [n for n, sentence in enumerate(sentences) if is_statement(sentence)]
    names = sorted({name for sentence in sentences for name in NAME.findall(sentence)})
    foreign = [name for donor in donors for name in NAME.findall(donor)]
    for at in random.permutation(len(chosen))[:most]:
        n = chosen[at]
        sentence = sentences[n]
        start = max(0, n - int(random.integers(0, 5)))
        passage = sentences[start : n + 1 + int(random.integers(0, 5))]
        claim = reword(sentence, random)
        choice = random.random()
        if choice < 0.34:
            yield claim, passage, SUPPORTS, "prose"
        elif choice < 0.72:
            turned = turn(claim, random, names if random.random() < 0.6 and len(names) > 1 else foreign)
            if turned and turned[0].lower().rstrip(".") not in " ".join(passage).lower():
                yield turned[0], passage, REFUTES, f"prose {turned[1]}"
        elif choice < 0.86:
            rest = [other for other in sentences[max(0, n - 4) : n + 6] if other != sentence]
            if len(rest) > 1:
                yield claim if random.random() < 0.7 else (turn(claim, random, names) or (claim,))[0], rest, NEITHER, "prose left out"
        else:
            more = add_detail(claim, random, donors)
            if more:
                yield more, passage, NEITHER, "prose detail"
