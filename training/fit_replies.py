"""Fits what the debate over an exchange makes of the models' scores: python3 training/fit_replies.py GUARD-FOLDS.npz GUARD-UNSEEN.npz REPLY-FOLDS.npz REPLY-UNSEEN.npz REPLIES.jsonl.gz READINGS.jsonl OUT.json

The auditor argues from the guard's `reply` logit, the detector from the reply model's, the critic from both and from
whether the response refuses or is beside the point (READINGS are from read-exchanges.ts). All figures are cross-validated: neither the models nor the weights saw the fold they are
measured on, and sets that may only be measured were never trained or fitted on.
"""

import gzip
import json
import sys

import numpy as np
from scipy.optimize import minimize

GUARD_REPLY_HEAD = 3
# Set by set the unsafe and the safe weigh alike, so that no set's share of unsafe items becomes a prior.
FITTED = {"b_diasafety_test": 1.0, "b_harmbench_response": 1.0, "b_do_not_answer": 0.5}
MEASURED = ["b_beavertails_test", "b_saferlhf"]
# One bar for all sets: a little below one half.
BAR = -0.1
SYSTEMS = {"guard alone (auditor)": ["guard"], "reply model alone (detector)": ["reply"], "without refusal evidence": ["guard", "reply"], "without relevance": ["guard", "reply", "refused"], "debate": ["guard", "reply", "refused", "beside"]}
# As in src/reasoners/embedded/evaluation/deliberation.ts.
LEAST_RESEMBLANCE, CLEAN, FEW_WORDS = 0.2, -3, 40


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def fit(design, labels, weights, ridge=1e-3):
    def loss(c):
        s = design @ c
        shrunk = np.append(c[:-1], 0)
        value = (weights * (np.logaddexp(0, s) - labels * s)).sum() / weights.sum() + ridge * (shrunk**2).sum()
        return value, design.T @ (weights * (sigmoid(s) - labels)) / weights.sum() + 2 * ridge * shrunk

    return minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x


def f1(said, labels):
    return 2 * (said & labels).sum() / max(1, said.sum() + labels.sum())


def accuracy(said, labels):
    return (said == labels).mean()


def auc(scores, labels):
    ranks = np.argsort(np.argsort(scores)) + 1
    positives = labels.sum()
    return (ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * (len(labels) - positives))


# The sets with a goal, each by its published metric.
GOALS = {"b_diasafety_test": accuracy, "b_harmbench_response": f1, "b_beavertails_test": f1}


def logits_of(*paths):
    found = {}
    for path in paths:
        archive = np.load(path)
        found.update((key, row.astype(float)) for key, row in zip(archive["keys"], archive["logits"]) if key and not key.startswith("refusal/"))
    return found


def is_beside(item):
    return item["characters"] >= FEW_WORDS and item["surface"] <= CLEAN and item["near"] < LEAST_RESEMBLANCE


def gain(metric, ours, theirs, labels, chosen, random):
    draws = [random.choice(chosen, len(chosen)) for _ in range(2000)]
    gains = [metric(ours[i], labels[i]) - metric(theirs[i], labels[i]) for i in draws]
    return np.mean(gains), np.quantile(gains, 0.025), np.quantile(gains, 0.975)


def main():
    guard_folds, guard_unseen, reply_folds, reply_unseen, data, readings, out = sys.argv[1:8]
    rows = {row["key"]: row for row in map(json.loads, gzip.open(data, "rt", encoding="utf-8")) if row["key"]}
    guard, reply = logits_of(guard_folds, guard_unseen), logits_of(reply_folds, reply_unseen)
    keys = [key for key in reply if key in guard and rows[key]["source"] in [*FITTED, *MEASURED]]
    source, fold = np.array([rows[key]["source"] for key in keys]), np.array([rows[key]["fold"] for key in keys])
    labels = np.array([rows[key]["label"] == 1 for key in keys])
    features = {
        "guard": np.array([guard[key][GUARD_REPLY_HEAD] for key in keys]),
        "reply": np.array([reply[key][0] for key in keys]),
        "refused": sigmoid(np.array([reply[key][1] for key in keys])),
    }
    read = {item["id"]: item for item in map(json.loads, open(readings, encoding="utf-8"))}
    features["beside"] = np.array([float(is_beside(read[key])) for key in keys])
    weights = np.zeros(len(keys))
    for name, weight in FITTED.items():
        for label in (False, True):
            chosen = (source == name) & (labels == label)
            weights[chosen] = weight / 2 / chosen.sum()
    fitted = np.isin(source, list(FITTED))

    def scores_of(names):
        design = np.stack([features[name] for name in names] + [np.ones(len(keys))], 1)
        scores = np.zeros(len(keys))
        for k in range(5):
            others = fitted & (fold != k)
            scores[fold == k] = design[fold == k] @ fit(design[others], labels[others], weights[others])
        final = fit(design[fitted], labels[fitted], weights[fitted])
        scores[fold == -2] = design[fold == -2] @ final
        return scores, final

    scored = {name: scores_of(names) for name, names in SYSTEMS.items()}
    random = np.random.default_rng(7)
    bare = scored["guard alone (auditor)"][0] > BAR
    for name, (scores, final) in scored.items():
        print(f"{name}: {dict(zip([*SYSTEMS[name], 'intercept'], np.round(final, 3).tolist()))}")
        for dataset in [*FITTED, *MEASURED]:
            chosen = np.flatnonzero(source == dataset)
            metric = accuracy if dataset == "b_diasafety_test" else f1
            mean, low, high = gain(metric, scores > BAR, bare, labels, chosen, random)
            print(f"  {dataset:22} n={len(chosen):5} accuracy {accuracy(scores[chosen] > BAR, labels[chosen]):.3f} F1 {f1(scores[chosen] > BAR, labels[chosen]):.3f} AUC {auc(scores[chosen], labels[chosen]):.3f} gain over the guard alone in {metric.__name__} {mean:+.4f} ({low:+.4f} to {high:+.4f})")

    scores, final = scored["debate"]
    alone = scored["guard alone (auditor)"][0]
    for dataset in [*FITTED, *MEASURED]:
        mean, low, high = gain(auc, scores, alone, labels, np.flatnonzero(source == dataset), random)
        print(f"debate: {dataset:22} gain over the guard alone in AUC {mean:+.4f} ({low:+.4f} to {high:+.4f})")
    draws = []
    for _ in range(2000):
        chosen = {name: random.choice(np.flatnonzero(source == name), (source == name).sum()) for name in GOALS}
        draws.append(np.mean([metric(scores[chosen[name]] > BAR, labels[chosen[name]]) - metric(bare[chosen[name]], labels[chosen[name]]) for name, metric in GOALS.items()]))
    print(f"debate: mean gain over {', '.join(GOALS)} {np.mean(draws):+.4f} ({np.quantile(draws, 0.025):+.4f} to {np.quantile(draws, 0.975):+.4f})")
    probability = sigmoid(scores)
    wrong = (scores > BAR) != labels
    band = [sigmoid(BAR), sigmoid(BAR)]
    edges = np.quantile(probability[fitted], np.linspace(0, 1, 21))
    for low, high in zip(edges[:-1], edges[1:]):
        inside = fitted & (probability >= low) & (probability <= high)
        rate = np.average(wrong[inside], weights=weights[inside])
        print(f"   probability {low:.3f} to {high:.3f}: {inside.sum()} items, {rate:.2f} wrong, {np.average(labels[inside], weights=weights[inside]):.2f} unsafe")
        if rate > 0.25:
            band = [min(band[0], low), max(band[1], high)]
    line = lambda name: {"slope": round(scored[name][1][0], 4), "intercept": round(scored[name][1][1], 4)}
    result = {
        "version": 1,
        "auditor": line("guard alone (auditor)"),
        "detector": line("reply model alone (detector)"),
        "critic": {**{name: round(value, 4) for name, value in zip(SYSTEMS["debate"], final)}, "intercept": round(final[-1], 4)},
        "threshold": round(float(sigmoid(BAR)), 4),
        "band": [round(float(edge), 3) for edge in band],
    }
    json.dump(result, open(out, "w"), indent=2)
    open(out, "a").write("\n")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
