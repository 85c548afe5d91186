"""How well logits tell harm from everyday content: printed after each training, for people to read."""

import numpy as np

from model import HEADS

MAIN = ("content", "image", "pair", "reply", "refusal", "clause")


def main_head(row):
    return next(head for head in (*MAIN, *HEADS) if head in row["heads"])


def auc(scores, labels):
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    positives = labels.sum()
    return (ranks[labels == 1].sum() - positives * (positives + 1) / 2) / max(1, positives * (len(labels) - positives))


def report(rows, logits):
    """Ranking and F1 of each labelled set by its main head, at the logit that 1 % of everyday content passes."""
    heads = [main_head(row) for row in rows]
    own = np.array([logits[n, HEADS.index(head)] for n, head in enumerate(heads)])
    bars = {}
    for head in ("content", "reply"):
        everyday = [n for n, row in enumerate(rows) if heads[n] == head and "kind" in row and "key" not in row and "wrapper" not in row]
        if everyday:
            bars[head] = np.quantile(own[everyday], 0.99)
            refusals = [n for n in everyday if rows[n]["kind"] == "refusal"]
            told = f", refusals {(own[refusals] > bars[head]).mean():.3f}" if refusals else ""
            print(f"  everyday {head}: n={len(everyday)}, above 0: {(own[everyday] > 0).mean():.4f}, 1 % at {bars[head]:.2f}{told}", flush=True)
    for source in sorted({row["source"] for row in rows if "key" in row}):
        chosen = [n for n, row in enumerate(rows) if row["source"] == source and "key" in row and row["heads"][heads[n]] != 0.5]
        labels = np.array([rows[n]["heads"][heads[n]] for n in chosen])
        scores = own[chosen]
        f1 = lambda bar: 2 * ((scores > bar) & (labels == 1)).sum() / max(1, (scores > bar).sum() + labels.sum())
        best = max((f1(bar), bar) for bar in np.quantile(scores, np.linspace(0.02, 0.98, 97)))
        bar = bars.get(heads[chosen[0]], 0)
        right = ((scores > bar) == labels).mean()
        print(
            f"  {source:24} n={len(chosen):5} auc={auc(scores, labels):.3f} best f1={best[0]:.3f} at {best[1]:.2f}; at the bar: f1 {f1(bar):.3f} "
            f"accuracy {right:.3f} recall {(scores[labels == 1] > bar).mean():.3f}",
            flush=True,
        )
    for kind in sorted({row["wrapper"] for row in rows if "wrapper" in row}):
        chosen = [n for n, row in enumerate(rows) if row.get("wrapper") == kind and "content" in row["heads"]]
        labels = np.array([rows[n]["heads"]["content"] for n in chosen])
        over_bar = own[chosen] > bars.get("content", 0)
        caught = over_bar[labels == 1].mean() if labels.any() else np.nan
        print(f"  wrapped in {kind:12} harm caught {caught:.3f}, harmless above the bar {over_bar[labels == 0].mean():.3f} of {len(chosen)}", flush=True)
