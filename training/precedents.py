"""Do precedents help? python3 training/precedents.py FOLDS.npz APART.npz DATA.jsonl.gz SEEDS.bin AIR.npz WEIGHTS.json

First, F1 and AUC of the embedded debate on the development halves with retrieval and without. The models of the folds saw
neither the item nor the library; the weights are fitted on four folds and measured on the fifth.
Second, the continuous-learning experiment offline, on the AIR-Bench items as scored by one model that saw none of them
(AIR.npz, by `train.py --final --without a_air_text,a_air_only_img,a_air_text_img`): four stratified batches, an empty
library at first, all items or only the failures of the batches before; against the same model without memory.
"""

import gzip
import json
import sys

import numpy as np

from fit import HEAD_OF, REFUSAL, SETS, cross_validated, f1, fit, load
from leaning import CONFIRMED, authority, leaning, of_another, unit

DRAWS, SHUFFLES, BATCHES = 2000, 20, 4


def paired(ours, theirs, y, chosen, seed=7):
    """F1 of both, the difference and its 95 % interval by a paired bootstrap."""
    random = np.random.default_rng(seed)
    differences = [f1(ours[i], y[i]) - f1(theirs[i], y[i]) for i in (random.choice(chosen, len(chosen)) for _ in range(DRAWS))]
    low, high = np.quantile(differences, [0.025, 0.975])
    one, other = f1(ours[chosen], y[chosen]), f1(theirs[chosen], y[chosen])
    return f"{one:.3f} with, {other:.3f} without, {one - other:+.3f} ({low:+.3f} to {high:+.3f})"


def auc(scores, y):
    ranks = np.argsort(np.argsort(scores)) + 1
    positives = y.sum()
    return (ranks[y == 1].sum() - positives * (positives + 1) / 2) / max(1, positives * (len(y) - positives))


def paired_auc(ours, theirs, y, chosen, seed=7):
    random = np.random.default_rng(seed)
    differences = [auc(ours[i], y[i]) - auc(theirs[i], y[i]) for i in (random.choice(chosen, len(chosen)) for _ in range(DRAWS))]
    low, high = np.quantile(differences, [0.025, 0.975])
    one, other = auc(ours[chosen], y[chosen]), auc(theirs[chosen], y[chosen])
    return f"AUC {one:.3f} with, {other:.3f} without, {one - other:+.3f} ({low:+.3f} to {high:+.3f})"


def retrieval(found, threshold):
    y, source = found["y"], found["source"]
    with_precedents, _ = cross_validated(found, ["refusal", "precedents"])
    without = cross_validated(found, ["refusal"])[0]["seeds"]
    bar = np.log(threshold / (1 - threshold))
    for name, logits in with_precedents.items():
        print(f"F1 at {threshold:.2f}, library: {name}")
        for dataset in SETS:
            chosen = np.flatnonzero(source == dataset)
            print(f"  {dataset[2:]:16} n={len(chosen):4} {paired(logits >= bar, without >= bar, y, chosen)}; {paired_auc(logits, without, y, chosen)}")


def stratified(y, modality, random):
    batch = np.zeros(len(y), dtype=int)
    for group in sorted({(m, int(label)) for m, label in zip(modality, y)}):
        members = random.permutation(np.flatnonzero((modality == group[0]) & (y == group[1])))
        batch[members] = (np.arange(len(members)) + random.integers(BATCHES)) % BATCHES
    return batch


def learning(path, data, weights):
    z = np.load(path)
    rows = [json.loads(line) for line in gzip.open(data, "rt", encoding="utf-8")]
    chosen = np.array([bool(rows[i]["key"]) for i in z["rows"]])
    items = [rows[i] for i in z["rows"][chosen]]
    y = np.array([item["label"] for item in items])
    modality = np.array([SETS[item["source"]] for item in items])
    embeddings = unit(z["embeddings"][0][chosen])
    refusal = np.array([float(bool(REFUSAL.search(item["text"]))) for item in items])
    # Another model than the shipped one: its own slope and intercept, by cross-validation; the weight of precedents is the shipped one's.
    fold = np.array([item["fold"] for item in items])
    control = calibrated(np.array([row[HEAD_OF[m]] for row, m in zip(z["logits"][0][chosen].astype(float), modality)]), refusal, y, modality, fold)
    weight = np.array([weights["precedents"]["weight"][m] for m in modality])
    similarity = embeddings @ embeddings.T
    bar = np.log(weights["threshold"] / (1 - weights["threshold"]))
    for mode in ("all", "failures"):
        curves, sizes = [], []
        ours, theirs, last = [], [], []
        for seed in range(SHUFFLES):
            batch = stratified(y, modality, np.random.default_rng(seed))
            scores = control.copy()
            kept = np.zeros(len(y), dtype=bool)
            right = np.zeros(len(y), dtype=bool)
            for b in range(BATCHES):
                now = np.flatnonzero(batch == b)
                if kept.any():
                    other = of_another(modality[now], modality[kept])
                    near = similarity[np.ix_(now, np.flatnonzero(kept))]
                    scores[now] += authority(near, right[kept], other) * weight[now] * leaning(near, y[kept], CONFIRMED, other)
                right[now] = (scores[now] >= bar) == y[now]
                kept[now] = True if mode == "all" else (scores[now] >= bar) != y[now]
            curves.append([[f1(scores[batch == b] >= bar, y[batch == b]), f1(control[batch == b] >= bar, y[batch == b])] for b in range(BATCHES)])
            sizes.append([kept[batch <= b].sum() for b in range(BATCHES)])
            now = np.flatnonzero(batch == BATCHES - 1)
            ours.append(scores[now] >= bar), theirs.append(control[now] >= bar), last.append(now)
        curves = np.array(curves)
        gains = curves[:, :, 0] - curves[:, :, 1]
        print(f"learning, {mode}: mean over {SHUFFLES} shuffles of {len(y)} items")
        for b in range(BATCHES):
            print(f"  batch {b + 1}: {curves[:, b, 0].mean():.3f}, control {curves[:, b, 1].mean():.3f}, {gains[:, b].mean():+.3f} (shuffles {np.quantile(gains[:, b], 0.025):+.3f} to {np.quantile(gains[:, b], 0.975):+.3f}), better in {(gains[:, b] > 0).sum()}, worse in {(gains[:, b] < 0).sum()}; library after it {np.mean([size[b] for size in sizes]):.0f}")
        print(f"  last batch, items and shuffles resampled: {resampled(ours, theirs, last, y)}")
        for m in HEAD_OF:
            inside = [modality[now] == m for now in last]
            print(f"    {m:10} {resampled([o[i] for o, i in zip(ours, inside)], [t[i] for t, i in zip(theirs, inside)], [n[i] for n, i in zip(last, inside)], y)}")


def resampled(ours, theirs, last, y):
    """The last batch's F1 and gain; items are drawn anew, the same for all shuffles that hold them."""
    random = np.random.default_rng(7)
    differences = []
    for _ in range(DRAWS):
        count = np.bincount(random.integers(0, len(y), len(y)), minlength=len(y))
        pick = random.integers(0, len(last), len(last))
        differences.append(np.mean([weighted_f1(ours[s], y[last[s]], count[last[s]]) - weighted_f1(theirs[s], y[last[s]], count[last[s]]) for s in pick]))
    low, high = np.quantile(differences, [0.025, 0.975])
    mean = lambda said: np.mean([f1(s, y[n]) for s, n in zip(said, last)])
    return f"{mean(ours):.3f}, control {mean(theirs):.3f}, {mean(ours) - mean(theirs):+.3f} ({low:+.3f} to {high:+.3f})"


def weighted_f1(said, labels, count):
    return 2 * (count * said * labels).sum() / max(1, (count * said).sum() + (count * labels).sum())


def calibrated(logit, refusal, y, modality, fold):
    X = np.zeros((len(y), 10))
    for i, m in enumerate(HEAD_OF):
        X[modality == m, 2 * i], X[modality == m, 2 * i + 1] = logit[modality == m], 1
    X[:, 6] = refusal
    s = np.zeros(len(y))
    for k in range(5):
        s[fold == k] = X[fold == k] @ fit(X[fold != k], y[fold != k], np.full((fold != k).sum(), 1 / (fold != k).sum()))
    return s


def main():
    folds, apart, data, seeds, air, weights_file = sys.argv[1:7]
    weights = json.load(open(weights_file))
    retrieval(load(folds, apart, data, seeds), weights["threshold"])
    learning(air, data, weights)


if __name__ == "__main__":
    main()
