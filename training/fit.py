"""Fits what the embedded debate makes of the guard's scores: python3 training/fit.py FOLDS.npz DATA.jsonl.gz SEEDS.bin OUT.json

One logistic model over cross-validated scores: for each modality a slope, an intercept and a weight for what the
nearest precedents say; one weight for a refusal; one threshold for all, chosen for the mean F1 of the sets it is judged on.
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

HEADS = ["content", "request", "post", "reply", "image", "pair"]
HEAD_OF = {"text": 0, "image": 4, "text+image": 5}
SETS = {
    "a_air_text": "text",
    "a_openai_mod": "text",
    "a_xstest_prompts": "text",
    "a_hatecheck": "text",
    "a_air_only_img": "image",
    "a_air_text_img": "text+image",
}
NEIGHBOURS, LEAST, SHARPNESS = 10, 0.8, 0.05
# The same words as `refusal` in src/reasoners/embedded/exoneration.ts.
REFUSAL = re.compile(
    r"""\b(?:i(?:['’]m| am) (?:very |really |so )?sorry,? (?:but )?(?:as an? [^.!?\n]{0,40}?,? )?i (?:can(?:['’]|no)?t|can not|won['’]?t|will not|am (?:not able|unable)|must|have to)\b[^.!?\n]{0,60}|i (?:apologi[sz]e|regret)\b[^.!?\n]{0,30}\bi (?:can(?:['’]|no)?t|can not|won['’]?t|will not|am (?:not able|unable))\b[^.!?\n]{0,60}|i (?:can(?:['’]|no)?t|can not|won['’]?t|will not|am (?:not able|unable) to|must decline to|refuse to) (?:assist|help|provide|fulfil|support|create|comply|generate|do that|engage|write|offer|give|answer|share|participate|promote)\w*|as an? (?:responsible )?(?:ai|language)(?: language)?(?: model| assistant)?,? i (?:can(?:['’]|no)?t|can not|won['’]?t|will not|do not|don['’]t|am (?:not|unable))|(?:is|goes) against my (?:guidelines|programming|principles))""",
    re.I,
)


def f1(predicted, labels):
    return 2 * (predicted & (labels == 1)).sum() / max(1, predicted.sum() + labels.sum())


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def leaning(embeddings, seeds, seed_labels):
    similarity = embeddings @ seeds.T
    nearest = np.argsort(-similarity, 1)[:, :NEIGHBOURS]
    near = np.take_along_axis(similarity, nearest, 1)
    weight = np.exp((near - near.max(1, keepdims=True)) / SHARPNESS) * (near >= LEAST)
    return (weight * seed_labels[nearest]).sum(1) / np.maximum(weight.sum(1), 1e-9)


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
    folds, data, seeds_file, out = sys.argv[1:5]
    z = np.load(folds)
    rows = {row["key"]: row for row in (json.loads(line) for line in gzip.open(data, "rt", encoding="utf-8")) if row["key"]}
    items = [rows[key] for key in z["keys"]]
    keep = np.array([item["source"] in SETS for item in items])
    items = [item for item, kept in zip(items, keep) if kept]
    logits, embeddings = z["logits"][keep].astype(float), z["embeddings"][keep].astype(float)
    source = np.array([item["source"] for item in items])
    modality = np.array([SETS[name] for name in source])
    y, fold = np.array([item["label"] for item in items]), np.array([item["fold"] for item in items])
    w = np.ones(len(y))
    for name in SETS:
        w[source == name] = 1 / (source == name).sum() / len(SETS)
    refusal = np.array([float(bool(REFUSAL.search(item["text"]))) for item in items])
    here = os.path.dirname(os.path.abspath(__file__))
    seeds = [json.loads(line) for line in open(os.path.join(here, "..", "precedents", "seed.jsonl"), encoding="utf-8")]
    vectors = np.fromfile(seeds_file, dtype=np.float32).reshape(len(seeds), -1)[:, :384].astype(float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lean = leaning(embeddings, vectors, np.array([1.0 if seed["label"] == "unsafe" else -1.0 for seed in seeds]))

    def cross_validated(features):
        s = np.zeros(len(y))
        X = design(logits, modality, refusal, lean, features)
        for k in range(5):
            s[fold == k] = X[fold == k] @ fit(X[fold != k], y[fold != k], w[fold != k])
        return s

    threshold = float(sys.argv[5]) if len(sys.argv) > 5 else 0.5
    judged = ["a_air_text", "a_air_only_img", "a_air_text_img", "a_openai_mod"]
    systems = {"guard only": [], "without precedents": ["refusal"], "without loose": ["precedents"], "full": ["refusal", "precedents"]}
    scores = {name: sigmoid(cross_validated(features)) for name, features in systems.items()}
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
    X = design(logits, modality, refusal, lean, ["refusal", "precedents"])
    b = fit(X, y, w)
    s = cross_validated(["refusal", "precedents"])
    p = sigmoid(s)
    edges = np.quantile(p, np.linspace(0, 1, 21))
    wrong = (p >= threshold) != y
    band = [threshold, threshold]
    for lo, hi in zip(edges[:-1], edges[1:]):
        inside = (p >= lo) & (p <= hi)
        rate = np.average(wrong[inside], weights=w[inside]) if inside.any() else 0
        print(f"   probability {lo:.3f} to {hi:.3f}: {inside.sum()} items, {rate:.2f} wrong, {np.average(y[inside], weights=w[inside]):.2f} unsafe")
        if rate > 0.25:
            band = [min(band[0], lo), max(band[1], hi)]
    bins = np.clip((p * 10).astype(int), 0, 9)
    ece = sum(abs(np.average(y[bins == k], weights=w[bins == k]) - np.average(p[bins == k], weights=w[bins == k])) * w[bins == k].sum() / w.sum() for k in range(10) if (bins == k).any())
    print(f"calibration error {ece:.3f}, share of items in the band {np.average((p >= band[0]) & (p < band[1]), weights=w):.2f}")
    weights = {
        "version": 1,
        "scale": {name: {"slope": round(b[2 * i], 4), "intercept": round(b[2 * i + 1], 4)} for i, name in enumerate(HEAD_OF)},
        "exoneration": {"refusal": round(b[6], 4)},
        "precedents": {name: round(b[7 + i], 4) for i, name in enumerate(HEAD_OF)},
        "threshold": threshold,
        "band": [round(float(band[0]), 3), round(float(band[1]), 3)],
    }
    json.dump(weights, open(out, "w"), indent=2)
    print(json.dumps(weights))


if __name__ == "__main__":
    main()
