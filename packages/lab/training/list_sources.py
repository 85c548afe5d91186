"""Writes packages/lab/training/SOURCES.md: python3 packages/lab/training/list_sources.py OUT.md  (AGON_DATASETS names the folder).

Every source of what the shipped models learn from, with its licence and how many rows were used, and those that are
only measured with. The same rules as prepare.py's.
"""

import sys
from collections import Counter

from prepare import allowed, read

FILES = {
    "train/pool.jsonl.gz": "labelled texts and replies",
    "train/harm-texts.jsonl.gz": "harmful texts and their neighbours",
    "train/benign-texts.jsonl.gz": "everyday texts",
    "train/benign-exchanges.jsonl.gz": "everyday exchanges",
    "train/refusals.jsonl.gz": "refusals",
    "train/harm-exchanges.jsonl.gz": "judged jailbreaks",
    "train/image-descriptions.jsonl.gz": "image descriptions",
    "train/parallel.jsonl.gz": "parallel sentences",
}
DEVELOPMENT = {
    "a_air_text, a_air_only_img, a_air_text_img": "MIT",
    "a_openai_mod": "MIT",
    "a_hatecheck, a_xstest_prompts, b_xstest_refusal_human": "CC-BY-4.0",
    "b_diasafety_test, b_do_not_answer": "Apache-2.0",
    "b_harmbench_response": "MIT",
}
MEASURED_ONLY = "a_toxicchat_test, b_beavertails_test, b_saferlhf (non-commercial), a_mossbench_image_text (share-alike)"


def table(counts):
    yield "| source | licence | rows |"
    yield "|---|---|---:|"
    for (source, licence), count in sorted(counts.items()):
        yield f"| {source} | {licence.replace('|', '/')} | {count:,} |"


def main():
    lines = [
        "# What the shipped models learn from",
        "",
        "Written by `packages/lab/training/list_sources.py`. Rows whose licence is unknown, unstated or varies are never trained on; they are listed at the end, since figures are measured with them. Nothing of these sets is in this repository.",
        "",
        "Beside them: `packages/lab/training/contrast/` and `packages/lab/training/policy-examples.jsonl`, of our own writing.",
    ]
    measured = Counter()
    for name, what in FILES.items():
        used = Counter()
        for item in read(name):
            source = (item.get("source") or "unnamed").split("/task")[0]
            key = (source, item.get("licence") or "unknown")
            # The pool holds permissive rows only, whatever their licences are called.
            (used if "pool" in name or allowed(item) == -1 else measured)[key] += 1
        lines += ["", f"## {what.capitalize()} ({name.split('/')[1].split('.')[0]})", "", *table(used)]
    lines += ["", "## Development halves", "", "| sets | licence |", "|---|---|", *(f"| {sets} | {licence} |" for sets, licence in DEVELOPMENT.items())]
    lines += ["", "## Measured with, never trained on", "", f"Of the development halves: {MEASURED_ONLY}.", "", *table(measured)]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
