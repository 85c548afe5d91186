"""Everyday sentences that are none: python3 packages/lab/training/list_doubtful.py GUARD-FOLDER OUT.jsonl.gz

Tatoeba's sentences pass for everyday ones, but "I will kill you" stands among them. Of the parallel sentences whose
English holds a word that harm is told with, the English guard says which may be harmful; their translations are listed,
and prepare.py leaves them out. As harmful examples they would not do: one in three is a false alarm of the guard.
"""

import gzip
import json
import os
import re
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

SOURCE = "tatoeba"
WORDS = re.compile(
    r"""\b(
    kill | murder | bomb | die | dies | dying | dead | death | shoot | shot | gun | knife | stab | rape | hate |
    suicide | hang | burn | beat | hit | hurt | punch | slap | destroy | poison | drug | steal | rob | explo |
    attack | blood | idiot | stupid | bitch | fuck | shit | whore | fag | nigg | jew | muslim | slut | moron |
    pig | disgust | kidnap | strangle | choke | regret | threat | warn | terror | hostage | weapon | cut\ your |
    break\ your | smash | hell | bastard | ass\b | asshole | jerk | ugly | worthless | scum | trash | loser |
    nazi | hitler | gay | lesbian | black | immigrant | refugee | foreigner | women | torture | execut | lynch |
    porn | sex | naked | nude | cocaine | heroin | hack | revenge | pay\ for | grave | bury | throat | teeth |
    slave | inferior | deport | exterminat
    )""",
    re.I | re.X,
)
# What a mind finds riskier than this is doubtful.
HARMLESS = 0.04


def main():
    folder, out = sys.argv[1:3]
    found = list(candidates())
    risk = judge(folder, sorted({item["en"] for item in found}))
    doubtful = [item for item in found if max(risk[item["en"]]) > HARMLESS]
    with gzip.open(out, "wt", encoding="utf-8") as file:
        for item in doubtful:
            file.write(json.dumps({"lang": item["lang"], "text": item["xx"], "english": item["en"]}, ensure_ascii=False) + "\n")
    print(f"{len(doubtful)} of {len(found)} sentences are doubtful")


def candidates():
    with gzip.open(os.path.join(os.environ["AGON_DATASETS"], "train", "parallel.jsonl.gz"), "rt", encoding="utf-8") as file:
        for item in map(json.loads, file):
            if item["source"] == SOURCE and WORDS.search(item["en"]):
                yield item


def judge(folder, texts):
    """Of each text the risk by the first mind and by the second."""
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.enable_padding()
    weights = json.load(open(os.path.join(folder, "weights.json"), encoding="utf-8"))["terms"]["text"]
    heads = json.load(open(os.path.join(folder, "guard.json"), encoding="utf-8"))["heads"]
    risks = []
    for name, part in (("first", "alone"), ("second", "other")):
        session = onnxruntime.InferenceSession(os.path.join(folder, f"{name}.onnx"))
        by_length = sorted(texts, key=len)
        risk = {}
        for at in range(0, len(by_length), 64):
            some = by_length[at : at + 64]
            encoded = tokenizer.encode_batch(some)
            ids, mask = (np.array([getattr(item, field) for item in encoded], dtype=np.int64) for field in ("ids", "attention_mask"))
            (logits,) = session.run(["logits"], {"input_ids": ids, "attention_mask": mask, "response_mask": np.zeros_like(mask)})
            score = sum(weight * logits[:, heads.index(head)] for head, weight in weights[part]["heads"].items()) + weights[part]["intercept"]
            risk |= dict(zip(some, 1 / (1 + np.exp(-score))))
        risks.append(risk)
    return {text: (float(risks[0][text]), float(risks[1][text])) for text in texts}


if __name__ == "__main__":
    main()
