"""What alike cases say about a case, as packages/models/src/precedents chooses them and packages/models/src/reasoners/embedded/moderation/deliberation.ts weighs them."""

import numpy as np

# Ten of the seeds are heard, the nearest of at least this similarity; from COPY on a text is a copy, which is never shown.
SEEDS, LEAST, COPY = 10, 0.5, 0.985
# A case at this distance counts as much as the imagined one of each label; one that is nearer by the spread, e times as much.
REMOTE, SPREAD = 0.38, 0.13


def leaning(similarity, unsafe, other):
    """A row a case, a column a precedent; the log odds of unsafe among the nearest. One of another modality counts e times less."""
    seen = np.where((similarity >= LEAST) & (similarity < COPY), similarity, -np.inf)
    weight = np.exp((seen - REMOTE) / SPREAD - other)
    nearest = np.argsort(-weight, 1, kind="stable")[:, :SEEDS]
    near, label = np.take_along_axis(weight, nearest, 1), unsafe[nearest]
    return np.log(((near * label).sum(1) + 1) / ((near * (1 - label)).sum(1) + 1))


def of_another(modality, precedents):
    """Which precedents are of another modality than the case; to a text none is."""
    return (modality[:, None] != precedents) & (modality[:, None] != "text")


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
