"""The reader: the first layers of gte-small over a claim and a passage, with a head for supports, refutes and neither.

Beside word, place and segment each token has eight small numbers (sequence.py), each with an embedding of its own. A
logit is the sum of its tokens' shares and a bias, the tokens weighed by attention per class: code can say which cells
or words a judgement came from. Batches have no padding, as in training/packed.py; on a CPU attention is padded.
"""

import numpy as np
import torch
from torch import nn
from torch.nn.functional import dropout, gelu, scaled_dot_product_attention

from sequence import LENGTH, SIZES

CLASSES = ("supports", "refutes", "neither")
WIDTH, HEADS, INNER, HIDDEN = 384, 12, 1536, 48
EPSILON = 1e-12


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.mix = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm_mixed, self.norm = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, states, attend, rate=0.0):
        query, key, value = (part(states).unflatten(-1, (HEADS, -1)) for part in (self.query, self.key, self.value))
        mixed = self.mix(attend(query, key, value).flatten(-2))
        states = self.norm_mixed(states + dropout(mixed, rate, rate > 0))
        return self.norm(states + dropout(self.narrow(gelu(self.wide(states))), rate, rate > 0))


class Reader(nn.Module):
    def __init__(self, pieces, layers):
        super().__init__()
        self.words, self.places, self.segments = nn.Embedding(pieces, WIDTH), nn.Embedding(LENGTH, WIDTH), nn.Embedding(2, WIDTH)
        self.features = nn.ModuleList(nn.Embedding(size, WIDTH) for size in SIZES)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.linear = nn.Linear(WIDTH, len(CLASSES))
        self.hidden = nn.Linear(WIDTH, len(CLASSES) * HIDDEN)
        self.narrow = nn.Parameter(torch.zeros(len(CLASSES), HIDDEN))
        self.attention = nn.Linear(WIDTH, len(CLASSES), bias=False)
        nn.init.normal_(self.linear.weight, std=0.02)
        nn.init.zeros_(self.linear.bias)
        nn.init.normal_(self.narrow, std=0.02)
        nn.init.zeros_(self.attention.weight)
        for table in self.features:
            nn.init.normal_(table.weight, std=0.01)
            # Nothing to say adds nothing.
            nn.init.zeros_(table.weight[0])

    def embed(self, ids, places, segments, features):
        states = self.words(ids) + self.places(places) + self.segments(segments)
        for at, table in enumerate(self.features):
            states = states + table(features[..., at])
        return self.norm(states)

    def token_scores(self, states):
        hidden = gelu(self.hidden(states)).unflatten(-1, (len(CLASSES), HIDDEN))
        return states @ self.linear.weight.T + (hidden * self.narrow).sum(-1)


def load_base(path):
    """The base's first layers from base.npz (base.py), heads fresh."""
    with np.load(path) as file:
        state = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    reader = Reader(len(state["words.weight"]), layers)
    missing = set(state) - set(reader.state_dict())
    if missing:
        raise SystemExit(f"{path} has tensors that the reader lacks: {sorted(missing)[:3]}")
    reader.load_state_dict(state, strict=False)
    return reader


class Pairs:
    """Packed sequences on the device."""

    def __init__(self, packed, names, device):
        self.device = device
        self.lengths = packed["lengths"].astype(np.int64)
        self.ids = torch.from_numpy(packed["ids"].astype(np.int32)).to(device)
        self.features = torch.from_numpy(np.stack([packed[name] for name in names], 1)).to(device)
        self.length = torch.from_numpy(self.lengths).to(device)
        self.offset = torch.cumsum(self.length, 0) - self.length
        self.start = torch.from_numpy(packed["starts"].astype(np.int64)).to(device)

    def batch(self, chosen):
        return Batch(self, chosen)


class Batch:
    """Some sequences, one after the other: of each token its id, its sequence, its place there, and its features."""

    def __init__(self, pairs, chosen):
        device = pairs.device
        self.rows = len(chosen)
        self.index = torch.from_numpy(np.ascontiguousarray(chosen)).to(device)
        self.length = pairs.length[self.index]
        ends = torch.cumsum(self.length, 0)
        self.bounds = torch.cat([ends.new_zeros(1), ends]).to(torch.int32)
        self.longest = int(pairs.lengths[chosen].max())
        total = int(pairs.lengths[chosen].sum())
        self.text = torch.repeat_interleave(torch.arange(self.rows, device=device), self.length, output_size=total)
        self.place = torch.arange(total, device=device) - (ends - self.length)[self.text]
        at = pairs.offset[self.index][self.text] + self.place
        self.ids, self.features = pairs.ids[at].long(), pairs.features[at].long()
        self.segment = (self.place >= pairs.start[self.index][self.text]).long()


def attend_packed(batch):
    """Attention within each sequence: PyTorch's varlen kernel on a GPU, padded elsewhere."""
    try:
        from torch.nn.attention.varlen import varlen_attn
    except ImportError:
        varlen_attn = None

    def attend(query, key, value):
        if query.is_cuda and varlen_attn is not None:
            return varlen_attn(query, key, value, batch.bounds, batch.bounds, batch.longest, batch.longest)
        shape = (batch.rows, batch.longest, *query.shape[1:])
        at = batch.text * batch.longest + batch.place
        spread = [part.new_zeros(shape).flatten(0, 1).index_copy(0, at, part).view(shape).transpose(1, 2) for part in (query, key, value)]
        mask = (torch.arange(batch.longest, device=query.device)[None, :] < batch.length[:, None])[:, None, None, :]
        return scaled_dot_product_attention(*spread, attn_mask=mask).transpose(1, 2).flatten(0, 1)[at]

    return attend


def read(reader, batch, rate=0.0):
    """Logits of each pair."""
    attend = attend_packed(batch)
    states = dropout(reader.embed(batch.ids, batch.place, batch.segment, batch.features), rate, rate > 0)
    for layer in reader.layers:
        states = layer(states, attend, rate)
    states = states.float()
    with torch.autocast(states.device.type, enabled=False):
        weight = reader.attention(states)
        most = weight.new_full((batch.rows, len(CLASSES)), -1e9).scatter_reduce(0, batch.text[:, None].expand_as(weight), weight, "amax")
        weight = (weight - most.detach()[batch.text]).exp()
        whole = weight.new_zeros(batch.rows, len(CLASSES)).index_add(0, batch.text, weight)
        shares = reader.token_scores(states) * weight / whole[batch.text]
        return shares.new_zeros(batch.rows, len(CLASSES)).index_add(0, batch.text, shares) + reader.linear.bias


def fill_batches(lengths, rows, tokens, most_rows):
    """Rows in the given order, so many tokens at a time."""
    batches, start = [], 0
    ends = np.cumsum(lengths[rows])
    while start < len(rows):
        before = ends[start - 1] if start else 0
        size = int(np.searchsorted(ends, before + tokens, side="right")) - start
        size = max(1, min(size, most_rows))
        batches.append(rows[start : start + size])
        start += size
    return batches
