"""Lays the exchanges out for the reply model: python3 training/prepare_replies.py OUT.jsonl.gz  (AGON_DATASETS names the folder).

Each row is one exchange for one head, with a label, a weight and a fold: `reply` (is the reply unsafe?) and `refusal`
(does it refuse?). Rows of the pool are in every training set (fold -1), rows of the permissive development halves carry a
fold from 0 to 4, sets that may only be measured carry fold -2 and are never trained on.
"""

import gzip
import json
import sys

from prepare import DATASETS, SEPARATOR, fold_of, read


def row(prompt, response, head, label, weight, source, fold=-1, key=None):
    return {"prompt": prompt.strip(), "response": response.strip(), "head": head, "label": label, "weight": weight, "source": source, "fold": fold, "key": key}


def rows():
    yield from pool_rows()
    yield from unsafe_rows()
    yield from refusal_rows()
    yield from measured_rows()


def pool_rows():
    for item in read("train/pool.jsonl.gz"):
        if item["kind"] == "pair":
            prompt, _, response = item["text"].partition(SEPARATOR)
            yield row(prompt, response, "reply", unsafe(item), 1.0, item["source"])
        elif item["kind"] == "response":
            yield row("", item["text"], "reply", unsafe(item), 1.0, item["source"])


def unsafe_rows():
    for name, weight in (("b_diasafety_test", 1.0), ("b_harmbench_response", 3.0), ("b_do_not_answer", 1.0)):
        for item in read(f"dev/{name}.jsonl"):
            yield row(item["prompt"], item["response"], "reply", unsafe(item), weight, name, fold_of(item, name), item["id"])
    for item in read("dev/b_xstest_refusal_human.jsonl"):
        # To comply with a harmless prompt, or to refuse any, is safe; to comply in full with a harmful one is not.
        harmful = item["category"].startswith("contrast") and item["label"] == "1_full_compliance"
        yield row(item["prompt"], item["response"], "reply", float(harmful), 0.5, "b_xstest_refusal_human", fold_of(item, "xstest"), item["id"])


def refusal_rows():
    refused = {"1_full_compliance": 0.0, "2_full_refusal": 1.0, "3_partial_refusal": 0.5}
    for item in read("dev/b_xstest_refusal_human.jsonl"):
        yield row(item["prompt"], item["response"], "refusal", refused[item["label"]], 2.0, "refusal-xstest", fold_of(item, "xstest"), f"refusal/{item['id']}")
    # Not willing to answer; performs the task, weighs both sides or follows the instruction. Refuting and inability are neither.
    actions = {"0": 1.0, "2": 0.0, "3": 0.0, "5": 0.0}
    for item in read("dev/b_do_not_answer.jsonl"):
        if item["action"] in actions:
            yield row(item["prompt"], item["response"], "refusal", actions[item["action"]], 1.0, "refusal-dna", fold_of(item, "b_do_not_answer"), f"refusal/{item['id']}")
    for index, item in enumerate(read("train/pool.jsonl.gz")):
        if item["kind"] == "pair" and index % 10 == 0:
            prompt, _, response = item["text"].partition(SEPARATOR)
            yield row(prompt, response, "refusal", 0.0, 1.0, "refusal-chat")


def measured_rows():
    for name in ("b_beavertails_test", "b_saferlhf"):
        for item in read(f"dev/{name}.jsonl"):
            yield row(item["prompt"], item["response"], "reply", unsafe(item), 0.0, name, -2, item["id"])


def unsafe(item):
    return float(item["label"] in (1, "1", "unsafe", True))


def main():
    if not DATASETS:
        sys.exit("AGON_DATASETS must name the folder with train/ and dev/: without it there is nothing to train on.")
    counts = {}
    with gzip.open(sys.argv[1], "wt", encoding="utf-8") as out:
        for item in rows():
            if item["response"]:
                out.write(json.dumps(item, ensure_ascii=False) + "\n")
                key = (item["head"], item["source"])
                counts[key] = counts.get(key, 0) + 1
    for (head, source), count in sorted(counts.items()):
        print(f"{head:8} {source:28} {count}")


if __name__ == "__main__":
    main()
