"""Fits what the embedded debate makes of the guard's scores: python3 training/fit.py FOLDS.npz APART.npz DATA.jsonl.gz SEEDS.bin OUT.json [THRESHOLD]

One logistic model over cross-validated scores: for each modality a slope, an intercept and a weight for what the
nearest precedents say; one weight for a refusal; one threshold for all, chosen for the mean F1 of the sets it is judged on.
Fitted once for three libraries: the seeds; with the cases, which no model of the folds has seen (APART.npz, by
`train.py --without cases`); and with the other held-out items of the same fold, which that fold's model has not seen either.
Everything printed is by cross-validation again (fitted on four folds, measured on the fifth).
SEEDS.bin holds the guard's embedding of each line of precedents/seed.jsonl (training/shelve.ts).
"""

import gzip
import json
import os
import re
import sys

import numpy as np
from scipy.optimize import minimize

from leaning import CONFIRMED, REMOTE, SEEDS, SPREAD, leaning, of_another, unit

HEADS = ["content", "request", "post", "reply", "image", "pair"]
HEAD_OF = {"text": 0, "image": 4, "text+image": 5}
MODALITY_OF = {"content": "text", "request": "text", "image": "image", "pair": "text+image"}
SETS = {
    "a_air_text": "text",
    "a_openai_mod": "text",
    "a_xstest_prompts": "text",
    "a_hatecheck": "text",
    "a_air_only_img": "image",
    "a_air_text_img": "text+image",
}
# The same words as src/evidence/refusal.ts.
REFUSAL = re.compile(
    r"""\b(?:i(?:['’]m| am) (?:very |really |so )?sorry,? (?:but )?(?:as an? [^.!?\n]{0,40}?,? )?i (?:can(?:['’]|no)?t|can not|won['’]?t|will not|am (?:not able|unable)|must|have to)\b[^.!?\n]{0,60}|i (?:apologi[sz]e|regret)\b[^.!?\n]{0,30}\bi (?:can(?:['’]|no)?t|can not|won['’]?t|will not|am (?:not able|unable))\b[^.!?\n]{0,60}|i (?:can(?:['’]|no)?t|can not|won['’]?t|will not|am (?:not able|unable) to|must decline to|refuse to) (?:assist|help|provide|fulfil|support|create|comply|generate|do that|engage|write|offer|give|answer|share|participate|promote)\w*|as an? (?:responsible )?(?:ai|language)(?: language)?(?: model| assistant)?,? i (?:can(?:['’]|no)?t|can not|won['’]?t|will not|do not|don['’]t|am (?:not|unable))|(?:is|goes) against my (?:guidelines|programming|principles))""",
    re.I,
)


def f1(predicted, labels):
    return 2 * (predicted & (labels == 1)).sum() / max(1, predicted.sum() + labels.sum())


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def load(folds, apart, data, seeds_file):
    """The development items with the scores of models that saw neither them nor the cases, and what three libraries say about them."""
    z, left_out = np.load(folds), np.load(apart)
    rows = [json.loads(line) for line in gzip.open(data, "rt", encoding="utf-8")]
    items = [rows[i] for i in z["rows"]]
    keep = np.array([item["source"] in SETS for item in items])
    items = [item for item, kept in zip(items, keep) if kept]
    found = {
        "logits": z["logits"][keep].astype(float),
        "embeddings": unit(z["embeddings"][keep]),
        "source": np.array([item["source"] for item in items]),
        "y": np.array([item["label"] for item in items]),
        "fold": np.array([item["fold"] for item in items]),
        "refusal": np.array([float(bool(REFUSAL.search(item["text"]))) for item in items]),
    }
    found["modality"] = np.array([SETS[name] for name in found["source"]])
    fold, y, embeddings, modality = found["fold"], found["y"], found["embeddings"], found["modality"]
    here = os.path.dirname(os.path.abspath(__file__))
    seeds = [json.loads(line) for line in open(os.path.join(here, "..", "precedents", "seed.jsonl"), encoding="utf-8")]
    vectors = unit(np.fromfile(seeds_file, dtype=np.float32).reshape(len(seeds), -1)[:, :384])
    shown_in = np.array([("text+image" if "text" in seed else "image") if "image_description" in seed else "text" for seed in seeds])
    from_seeds = leaning(embeddings @ vectors.T, np.array([int(seed["label"] == "unsafe") for seed in seeds]), SEEDS, of_another(modality, shown_in))
    # Each case once a head it has; an image that nobody could describe (a refusal stands in its place) is no precedent.
    cases = [rows[i] for i in left_out["rows"]]
    usable = np.array([case["head"] != "request" and not (len(case["text"]) < 250 and REFUSAL.search(case["text"].split(" || ")[-1])) for case in cases])
    to_cases = np.zeros((len(y), len(cases)))
    for k in range(5):
        to_cases[fold == k] = np.where(left_out["unseen"][k] & usable, embeddings[fold == k] @ unit(left_out["embeddings"][k]).T, -1)
    to_items = np.where((fold[:, None] == fold) & ~np.eye(len(y), dtype=bool), embeddings @ embeddings.T, -1)
    found["libraries"] = {
        "seeds": from_seeds,
        "seeds and cases": from_seeds + leaning(to_cases, np.array([case["label"] for case in cases]), CONFIRMED, of_another(modality, np.array([MODALITY_OF[case["head"]] for case in cases]))),
        "seeds and own": from_seeds + leaning(to_items, y, CONFIRMED, of_another(modality, modality)),
    }
    found["w"] = np.ones(len(y))
    for name in SETS:
        found["w"][found["source"] == name] = 1 / (found["source"] == name).sum() / len(SETS)
    return found


def cross_validated(found, features):
    """For each library the logits, fitted on four folds over all libraries and measured on the fifth."""
    y, fold, w = found["y"], found["fold"], found["w"]
    designs = [design(found["logits"], found["modality"], found["refusal"], lean, features) for lean in found["libraries"].values()]
    s = np.zeros((len(designs), len(y)))
    for k in range(5):
        b = fit(np.vstack([X[fold != k] for X in designs]), np.tile(y[fold != k], len(designs)), np.tile(w[fold != k], len(designs)))
        s[:, fold == k] = [X[fold == k] @ b for X in designs]
    return dict(zip(found["libraries"], s)), fit(np.vstack(designs), np.tile(y, len(designs)), np.tile(w, len(designs)))


def interval(measure, indices):
    random = np.random.default_rng(7)
    values = [measure(random.choice(indices, len(indices))) for _ in range(1000)]
    return np.quantile(values, [0.025, 0.975])


def resampled_gain(p, q, y, source, sets, threshold, seed):
    random = np.random.default_rng(seed)
    chosen = [random.choice(np.flatnonzero(source == s), (source == s).sum()) for s in sets]
    return np.mean([f1(p[i] >= threshold, y[i]) - f1(q[i] >= threshold, y[i]) for i in chosen])


def design(logits, modality, refusal, lean, features):
    columns = []
    for name, head in HEAD_OF.items():
        mask = (modality == name).astype(float)
        columns += [mask * logits[:, head], mask]
    columns.append(refusal if "refusal" in features else refusal * 0)
    for name in HEAD_OF:
        columns.append(lean * (modality == name) if "precedents" in features else lean * 0)
    return np.stack(columns, 1)


def fit(X, y, w, ridge=1e-3):
    penalty = np.array([1, 0, 1, 0, 1, 0, 1, 1, 1, 1]) * ridge

    def loss(b):
        s = X @ b
        return (w * (np.logaddexp(0, s) - y * s)).sum() + (penalty * b**2).sum(), X.T @ (w * (sigmoid(s) - y)) + 2 * penalty * b

    # A refusal may only exonerate; precedents may only point where their labels point.
    bounds = [(None, None)] * 6 + [(None, 0)] + [(0, None)] * 3
    return minimize(loss, np.zeros(X.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x


def main():
    folds, apart, data, seeds_file, out = sys.argv[1:6]
    found = load(folds, apart, data, seeds_file)
    y, w, source = found["y"], found["w"], found["source"]
    threshold = float(sys.argv[6]) if len(sys.argv) > 6 else 0.5
    judged = ["a_air_text", "a_air_only_img", "a_air_text_img", "a_openai_mod"]
    systems = {"guard only": [], "without precedents": ["refusal"], "without loose": ["precedents"], "full": ["refusal", "precedents"]}
    scores = {name: sigmoid(cross_validated(found, features)[0]["seeds"]) for name, features in systems.items()}
    by_library, b = cross_validated(found, ["refusal", "precedents"])
    scores |= {f"full, {name}": sigmoid(s) for name, s in by_library.items() if name != "seeds"}
    print(f"F1 at {threshold:.2f} with 95 % bootstrap intervals, accuracy behind it; last the gain in mean F1 of the AIR-Bench sets over the guard alone")
    air = ["a_air_text", "a_air_only_img", "a_air_text_img"]
    for name, p in scores.items():
        cells = []
        for s in SETS:
            low, high = interval(lambda i: f1(p[i] >= threshold, y[i]), np.flatnonzero(source == s))
            cells.append(f"{s[2:]} {f1(p[source == s] >= threshold, y[source == s]):.3f} ({low:.3f} to {high:.3f}) {((p[source == s] >= threshold) == y[source == s]).mean():.3f}")
        gains = [resampled_gain(p, scores["guard only"], y, source, air, threshold, seed) for seed in range(1000)]
        print(f"{name:20} " + " | ".join(cells) + f" | {np.mean(gains):+.4f} ({np.quantile(gains, 0.025):+.4f} to {np.quantile(gains, 0.975):+.4f})")
    p = scores["full"]
    for t in np.arange(0.34, 0.56, 0.02):
        print(f"   at {t:.2f} mean F1 of {', '.join(s[2:] for s in judged)}: {np.mean([f1(p[source == s] >= t, y[source == s]) for s in judged]):.4f}")
    edges = np.quantile(p, np.linspace(0, 1, 21))
    wrong = (p >= threshold) != y
    band = [threshold, threshold]
    for lo, hi in zip(edges[:-1], edges[1:]):
        inside = (p >= lo) & (p <= hi)
        rate = np.average(wrong[inside], weights=w[inside]) if inside.any() else 0
        print(f"   probability {lo:.3f} to {hi:.3f}: {inside.sum()} items, {rate:.2f} wrong, {np.average(y[inside], weights=w[inside]):.2f} unsafe")
        if rate > 0.25:
            band = [min(band[0], lo), max(band[1], hi)]
    for name, q in scores.items():
        bins = np.clip((q * 10).astype(int), 0, 9)
        ece = sum(abs(np.average(y[bins == k], weights=w[bins == k]) - np.average(q[bins == k], weights=w[bins == k])) * w[bins == k].sum() / w.sum() for k in range(10) if (bins == k).any())
        print(f"{name}: calibration error {ece:.3f}, share of items in the band {np.average((q >= band[0]) & (q < band[1]), weights=w):.2f}")
    weights = {
        "version": 2,
        "scale": {name: {"slope": round(b[2 * i], 4), "intercept": round(b[2 * i + 1], 4)} for i, name in enumerate(HEAD_OF)},
        "exoneration": {"refusal": round(b[6], 4)},
        "precedents": {"weight": {name: round(b[7 + i], 4) for i, name in enumerate(HEAD_OF)}, "remote": REMOTE, "spread": SPREAD},
        "threshold": threshold,
        "band": [round(float(band[0]), 3), round(float(band[1]), 3)],
    }
    # How clauses are told by embeddings is fitted elsewhere: npm run bench:policy.
    if os.path.exists(out):
        with open(out) as file:
            weights["clauses"] = json.load(file)["clauses"]
    with open(out, "w") as file:
        file.write(json.dumps(weights, indent=2) + "\n")
    print(json.dumps(weights))


if __name__ == "__main__":
    main()
