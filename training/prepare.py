"""Lays the training data out as one file: python3 training/prepare.py OUT.jsonl.gz  (AGON_DATASETS names the folder).

Each row is one text for one head, with a label, a weight and a fold. Rows of the pool and the cases are in every
training set (fold -1); rows of the permissive development halves carry a fold from 0 to 4, for cross-validation.
Sets that may only be measured carry fold -2 and are never trained on.
"""

import gzip
import hashlib
import json
import os
import re
import sys

DATASETS = os.environ.get("AGON_DATASETS")
FOLDS = 5

# (kind of the pool) -> head. Kinds are never mixed into one head.
POOL_HEADS = {
    "post": "post",
    "prompt": "request",
    "attack": "request",
    "benign": "request",
    "injection": "request",
    "pair": "reply",
    "response": "reply",
}
# Small sources count several times, large ones less: no source drowns the others.
POOL_WEIGHTS = {
    "cold": 0.2,
    "davidson": 0.3,
    "edos": 0.6,
    "implicit-hate": 0.6,
    "self-instruct": 0.4,
    "surge": 3.0,
    "hatemojibuild": 2.0,
    "jailbreakbench-behaviors": 3.0,
    "strongreject": 2.0,
    "aegis-train": 3.0,
    "wildguard-train": 3.0,
    "deepset-injection": 2.0,
    "gptfuzz-train": 2.0,
}
SEPARATOR = " || "


def rows():
    yield from pool_rows()
    yield from case_rows()
    yield from policy_rows()
    yield from development_rows()
    yield from seed_rows()


def row(text, head, label, weight, source, fold=-1, key=None):
    unsafe = label in (1, "1", "unsafe", True)
    return {"text": text.strip(), "head": head, "label": int(unsafe), "weight": weight, "source": source, "fold": fold, "key": key}


def pool_rows():
    for item in read("train/pool.jsonl.gz"):
        head = POOL_HEADS[item["kind"]]
        weight = POOL_WEIGHTS.get(item["source"], 1.0)
        yield row(item["text"], head, item["label"], weight, item["source"])
        if item["source"] in ("wildguard-train", "aegis-train"):
            yield row(item["text"], "content", item["label"], 1.0, item["source"])


def case_rows():
    for item in read("train/cases.jsonl.gz"):
        text, description = none(item.get("text")), none(item.get("image_description"))
        if description:
            yield row(description, "image", item["label"], 2.0, "cases")
            query = none(item.get("query"))
            if query and item.get("query_label"):
                yield row(query + SEPARATOR + description, "pair", item["query_label"], 2.0, "cases")
        elif text:
            yield row(text, "content", item["label"], 3.0, "cases")
            yield row(text, "request", item["label"], 1.0, "cases")


def policy_rows():
    """The default policy's own examples, hard benign contrasts among them: written by us, exported from policies/default.yaml."""
    path = os.path.join(os.path.dirname(__file__), "policy-examples.jsonl")
    for line in open(path, encoding="utf-8"):
        item = json.loads(line)
        text, description = item.get("text"), item.get("image_description")
        if text and description:
            yield row(text + SEPARATOR + description, "pair", item["label"], 2.0, "policy")
        elif description:
            yield row(description, "image", item["label"], 2.0, "policy")
        else:
            yield row(text, "content", item["label"], 3.0, "policy")
            yield row(text, "request", item["label"], 1.0, "policy")


def development_rows():
    for name, weight in (("a_air_text", 4.0), ("a_openai_mod", 3.0), ("a_xstest_prompts", 4.0), ("a_hatecheck", 1.0)):
        for item in read(f"dev/{name}.jsonl"):
            fold = fold_of(item, name)
            yield row(item["text"], "content", item["label"], weight, name, fold, item["id"])
            if name in ("a_air_text", "a_xstest_prompts"):
                yield row(item["text"], "request", item["label"], 1.0, name, fold)
            if name == "a_hatecheck":
                yield row(item["text"], "post", item["label"], 1.0, name, fold)
    for item in read("dev/a_air_only_img.jsonl"):
        yield row(item["image_description"], "image", item["label"], 3.0, "a_air_only_img", fold_of(item, "img"), item["id"])
    for item in read("dev/a_air_text_img.jsonl"):
        fold = fold_of(item, "pair")
        yield row(item["text"] + SEPARATOR + item["image_description"], "pair", item["label"], 3.0, "a_air_text_img", fold, item["id"])
    for name, weight in (("b_diasafety_test", 1.0), ("b_harmbench_response", 3.0), ("b_do_not_answer", 1.0)):
        for item in read(f"dev/{name}.jsonl"):
            text = item["prompt"] + SEPARATOR + item["response"]
            yield row(text, "reply", item["label"], weight, name, fold_of(item, name), item["id"])
    # Measured only, never trained on.
    for item in read("dev/a_toxicchat_test.jsonl"):
        yield row(item["text"], "content", item["label"], 0.0, "a_toxicchat_test", -2, item["id"])
    for item in read("dev/a_mossbench_image_text.jsonl"):
        yield row(item["text"] + SEPARATOR + item["image_description"], "pair", item["label"], 0.0, "a_mossbench_image_text", -2, item["id"])
    for name in ("b_beavertails_test", "b_saferlhf"):
        for item in read(f"dev/{name}.jsonl"):
            yield row(item["prompt"] + SEPARATOR + item["response"], "reply", item["label"], 0.0, name, -2, item["id"])


def seed_rows():
    """Our seed precedents, which are never trained on: `train.py --without cases,seeds` embeds them with each model."""
    path = os.path.join(os.path.dirname(__file__), "..", "precedents", "seed.jsonl")
    for line in open(path, encoding="utf-8"):
        item = json.loads(line)
        text, description = item.get("text"), item.get("image_description")
        head = "content" if not description else "pair" if text else "image"
        yield row(SEPARATOR.join(part for part in (text, description) if part), head, item["label"], 0.0, "seeds", -2, item["id"])


def fold_of(item, salt):
    """By prompt where there is one, so that replies to one prompt never stand on both sides."""
    key = item.get("prompt") or re.sub(r"\W+", " ", (item.get("text") or "") + (item.get("image_description") or "")).lower()[:200]
    return int(hashlib.sha256(f"{salt} {key}".encode()).hexdigest(), 16) % FOLDS


def none(value):
    return None if value in (None, "", "None") else value


def read(name):
    path = os.path.join(DATASETS, name)
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def main():
    if not DATASETS or not os.path.isdir(DATASETS):
        sys.exit("AGON_DATASETS must name the folder with train/ and dev/: without it there is nothing to train on.")
    counts = {}
    with gzip.open(sys.argv[1], "wt", encoding="utf-8") as out:
        for item in rows():
            if not item["text"]:
                continue
            out.write(json.dumps(item, ensure_ascii=False) + "\n")
            key = (item["head"], item["source"])
            counts[key] = counts.get(key, 0) + 1
    for (head, source), count in sorted(counts.items()):
        print(f"{head:8} {source:28} {count}")


if __name__ == "__main__":
    main()
