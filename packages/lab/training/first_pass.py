"""Trains the model that glances at short texts: python3 packages/lab/training/first_pass.py TEXTS.jsonl.gz FIRST.onnx GUARD-FOLDER CONFIG.json OUT [--layers 3 --width 256 --epochs 20]

A small encoder learns what the guard's first mind makes of a text: its calibrated logit, alone (weights.json). Where the
glance is sure that the text is far below the bar, the guard need not read it. GUARD-FOLDER has tokenizer.json and
weights.json, CONFIG.json is the base's. OUT gets glance.onnx (weights in 8 bits that are unpacked as the model loads, see first_pass_integers.py;
words in 4) and scores.npz (glance and guard on the texts that are kept back and measured).
"""

import argparse
import gzip
import json
import math
import os
import time

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, gelu, huber_loss, scaled_dot_product_attention
from transformers import BertConfig, BertModel

from packed_table import PackedTable
from warm_start import read_encoder

GUARD_HEADS = ["content", "strict", "loose", "image", "pair", "reply", "refusal", "clause"]
MOST_TOKENS = 96
TABLE = 128
LOWEST, HIGHEST = -11.0, 5.0
OWN_TIMES = 10


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.last = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)

    def forward(self, states, bias, rate=0.0):
        query, key, value = (part(states).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value))
        if torch.onnx.is_in_onnx_export():
            weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1]) + bias, dim=-1)
            mixed = weights @ value
        else:
            mixed = scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        drop = lambda x: nn.functional.dropout(x, rate, self.training)
        states = self.first(states + drop(self.mix(mixed.transpose(1, 2).flatten(2))))
        return self.last(states + drop(self.narrow(gelu(self.widen(states)))))


class Glance(nn.Module):
    """A logit for each text: the sum of what its tokens say, weighed by attention."""

    def __init__(self, table, layers, width):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(table.clone())
        self.up = nn.Linear(table.shape[1], width)
        self.position = nn.Parameter(torch.randn(MOST_TOKENS, width) * 0.02)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList([Layer(width, width // 32) for _ in range(layers)])
        self.hidden = nn.Linear(width, width)
        self.score = nn.Linear(width, 1)
        self.attention = nn.Linear(width, 1)
        nn.init.constant_(self.score.bias, -6.0)

    def forward(self, input_ids, attention_mask, rate=0.0):
        return self.read(self.words(input_ids), attention_mask, rate)

    def read(self, words, attention_mask, rate=0.0):
        states = self.norm(self.up(words) + self.position[: words.shape[1]])
        mask = attention_mask.to(torch.float32)
        bias = (1 - mask)[:, None, None, :] * -10000.0
        for layer in self.layers:
            states = layer(states, bias, rate)
        weight = torch.softmax(self.attention(states).float().squeeze(-1) + (mask - 1) * 10000.0, dim=1)
        said = self.score(gelu(self.hidden(states))).float().squeeze(-1)
        return (weight * said).sum(1)


class Shipped(nn.Module):
    def __init__(self, glance):
        super().__init__()
        self.glance, self.packed = glance, PackedTable(glance.words.weight.detach())

    def forward(self, input_ids, attention_mask):
        return self.glance.read(self.packed(input_ids), attention_mask)


def load_teacher(path, config):
    """The first mind from its 8-bit file, and the heads of it."""
    encoder = BertModel(config, add_pooling_layer=False)
    state, words = read_encoder(path, encoder)
    state["embeddings.word_embeddings.weight"] = words
    encoder.load_state_dict({name: torch.tensor(np.array(value)) for name, value in state.items()})
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    heads = {name: torch.tensor(np.array(tensors[name])) for name in ("linear", "bias", "wide", "wide_bias", "narrow", "attention")}
    return encoder, heads


def judge(encoder, heads, ids, mask, alone):
    states = encoder(input_ids=ids, attention_mask=mask).last_hidden_state.float()
    weight = (states @ heads["attention"]).masked_fill(mask.unsqueeze(-1) == 0, -1e4).softmax(1)
    hidden = gelu(states @ heads["wide"] + heads["wide_bias"]).unflatten(-1, (len(GUARD_HEADS), -1))
    logits = ((states @ heads["linear"] + (hidden * heads["narrow"]).sum(-1)) * weight).sum(1) + heads["bias"]
    return sum(part * logits[:, GUARD_HEADS.index(head)] for head, part in alone["heads"].items()) + alone["intercept"]


def begin_as(glance, encoder):
    """Starts as the first layers of the guard itself."""
    with torch.no_grad():
        glance.up.weight.copy_(torch.eye(len(glance.up.weight)))
        glance.up.bias.copy_(encoder.embeddings.token_type_embeddings.weight[0])
        glance.position.copy_(encoder.embeddings.position_embeddings.weight[:MOST_TOKENS])
        glance.norm.load_state_dict(encoder.embeddings.LayerNorm.state_dict())
        for own, layer in zip(glance.layers, encoder.encoder.layer):
            attention = layer.attention
            for part, of in ((own.query, attention.self.query), (own.key, attention.self.key), (own.value, attention.self.value), (own.mix, attention.output.dense),
                             (own.widen, layer.intermediate.dense), (own.narrow, layer.output.dense), (own.first, attention.output.LayerNorm), (own.last, layer.output.LayerNorm)):
                part.load_state_dict(of.state_dict())


class Rows:
    """All texts on the device, padded."""

    def __init__(self, ids, device):
        self.device = device
        rows = np.zeros((len(ids), MOST_TOKENS), dtype=np.int32)
        for n, one in enumerate(ids):
            rows[n, : min(len(one), MOST_TOKENS)] = one[:MOST_TOKENS]
        self.rows = torch.from_numpy(rows).to(device)
        self.lengths = np.array([len(one) for one in ids])
        self.length = torch.from_numpy(self.lengths).to(device)

    def lay_out(self, chosen):
        longest = int(self.lengths[chosen].max())
        index = torch.from_numpy(np.ascontiguousarray(chosen)).to(self.device)
        mask = torch.arange(longest, device=self.device)[None, :] < self.length[index][:, None]
        return self.rows[index, :longest].long(), mask.long()


def batches(lengths, order, size, random=None):
    """Rows of nearly one length together; the batches in any order."""
    order = np.array(order)
    keys = lengths[order] + (random.random(len(order)) * 4 if random is not None else 0)
    order = order[np.argsort(keys, kind="stable")]
    parts = [order[at : at + size] for at in range(0, len(order), size)]
    if random is not None:
        random.shuffle(parts)
    return parts


def score_all(read, rows, chosen, exact=False, size=4096):
    found = np.zeros(len(rows.lengths), dtype=np.float32)
    with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, enabled=rows.device == "cuda" and not exact):
        for part in batches(rows.lengths, chosen, size):
            found[part] = read(*rows.lay_out(part)).float().cpu().numpy()
    return found


def round_weights(glance):
    """As they will be shipped: see pack_weights."""
    with torch.no_grad():
        for parameter in glance.parameters():
            if parameter.ndim == 2 and parameter.numel() >= 20_000 and parameter.shape[0] >= 8 and parameter.requires_grad and parameter is not glance.position:
                scale = parameter.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
                parameter.copy_((parameter / scale).round() * scale)


def pack_weights(path):
    """Large weights as whole numbers with a scale for each column: the runtime unpacks them as it loads."""
    model = onnx.load(path)
    graph, fresh = model.graph, []
    for tensor in list(graph.initializer):
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.ndim != 2 or values.size < 20_000 or tensor.name.endswith("position") or values.shape[1] < 8:
            continue
        scale = np.maximum(np.abs(values).max(0, keepdims=True), 1e-8) / 127
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(np.round(values / scale).astype(np.int8), f"{tensor.name}.packed"))
        graph.initializer.append(numpy_helper.from_array(scale.astype(np.float32), f"{tensor.name}.scale"))
        fresh.append(helper.make_node("Cast", [f"{tensor.name}.packed"], [f"{tensor.name}.whole"], to=TensorProto.FLOAT))
        fresh.append(helper.make_node("Mul", [f"{tensor.name}.whole", f"{tensor.name}.scale"], [tensor.name]))
    for node in reversed(fresh):
        graph.node.insert(0, node)
    onnx.save(model, path)
    for tensor in sorted(graph.initializer, key=lambda tensor: -tensor.ByteSize())[:6]:
        print(f"  {tensor.name}: {list(tensor.dims)}, {tensor.ByteSize() / 1e6:.1f} MB")


def export(glance, path):
    example = (torch.randint(1000, 2000, (2, 9)), torch.ones(2, 9, dtype=torch.long))
    axes = {"input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "length"}, "logit": {0: "batch"}}
    torch.onnx.export(Shipped(glance).eval().cpu(), example, path, input_names=["input_ids", "attention_mask"], output_names=["logit"], dynamic_axes=axes, opset_version=17, dynamo=False)
    pack_weights(path)


def main():
    parser = argparse.ArgumentParser()
    for name in ("texts", "first", "guard", "config", "out"):
        parser.add_argument(name)
    for name, value in (("--layers", 3), ("--width", 256), ("--epochs", 20), ("--batch", 2048), ("--most", 0)):
        parser.add_argument(name, type=int, default=value)
    parser.add_argument("--halves", default="even,odd", help="of our own contrast set, what is learnt")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--own", action="store_true", help="begin as the first layers of the guard, in its width")
    parser.add_argument("--kept", default="", help="a file for tokens and the guard's logits, made when it is not there")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    os.makedirs(args.out, exist_ok=True)
    torch.manual_seed(25)
    random = np.random.default_rng(25)
    weights = json.load(open(os.path.join(args.guard, "weights.json")))
    alone, bar = weights["terms"]["text"]["alone"], math.log(weights["moderation"]["threshold"] / (1 - weights["moderation"]["threshold"]))
    started = time.time()
    rows = [json.loads(line) for line in gzip.open(args.texts, "rt", encoding="utf-8")]
    if args.most:
        rows = rows[: args.most] + rows[-args.most // 4 :]
    tokenizer = Tokenizer.from_file(os.path.join(args.guard, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    start, separator = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    encoder, heads = load_teacher(args.first, BertConfig(**json.load(open(args.config))))
    ids = [np.array([start, *found.ids, separator]) for found in tokenizer.encode_batch_fast([row[0] for row in rows], add_special_tokens=False)]
    learnt = {"train", *args.halves.split(",")}
    split = np.array([0 if row[2] in learnt else 1 if row[2] == "fit" else 2 for row in rows])
    # Our own sentences are few and the hardest.
    times = np.array([OWN_TIMES if row[2] in ("even", "odd") else 1 for row in rows])
    texts = Rows(ids, device)
    lengths = texts.lengths
    fits = np.flatnonzero(lengths <= MOST_TOKENS)
    print(f"{len(rows)} texts, {len(fits)} short enough, {lengths[fits].mean():.1f} tokens; {time.time() - started:.0f} s", flush=True)
    if args.kept and os.path.exists(args.kept):
        target = np.load(args.kept)
    else:
        encoder = encoder.to(device).eval()
        heads = {name: value.to(device) for name, value in heads.items()}
        target = score_all(lambda ids, mask: judge(encoder, heads, ids, mask, alone), texts, fits)
        if args.kept:
            np.save(args.kept, target)
    words = encoder.embeddings.word_embeddings.weight.detach().float().cpu()
    print(f"the guard has read them; {np.mean(target[fits] >= bar):.4f} reach the bar; {time.time() - started:.0f} s", flush=True)
    centred = words - words.mean(0)
    _, _, directions = torch.linalg.svd(centred, full_matrices=False)
    table = centred @ directions[:TABLE].T
    glance = Glance(words if args.own else table / table.std(), args.layers, args.width)
    if args.own:
        begin_as(glance, encoder.cpu().float())
    glance = glance.to(device)
    train = np.repeat(fits[split[fits] == 0], times[fits[split[fits] == 0]])
    goal = torch.from_numpy(np.clip(target, LOWEST, HIGHEST)).to(device)
    steps = args.epochs * math.ceil(len(train) / args.batch)
    optimiser = torch.optim.AdamW(glance.parameters(), lr=args.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=device == "cuda")
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, steps, pct_start=0.05)
    # A miss costs more than a second look: what reaches the bar counts several times.
    for epoch in range(args.epochs):
        glance.train()
        total = 0.0
        for part in batches(lengths, train, args.batch, random):
            wanted = goal[torch.from_numpy(part).to(device)]
            with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                found = glance(*texts.lay_out(part), rate=0.1)
            weight = 1 + 4 * torch.sigmoid(wanted - bar + 1)
            off = huber_loss(found, wanted, reduction="none") + binary_cross_entropy_with_logits(found - bar + 1, torch.sigmoid(2 * (wanted - bar + 1)), reduction="none")
            # What reaches the bar must not end up among those that a glance is sure of.
            off = off + 2 * (wanted >= bar) * torch.relu(-3.5 - found)
            loss = (off * weight).sum() / weight.sum()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(glance.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += loss.detach()
        print(f"epoch {epoch}: {float(total) / (steps / args.epochs):.4f}; {time.time() - started:.0f} s", flush=True)
    glance.eval()
    rest = fits[split[fits] > 0]
    round_weights(glance)
    rest = np.concatenate([rest, fits[(split[fits] == 0) & (times[fits] > 1)]])
    found = score_all(lambda ids, mask: glance(ids, mask), texts, rest, exact=True)
    export(glance.float(), os.path.join(args.out, "glance.onnx"))
    sources = sorted({rows[n][1] for n in rest})
    np.savez_compressed(os.path.join(args.out, "scores.npz"), glance=found[rest].astype(np.float32), guard=target[rest], split=split[rest], length=lengths[rest], row=rest, source=np.array([sources.index(rows[n][1]) for n in rest]), sources=np.array(sources))
    for share in (0.0002, 0.0005, 0.001, 0.002, 0.003):
        report(found, target, bar, rest[split[rest] == 1], rest[split[rest] != 1], rows, share)
    print(f"{os.path.getsize(os.path.join(args.out, 'glance.onnx')) / 1e6:.1f} MB; {time.time() - started:.0f} s")


def report(found, target, bar, fit, measure, rows, share):
    """The score below which, of texts of sources that were kept back, this share is passed that reaches the bar."""
    order = fit[np.argsort(found[fit])]
    missed = np.cumsum(target[order] >= bar) / len(fit)
    at = int(np.searchsorted(missed, share, side="right")) - 1
    limit = found[order[max(at, 0)]]
    print(f"\n{share:.4f} of {len(fit)} missed below {limit:.2f}: {np.mean(found[fit] < limit):.3f} pass; of those below the bar {np.mean(found[fit][target[fit] < bar] < limit):.3f}")
    by = {}
    for n in measure:
        name = f"{rows[n][1].split(' ')[0]} {rows[n][2] if rows[n][2] != 'measure' else ''} {'threats' if 'threat' in rows[n][1] and rows[n][1].endswith('1') else ''}"
        by.setdefault(name, []).append((found[n] < limit, target[n] >= bar))
    for name, items in sorted(by.items()):
        passed, risky = np.array(items).T
        print(f"  {name:30} {len(items):6} pass {passed.mean():.3f} reach the bar {risky.mean():.3f} missed {np.sum(passed & risky)} ({np.mean(passed & risky):.4f})")


if __name__ == "__main__":
    main()
