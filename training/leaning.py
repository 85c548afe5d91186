"""What alike cases say about a case, as src/precedents chooses them and src/reasoners/embedded/moderation/deliberation.ts weighs them."""

import numpy as np

# Ten of the seeds and twenty of the confirmed cases are heard, the best of at least this similarity; when all have one
# label, the best of the other takes the last place.
SEEDS, CONFIRMED, LEAST = 10, 20, 0.8
# From here on a text is a copy, which is never shown.
COPY = 0.985
# Where an image is judged, a case of another modality counts as less alike by the spread, that is, e times less.
# A case at this distance counts as much as the imagined one of each label; one that is nearer by the spread, e times as much.
REMOTE, SPREAD = 0.85, 0.03


def leaning(similarity, unsafe, heard, other, remote=REMOTE, spread=SPREAD):
    """A row a case, a column a precedent (below LEAST: not to be seen; other: of another modality); the log odds of unsafe among the nearest. Voices of several kinds are added."""
    standing = similarity - spread * other
    seen = np.where((standing >= LEAST) & (similarity < COPY), standing, -np.inf)
    nearest = np.argsort(-seen, 1, kind="stable")[:, :heard]
    near, label = np.take_along_axis(seen, nearest, 1), unsafe[nearest].astype(float)
    for missing in (0, 1):
        others = np.where(unsafe == missing, seen, -np.inf)
        best = others.max(1)
        alone = np.isfinite(near[:, -1]) & (label != missing).all(1) & np.isfinite(best)
        near[alone, -1], label[alone, -1] = best[alone], missing
    weight = np.exp((near - remote) / spread)
    return np.log(((weight * label).sum(1) + 1) / ((weight * (1 - label)).sum(1) + 1))


def authority(similarity, confirmed, other, spread=SPREAD):
    """Cases that were decided right beside the mistakes make a library count up to twice as much: by their share among the nearest."""
    nearest = np.argsort(-(similarity - spread * other), 1, kind="stable")[:, :CONFIRMED]
    return 1 + confirmed[nearest].mean(1)


def of_another(modality, precedents):
    """Which precedents are of another modality than the case; to a text none is."""
    return (modality[:, None] != precedents) & (modality[:, None] != "text")


def unit(vectors):
    vectors = vectors.astype(float)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
