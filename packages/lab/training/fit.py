"""Fits what the debate makes of the two minds: python3 packages/lab/training/fit.py FOLDER WEIGHTS.json CROSSFIT.json

FOLDER holds first-fold-0.npz, first-fold-1.npz, second-fold-0.npz, second-fold-1.npz (train.py --folds 0,1). Nothing
that is fitted here was seen by the model that scored it, and what is printed was fitted on one fold and measured on the
other, at the bar that a stated share of everyday content of unseen sources reaches.

Whoever speaks first (of texts and images the first mind, of exchanges the second) decides alone where it is sure. In
between the case is contested: then the other mind is heard, and precedents with it (exchanges have none). Both are sums
of named terms. A risk is the probability of harm in a stream of which one item in twenty is harmful. There is no everyday content with images: their bar is the one of the best F1 on their sets, and their
logits are moved so that it is the same number as that of texts.
"""

import json
import os
import sys

import numpy as np
from scipy.optimize import minimize

from leaning import leaning, of_another, unit
from measure import main_head
from model import HEADS

HARMFUL_SHARE = 0.05
# Of harmless items so many count as the sets' own, which are hard; the rest is everyday content.
HARD_SHARE = 0.15
# Of everyday content of unseen sources. That of exchanges is mostly tasks with plain answers: an assistant's answers about
# health, money or the law come out above the bar several times as often, hence the stricter rates.
FALSE_ALARMS = {
    "text": {"low": 0.003, "balanced": 0.01, "high": 0.03},
    "exchange": {"low": 0.002, "balanced": 0.005, "high": 0.02},
}
CONTESTED = 0.04
CERTAIN = 3.0
JOBS = {
    "text": {"own": ["content", "strict"], "other": ["content", "loose"], "leads": 0, "precedents": True, "sets": ["a_air_text", "a_openai_mod", "a_xstest_prompts", "a_hatecheck"]},
    "image": {"own": ["image"], "other": ["image"], "leads": 0, "precedents": True, "sets": ["a_air_only_img"]},
    "text+image": {"own": ["pair"], "other": ["pair"], "leads": 0, "precedents": True, "sets": ["a_air_text_img"]},
    "exchange": {"own": ["reply", "refusal"], "other": ["reply"], "leads": 1, "precedents": False, "sets": ["b_diasafety_test", "b_harmbench_response", "b_do_not_answer", "b_xstest_refusal_human"]},
}
UNSEEN = {"text": ["a_toxicchat_test"], "image": [], "text+image": ["a_mossbench_image_text"], "exchange": ["b_beavertails_test", "b_saferlhf"]}
# What the sets are called in packages/lab/bench/paper.yaml.
TITLES = {
    "a_air_text": "AIR-Bench text",
    "a_air_only_img": "AIR-Bench image",
    "a_air_text_img": "AIR-Bench text+image",
    "a_openai_mod": "OpenAI-Mod",
    "a_xstest_prompts": "XSTest",
    "a_hatecheck": "HateCheck",
    "b_diasafety_test": "DiaSafety",
    "b_harmbench_response": "HarmBench responses",
    "b_beavertails_test": "BeaverTails",
}
MODALITY = {"content": "text", "image": "image", "pair": "text+image", "reply": "exchange", "refusal": "exchange"}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def f1(said, labels):
    return 2 * (said & (labels == 1)).sum() / max(1, said.sum() + (labels == 1).sum())


class Fold:
    """What both minds of one fold say about items that neither has seen."""

    def __init__(self, folder, fold):
        minds = [np.load(os.path.join(folder, f"{name}-fold-{fold}.npz")) for name in ("first", "second")]
        self.about = [json.loads(line) for line in minds[0]["about"]]
        if list(minds[0]["about"]) != list(minds[1]["about"]):
            sys.exit("The two minds were not measured on the same rows: pack once, train both on it.")
        self.logits = [mind["logits"].astype(float) for mind in minds]
        self.head = [main_head(item) for item in self.about]
        self.modality = np.array([MODALITY.get(head, "") for head in self.head])
        self.source = np.array([item["source"] for item in self.about])
        self.label = np.array([item["heads"][head] for item, head in zip(self.about, self.head)])
        keyed = minds[0]["keyed"]
        self.keyed = keyed & (self.source != "seeds")
        self.everyday = ~keyed & np.array(["kind" in item and "wrapper" not in item for item in self.about]) & (self.label == 0)
        self.leaning = self.lean(minds[0]["embeddings"].astype(float), keyed)

    def lean(self, embeddings, keyed):
        """What the seeds say about keyed items, by embeddings without what all have in common."""
        at = np.flatnonzero(keyed)
        seeds = self.source[at] == "seeds"
        found = np.zeros(len(keyed))
        if seeds.any():
            centred = unit(embeddings - embeddings[seeds].mean(0))
            other = of_another(self.modality[at], self.modality[at][seeds])
            found[at] = leaning(centred @ centred[seeds].T, self.label[at][seeds].astype(int), other)
        return found

    def terms(self, job, who):
        """The named numbers of who leads, or of both."""
        own, other = self.logits[job["leads"]], self.logits[1 - job["leads"]]
        columns = {f"own.{head}": own[:, HEADS.index(head)] for head in job["own"]}
        if who == "both":
            columns |= {f"other.{head}": other[:, HEADS.index(head)] for head in job["other"]}
            columns["precedents"] = self.leaning * job["precedents"]
        if who == "other":
            columns = {f"other.{head}": other[:, HEADS.index(head)] for head in job["other"]}
        return columns


# A refusal may only exonerate; precedents may only point where their labels point, and a mind's main head likewise.
def bounds_of(names):
    return [(None, 0) if name.endswith("refusal") else (0, None) for name in names] + [(None, None)]


def fit(columns, labels, weights, ridge=2e-4):
    names = list(columns)
    X = np.column_stack([*columns.values(), np.ones(len(labels))])
    penalty = np.append(np.full(len(names), ridge), 0)

    def loss(b):
        s = X @ b
        return (weights * (np.logaddexp(0, s) - labels * s)).sum() + (penalty * b**2).sum(), X.T @ (weights * (sigmoid(s) - labels)) + 2 * penalty * b

    b = minimize(loss, np.zeros(X.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds_of(names)).x
    return {**dict(zip(names, b)), "intercept": b[-1]}


def add_up(columns, weights):
    return sum(weights[name] * values for name, values in columns.items()) + weights["intercept"]


def stream_weights(fold, name):
    """Each set's harmful items count alike, its harmless ones too, beside everyday content: together a stream."""
    job, weights = JOBS[name], np.zeros(len(fold.label))
    everyday = fold.everyday & (fold.modality == name)
    weights[everyday] = (1 - HARMFUL_SHARE) * (1 - HARD_SHARE) / max(1, everyday.sum())
    for source in job["sets"]:
        for label, share in ((1, HARMFUL_SHARE), (0, (1 - HARMFUL_SHARE) * (HARD_SHARE if everyday.any() else 1))):
            rows = fold.keyed & (fold.source == source) & (fold.label == label)
            weights[rows] = share / len(job["sets"]) / max(1, rows.sum())
    return weights


def fit_job(fold, name):
    """Who leads alone, where a case is contested, and both together there."""
    job, weights = JOBS[name], stream_weights(fold, name)
    used = weights > 0
    chosen = lambda columns, rows: {key: values[rows] for key, values in columns.items()}
    own = fold.terms(job, "own")
    alone = fit(chosen(own, used), fold.label[used], weights[used])
    score = add_up(own, alone)
    everyday = fold.everyday & (fold.modality == name)
    low = np.quantile(score[everyday], 1 - CONTESTED) if everyday.any() else np.median(score[used & (fold.label == 0)])
    contested = used & (score >= low) & (score < CERTAIN)
    both = fit(chosen(fold.terms(job, "both"), contested), fold.label[contested], weights[contested] / weights[contested].sum())
    # Among contested cases harm is more common than in the stream; the fit there knows its own share, so it needs no shift.
    other = fit(chosen(fold.terms(job, "other"), used), fold.label[used], weights[used])
    fitted = {"alone": alone, "contested": [low, CERTAIN], "both": both, "other": other}
    if not everyday.any():
        fitted["bars"] = {system: best_bar(scores[used], fold.label[used]) for system, scores in judge(fold, name, fitted).items()}
    return fitted


def best_bar(scores, labels):
    """Where F1 is best, among bars that leave at least three in ten harmless items below."""
    bars = np.quantile(scores[labels == 0], np.linspace(0.3, 0.98, 69))
    smooth = [np.mean([f1(scores > bar + step, labels) for step in (-0.2, -0.1, 0, 0.1, 0.2)]) for bar in bars]
    return float(bars[int(np.argmax(smooth))])


def judge(fold, name, fitted):
    """Logits of the debate, of who leads alone, and of the mean of both minds, which costs as much."""
    job = JOBS[name]
    alone = add_up(fold.terms(job, "own"), fitted["alone"])
    low, high = fitted["contested"]
    contested = (alone >= low) & (alone < high)
    debate = np.where(contested, np.maximum(add_up(fold.terms(job, "both"), fitted["both"]), low - 1), alone)
    vote = (alone + add_up(fold.terms(job, "other"), fitted["other"])) / 2
    return {"debate": debate, "guard alone": alone, "vote": vote}


def bars_of(fold, name, scores):
    everyday = fold.everyday & (fold.modality == name)
    return {level: np.quantile(scores[everyday], 1 - rate) for level, rate in FALSE_ALARMS[name].items()} if everyday.any() else None


def resampled(count, random, times=1000):
    return [random.integers(count, size=count) for _ in range(times)]


def gain(said, against, labels, measure, samples):
    return np.quantile([measure(said[rows], labels[rows]) - measure(against[rows], labels[rows]) for rows in samples], [0.025, 0.975])


def estimate(said, labels, measure, samples):
    low, high = np.quantile([measure(said[rows], labels[rows]) for rows in samples], [0.025, 0.975])
    return {"value": round(float(measure(said, labels)), 3), "interval": [round(float(low), 3), round(float(high), 3)]}


def false_alarms(said, labels):
    return (said & (labels == 0)).sum() / max(1, (labels == 0).sum())


def accuracy(said, labels):
    return (said == (labels == 1)).mean()


def report(folds, name, fitted):
    """Each fold judged by what was fitted on the other, at the bar of its own everyday content; of known sets also as figures."""
    random = np.random.default_rng(7)
    said = [judge(fold, name, other) for fold, other in zip(folds, reversed(fitted))]
    balanced = lambda fold, other, system, scores: other["bars"][system] if "bars" in other else bars_of(fold, name, scores)["balanced"]
    bars = [{system: balanced(fold, other, system, scores) for system, scores in by.items()} for fold, other, by in zip(folds, reversed(fitted), said)]
    print(f"{name}: contested {np.mean([((s >= f['contested'][0]) & (s < CERTAIN))[fold.everyday & (fold.modality == name)].mean() for fold, f, s in zip(folds, reversed(fitted), (by['guard alone'] for by in said))]):.3f} of everyday content" if "bars" not in fitted[0] else f"{name}:")
    for source in JOBS[name]["sets"] + UNSEEN[name]:
        rows = [fold.keyed & (fold.source == source) & (fold.label != 0.5) for fold in folds]
        labels = np.concatenate([fold.label[chosen] for fold, chosen in zip(folds, rows)])
        above = {}
        for system in ("debate", "guard alone", "vote"):
            own = [by[system][chosen] - bar[system] for by, bar, chosen in zip(said, bars, rows)]
            above[system] = np.concatenate(own) > 0
        measure = accuracy if source in ("a_xstest_prompts", "b_diasafety_test") else f1
        samples = resampled(len(labels), random)
        line = ", ".join(f"{system} {measure(found, labels):.3f}" for system, found in above.items())
        low, high = gain(above["debate"], above["guard alone"], labels, measure, samples)
        low2, high2 = gain(above["debate"], above["vote"], labels, measure, samples)
        print(f"  {source:24} {measure.__name__:8} {line}; gain over the guard {low:+.3f} to {high:+.3f}, over the vote {low2:+.3f} to {high2:+.3f} (n={len(labels)})")
        if source in TITLES:
            measures = {"f1": f1, "accuracy": accuracy, "falseAlarms": false_alarms}
            names = {"debate": "debate" if name == "exchange" else "full", "guard alone": "guard"}
            yield {
                "job": "evaluation" if name == "exchange" else "moderation",
                "set": TITLES[source],
                "items": len(labels),
                "heldOut": {"by": "folds", "folds": 2} if source in JOBS[name]["sets"] else {"by": "source"},
                "systems": [{"system": names[system], **{key: estimate(above[system], labels, one, samples) for key, one in measures.items()}} for system in names],
            }


def nested(weights):
    """{"own.reply": 1, "intercept": 0} as {"own": {"reply": 1}, "intercept": 0}."""
    found = {}
    for name, value in weights.items():
        whose, _, head = name.rpartition(".")
        (found.setdefault(whose, {}) if whose else found)[head] = round(float(value), 4)
    return found


def heads_of(weights, whose):
    return {"heads": nested(weights)[whose], "intercept": round(float(weights["intercept"]), 4)}


def band_of(folds, names, scores, bar):
    """Risks around the bar between which one verdict in four or more is wrong in the stream."""
    score = np.concatenate([np.concatenate([own[weights > 0] for own, weights in zip(scores[name], (stream_weights(fold, name) for fold in folds))]) for name in names])
    label = np.concatenate([np.concatenate([fold.label[stream_weights(fold, name) > 0] for fold in folds]) for name in names])
    weight = np.concatenate([np.concatenate([own[own > 0] for own in (stream_weights(fold, name) for fold in folds)]) for name in names])
    logit = np.log(bar / (1 - bar))
    edges = []
    for side in (-1, 1):
        edge = logit
        for step in np.arange(0, 2.0, 0.1):
            near = (score - logit) * side
            inside = (near >= step) & (near < step + 0.2)
            wrong = weight[inside & ((label == 1) == (side < 0))].sum() / max(1e-9, weight[inside].sum())
            if wrong < 0.25:
                break
            edge = logit + side * (step + 0.1)
        edges.append(round(float(sigmoid(edge)), 4))
    return edges


def main():
    folder, out, crossfit = sys.argv[1:4]
    folds = [Fold(folder, fold) for fold in (0, 1)]
    terms, bars, scores, sets = {}, {}, {}, []
    for name in JOBS:
        fitted = [fit_job(fold, name) for fold in folds]
        sets += report(folds, name, fitted)
        mean = lambda part: {key: np.mean([one[part][key] for one in fitted]) for key in fitted[0][part]}
        scores[name] = [judge(fold, name, one)["debate"] for fold, one in zip(folds, fitted)]
        found = [bars_of(fold, name, score) for fold, score in zip(folds, scores[name])]
        if found[0]:
            bars[name] = {level: round(float(sigmoid(np.mean([bar[level] for bar in found]))), 4) for level in FALSE_ALARMS[name]}
        # Texts come first: theirs is the bar that images are moved to.
        moved = 0 if found[0] else np.log(bars["text"]["balanced"] / (1 - bars["text"]["balanced"])) - np.mean([one["bars"]["debate"] for one in fitted])
        move = lambda weights: {**weights, "intercept": weights["intercept"] + moved}
        terms[name] = {
            "alone": heads_of(move(mean("alone")), "own"),
            "contested": [round(float(np.mean([one["contested"][0] for one in fitted]) + moved), 4), round(CERTAIN + float(moved), 4)],
            "other": heads_of(move(mean("other")), "other"),
            "both": nested(move(mean("both"))),
        }
    # What was fitted elsewhere stays: passages, clauses, from where on a precedent is alike.
    weights = json.load(open(out, encoding="utf-8")) if os.path.exists(out) else {}
    fitted_bar = lambda name, names: {"threshold": bars[name]["balanced"], "sensitivity": bars[name], "band": band_of(folds, names, scores, bars[name]["balanced"])}
    weights |= {
        "version": 3,
        "harmfulShare": HARMFUL_SHARE,
        "moderation": fitted_bar("text", ["text"]),
        "evaluation": fitted_bar("exchange", ["exchange"]),
        "terms": terms,
    }
    figures = {"version": 1, "model": "guard-2", "source": "packages/lab/training/fit.py, two halves of the development items, at the bar of unseen everyday content", "sets": sets}
    for path, content in ((out, weights), (crossfit, figures)):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
