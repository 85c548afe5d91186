"""Texts of our own in other languages, each with its English: what the parallel sentences have no words for.

contrast/languages/LANG.tsv holds sentences (label, kind, English, text). LANG-frames.tsv holds groups and frames, acts
and questions, which are put together here: the name of a group is harmless by itself, what is said about it decides.
The sentences of packages/lab/bench/languages.jsonl are never trained on.
"""

import glob
import os
import random

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contrast", "languages")
FRAMES_EACH, ACTS_EACH = 9, 4


def own_texts():
    """Everything we wrote, as rows of lang, label, kind, english and text; the same ones each time."""
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.tsv"))):
        name = os.path.basename(path).removesuffix(".tsv")
        yield from combine(path, name.removesuffix("-frames")) if name.endswith("-frames") else sentences(path, name)


def sentences(path, lang):
    for label, kind, english, text in table(path):
        yield {"lang": lang, "label": int(label), "kind": kind, "english": english, "text": text}


def combine(path, lang):
    """Each frame with some groups, each act with some questions; no group and no question tells the label."""
    draw = random.Random(f"frames {lang}")
    parts = {}
    for line in table(path):
        if line[0].startswith("= "):
            section = parts.setdefault(line[0][2:], [])
        else:
            section.append(line)
    deal = lambda items, count: draw.sample(items, min(count, len(items)))
    # Turkish has a capital of its own for i.
    row = lambda label, kind, english, text: {"lang": lang, "label": int(label), "kind": kind, "english": start(english), "text": text if lang == "tr" else start(text)}
    for section, form in (("about", 0), ("toward", 1)):
        for label, frame, english in parts[section]:
            for group in deal(parts["groups"], FRAMES_EACH):
                yield row(label, "hate", english.replace("{}", group[2]), frame.replace("{}", group[form]))
    for label, act, english in parts["acts"]:
        for frame, asked in deal(parts["asking"], ACTS_EACH):
            yield row(label, "request", asked.replace("{}", english), frame.replace("{}", act))


def start(text):
    return text[:1].upper() + text[1:]


def table(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield line.rstrip("\n").split("\t")
