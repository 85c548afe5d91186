"""Texts without padding: all tokens of a batch stand in one row, and attention stays within each text.

A third of the work of padded batches goes into padding; and texts of all lengths share a batch, so that a row counts
the same in any. On a GPU attention is PyTorch's varlen kernel; on a CPU (for trying things out) it is padded.
"""

import json

import numpy as np
import torch
from torch.nn.functional import dropout, gelu, normalize, scaled_dot_product_attention

from model import HEADS

NO_RESPONSE = 65535


class Texts:
    """Token sequences as they were packed by pack.py, on the device."""

    def __init__(self, ids, lengths, starts=None, device="cuda"):
        self.lengths = np.asarray(lengths).astype(np.int64)
        self.device = device
        # One place more than there are tokens, so that a gather of nothing has somewhere to point.
        self.flat = torch.from_numpy(np.append(np.asarray(ids).astype(np.int32), 0).astype(np.int32)).to(device)
        self.length = torch.from_numpy(self.lengths).to(device)
        self.offset = torch.cumsum(self.length, 0) - self.length
        starts = np.full(len(self.lengths), NO_RESPONSE) if starts is None else np.asarray(starts)
        self.start = torch.from_numpy(starts.astype(np.int64)).to(device)

    def batch(self, chosen):
        return Batch(self, chosen)


class Batch:
    """Some texts, one after the other: of each token its id, its text, its place there, and whether it is pooled."""

    def __init__(self, texts, chosen):
        device = texts.device
        self.rows = len(chosen)
        self.index = torch.from_numpy(np.ascontiguousarray(chosen)).to(device)
        length = texts.length[self.index]
        ends = torch.cumsum(length, 0)
        self.bounds = torch.cat([ends.new_zeros(1), ends]).to(torch.int32)
        self.longest = int(texts.lengths[chosen].max())
        total = int(texts.lengths[chosen].sum())
        self.text = torch.repeat_interleave(torch.arange(self.rows, device=device), length, output_size=total)
        self.place = torch.arange(total, device=device) - (ends - length)[self.text]
        self.ids = texts.flat[texts.offset[self.index][self.text] + self.place].long()
        start = texts.start[self.index]
        self.second = (self.place >= start[self.text]).long()
        self.is_exchange = start < NO_RESPONSE
        # An exchange is pooled over its response alone.
        self.pooled = (self.second == 1) | ~self.is_exchange[self.text]
        self.length = length


def encode(encoder, batch, rate=0.0):
    """The last states of a BERT encoder, token after token; `rate` is that of dropout."""
    parts = encoder.embeddings
    config = encoder.config
    states = parts.word_embeddings(batch.ids) + parts.position_embeddings(batch.place) + parts.token_type_embeddings(batch.second)
    states = dropout(parts.LayerNorm(states), rate, rate > 0)
    for layer in encoder.encoder.layer:
        own = layer.attention.self
        query, key, value = (part(states).unflatten(-1, (config.num_attention_heads, -1)) for part in (own.query, own.key, own.value))
        mixed = attend(query, key, value, batch).flatten(1)
        states = layer.attention.output.LayerNorm(states + dropout(layer.attention.output.dense(mixed), rate, rate > 0))
        wide = gelu(layer.intermediate.dense(states))
        states = layer.output.LayerNorm(states + dropout(layer.output.dense(wide), rate, rate > 0))
    return states


def attend(query, key, value, batch):
    if query.is_cuda:
        from torch.nn.attention.varlen import varlen_attn

        return varlen_attn(query, key, value, batch.bounds, batch.bounds, batch.longest, batch.longest)
    shape = (batch.rows, batch.longest, *query.shape[1:])
    at = batch.text * batch.longest + batch.place
    spread = [part.new_zeros(shape).flatten(0, 1).index_copy(0, at, part).view(shape).transpose(1, 2) for part in (query, key, value)]
    mask = (torch.arange(batch.longest)[None, :] < batch.length[:, None])[:, None, None, :]
    return scaled_dot_product_attention(*spread, attn_mask=mask).transpose(1, 2).flatten(0, 1)[at]


def read(guard, batch, rate=0.0):
    """Logits and embedding of each text, as Guard.forward gives them for padded ones."""
    states = encode(guard.encoder, batch, rate).float()
    with torch.autocast(states.device.type, enabled=False):
        weight = guard.attention(states).masked_fill(~batch.pooled[:, None], -1e4)
        most = weight.new_full((batch.rows, len(HEADS)), -1e9).scatter_reduce(0, batch.text[:, None].expand_as(weight), weight, "amax")
        weight = (weight - most.detach()[batch.text]).exp()
        whole = weight.new_zeros(batch.rows, len(HEADS)).index_add(0, batch.text, weight)
        shares = guard.token_scores(states) * weight / whole[batch.text]
        logits = shares.new_zeros(batch.rows, len(HEADS)).index_add(0, batch.text, shares) + guard.linear.bias
        return logits, normalize(guard.projection(mean_states(states, batch)), dim=-1)


def mean_states(states, batch):
    whole = states.new_zeros(batch.rows, states.shape[-1]).index_add(0, batch.text, states)
    return whole / batch.length[:, None]


def embed(encoder, batch):
    """The base's own embedding."""
    return normalize(mean_states(encode(encoder, batch).float(), batch), dim=-1)


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


def load_packed(path):
    """What pack.py wrote: arrays by name, and what is known about the rows that are measured."""
    with np.load(path) as file:
        found = {name: file[name] for name in file.files}
    found["about"] = [json.loads(line) for line in found["about"]]
    found["measured"] = found["measured"].astype(np.int64)
    return found
