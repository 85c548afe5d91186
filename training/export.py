"""Writes the guard as ONNX with 8-bit weights: python3 training/export.py --weights guard.pt --base FOLDER --data D.jsonl.gz --out FOLDER

Only weights are quantised, and activations row by row where the kernel does so: a text's score does not depend on
its batch-mates or on padding. Embeddings are kept as int8 rows with a scale each.
"""

import argparse
import logging
import gzip
import json
import math
import os
import time

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer
from torch import nn
from transformers import BertTokenizerFast

from model import HEADS, Guard, load_encoder

logging.getLogger("onnxruntime").setLevel(logging.WARNING)
logging.disable(logging.INFO)


class PlainEncoder(nn.Module):
    """The same encoder in plain operations, which export to a small graph that onnxruntime fuses well."""

    def __init__(self, encoder):
        super().__init__()
        config = encoder.config
        self.heads, self.width = config.num_attention_heads, config.hidden_size // config.num_attention_heads
        table = encoder.embeddings.word_embeddings.weight.detach()
        scale = table.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("table", (table / scale).round().clamp(-127, 127).to(torch.int8))
        self.register_buffer("scale", scale)
        position = encoder.embeddings.position_embeddings.weight.detach()
        segments = encoder.embeddings.token_type_embeddings.weight.detach()
        self.register_buffer("position", position + segments[0])
        self.register_buffer("second", segments[1] - segments[0])
        self.norm = encoder.embeddings.LayerNorm
        self.layers = encoder.encoder.layer

    def forward(self, input_ids, mask, second=None):
        states = self.table[input_ids].to(torch.float32) * self.scale[input_ids] + self.position[: input_ids.shape[1]]
        states = self.norm(states if second is None else states + second.unsqueeze(-1) * self.second)
        bias = (1 - mask)[:, None, None, :] * -10000.0
        for layer in self.layers:
            attention = layer.attention
            query, key, value = (self.split(part(states)) for part in (attention.self.query, attention.self.key, attention.self.value))
            weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(self.width) + bias, dim=-1)
            mixed = (weights @ value).transpose(1, 2).flatten(2)
            states = attention.output.LayerNorm(attention.output.dense(mixed) + states)
            wide = nn.functional.gelu(layer.intermediate.dense(states))
            states = layer.output.LayerNorm(layer.output.dense(wide) + states)
        return states

    def split(self, states):
        return states.unflatten(-1, (self.heads, self.width)).transpose(1, 2)


class PlainGuard(nn.Module):
    def __init__(self, guard):
        super().__init__()
        self.encoder = PlainEncoder(guard.encoder)
        self.head, self.projection = guard.heads, guard.projection

    def forward(self, input_ids, attention_mask):
        mask = attention_mask.to(torch.float32)
        states = self.encoder(input_ids, mask)
        share = mask / mask.sum(1, keepdim=True)
        shares = (states @ self.head.weight.T) * share.unsqueeze(-1)
        logits = shares.sum(1) + self.head.bias
        pooled = (states * share.unsqueeze(-1)).sum(1)
        embedding = self.projection(pooled)
        return logits, embedding / embedding.norm(dim=-1, keepdim=True), shares


def export(guard, path):
    names = {"input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "length"}}
    example = (torch.randint(1000, 2000, (2, 9)), torch.ones(2, 9, dtype=torch.long))
    outputs = {"logits": {0: "batch"}, "embedding": {0: "batch"}, "shares": {0: "batch", 1: "length"}}
    torch.onnx.export(
        PlainGuard(guard).eval(), example, path, input_names=list(names), output_names=list(outputs), dynamic_axes={**names, **outputs}, opset_version=17, dynamo=False
    )


def quantise(path, out, **options):
    config = DefaultWeightOnlyQuantConfig(is_symmetric=True, bits=8, **options)
    # The heads are tiny and decide: they stay exact.
    graph = onnx.load(path)
    keep = [node.name for node in graph.graph.node if node.op_type == "MatMul" and not large(node, graph)]
    quantiser = MatMulNBitsQuantizer(graph, bits=8, nodes_to_exclude=keep, algo_config=config, **options, is_symmetric=True)
    quantiser.process()
    quantiser.model.save_model_to_file(out, use_external_data_format=False)


def large(node, model):
    sizes = {tensor.name: int(np.prod(tensor.dims)) for tensor in model.graph.initializer}
    return sizes.get(node.input[1], 0) > 100_000


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def run(model, ids, batch):
    results = []
    for start in range(0, len(ids), batch):
        group = ids[start : start + batch]
        longest = max(len(text) for text in group)
        tokens = np.array([text + [0] * (longest - len(text)) for text in group], dtype=np.int64)
        results.append(model.run(["logits"], {"input_ids": tokens, "attention_mask": (tokens != 0).astype(np.int64)})[0])
    return np.concatenate(results)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--weights", "--base", "--data", "--out"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    guard = Guard(load_encoder(args.base))
    guard.load_state_dict(torch.load(args.weights, map_location="cpu"))
    guard.eval()
    full = os.path.join(args.out, "guard-fp32.onnx")
    export(guard, full)
    tokenizer = BertTokenizerFast(tokenizer_file=os.path.join(args.base, "tokenizer.json"))
    rows = [json.loads(line) for line in gzip.open(args.data, "rt", encoding="utf-8")]
    sample = [row for row in rows if row["fold"] != -1 and row["key"]][::60]
    ids = tokenizer([row["text"] for row in sample], truncation=True, max_length=320)["input_ids"]
    with torch.no_grad():
        exact = torch.cat([guard(torch.tensor([text]), torch.ones(1, len(text), dtype=torch.long))[0] for text in ids[:50]]).numpy()
    reference = run(session(full), ids, 1)
    print(f"fp32 ONNX against PyTorch: {np.abs(reference[:50] - exact).max():.5f}")
    for name, options in {"guard": {"block_size": 64, "accuracy_level": 4}}.items():
        path = os.path.join(args.out, f"{name}.onnx")
        quantise(full, path, **options)
        model = session(path)
        alone = run(model, ids, 1)
        together = run(model, ids, 16)
        short = [text[:32] for text in ids]
        timings = []
        for batch, texts in ((1, short[:40]), (16, short)):
            started = time.time()
            run(model, texts, batch)
            timings.append((time.time() - started) / len(texts) * 1000)
        print(
            f"{name}: {os.path.getsize(path) / 1e6:.1f} MB, against fp32 max {np.abs(alone - reference).max():.4f} mean {np.abs(alone - reference).mean():.4f}, "
            f"alone against together {np.abs(alone - together).max():.6f}, flips {((alone > 0) != (reference > 0)).mean():.4f}, ms a text at 32 tokens: {timings[0]:.1f} / {timings[1]:.1f}"
        )


if __name__ == "__main__":
    main()
