"""How often the reader is right on pairs that it did not see: printed after each training, for people to read."""

import numpy as np

SUPPORTS, REFUTES, NEITHER = range(3)


def softmax(logits):
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def balanced(found, wanted):
    return np.mean([(found[wanted == value] == value).mean() for value in np.unique(wanted)])


def judge_group(logits):
    """Of several passages for one claim: the log odds of support against refutation, those that say most counting most."""
    shares = softmax(logits)
    weight = (1 - shares[:, NEITHER]) ** 2 + 1e-6
    return float((weight * (logits[:, SUPPORTS] - logits[:, REFUTES])).sum() / weight.sum())


def report(about, logits):
    labels = np.array([row["label"] for row in about])
    for source in sorted({row["source"] for row in about}):
        chosen = np.array([n for n, row in enumerate(about) if row["source"] == source])
        own, wanted = logits[chosen], labels[chosen]
        odds = own[:, SUPPORTS] - own[:, REFUTES]
        if source == "findver":
            report_groups(about, logits, chosen)
        elif source == "tabfact":
            print(f"  tabfact          n={len(chosen):5} two ways {((odds < 0) == (wanted == REFUTES)).mean():.3f}", flush=True)
        elif source == "summedits":
            supported = softmax(own)[:, SUPPORTS]
            best = max((balanced(supported > bar, wanted == SUPPORTS), bar) for bar in np.linspace(0.1, 0.9, 33))
            told = balanced(own.argmax(1) == SUPPORTS, wanted == SUPPORTS)
            print(f"  summedits        n={len(chosen):5} balanced {told:.3f}, best {best[0]:.3f} at {best[1]:.2f}", flush=True)
        else:
            found = own.argmax(1)
            two = (wanted != NEITHER).nonzero()[0]
            by_label = [f"{(found[wanted == value] == value).mean():.2f}" for value in range(3) if (wanted == value).any()]
            print(f"  {source:16} n={len(chosen):5} three ways {(found == wanted).mean():.3f}, by label {' '.join(by_label)}; two ways {((odds[two] < 0) == (wanted[two] == REFUTES)).mean():.3f}", flush=True)
            report_kinds(about, chosen, found, wanted)


def report_kinds(about, chosen, found, wanted):
    kinds = [about[n]["kind"] for n in chosen]
    told = [f"{kind} {(found == wanted)[[k == kind for k in kinds]].mean():.2f}" for kind in sorted(set(kinds))]
    if len(told) > 1:
        print(f"    {', '.join(told)}", flush=True)


def report_groups(about, logits, chosen):
    """FinDVer: a claim has several passages, gold ones or retrieved ones."""
    for kind in ("gold", "retrieved"):
        groups = {}
        for n in chosen:
            if about[n]["kind"] == kind:
                groups.setdefault(about[n]["key"].split("#")[0], []).append(n)
        right = [(judge_group(logits[some]) < 0) == (about[some[0]]["label"] == REFUTES) for some in groups.values()]
        print(f"  findver {kind:9} n={len(right):5} two ways {np.mean(right):.3f}", flush=True)
