"""Writes the reader as ONNX with small weights: python3 training/reader/export.py --weights final.pt --out reader.onnx [--data reader.npz]

Layers in 8 bits (MatMulNBits, blocks of 64), word embeddings in 4 bits, places and features in 16, the head exact.
With --data it is held against PyTorch on measured pairs.
"""

import argparse
import logging
import math
import os
import sys
import time

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer
from torch import nn

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from model import CLASSES, HEADS, HIDDEN, WIDTH, Pairs, Reader, read
from packed_table import PackedTable
from sequence import FEATURES

logging.disable(logging.INFO)


class PlainReader(nn.Module):
    """The same in plain operations over padded batches, which export to a small graph. Gives logits and shares."""

    def __init__(self, reader):
        super().__init__()
        self.words = PackedTable(reader.words.weight.detach())
        segments = reader.segments.weight.detach()
        self.register_buffer("places", (reader.places.weight.detach() + segments[0]).half())
        self.register_buffer("second", segments[1] - segments[0])
        for at, table in enumerate(reader.features):
            self.register_buffer(f"feature{at}", table.weight.detach().half())
        self.norm, self.layers = reader.norm, reader.layers
        self.register_buffer("linear", reader.linear.weight.detach().T.contiguous())
        self.register_buffer("bias", reader.linear.bias.detach())
        self.register_buffer("hidden", reader.hidden.weight.detach().T.contiguous())
        self.register_buffer("hidden_bias", reader.hidden.bias.detach())
        self.register_buffer("narrow", reader.narrow.detach())
        self.register_buffer("attention", reader.attention.weight.detach().T.contiguous())

    def forward(self, input_ids, attention_mask, passage_mask, features):
        mask = attention_mask.to(torch.float32)
        states = self.words(input_ids) + self.places[: input_ids.shape[1]].to(torch.float32)
        states = states + passage_mask.to(torch.float32).unsqueeze(-1) * self.second
        for at in range(len(FEATURES)):
            states = states + getattr(self, f"feature{at}")[features[:, :, at]].to(torch.float32)
        states = self.norm(states)
        blind = (1 - mask)[:, None, None, :] * -10000.0
        for layer in self.layers:
            query, key, value = (self.split(part(states)) for part in (layer.query, layer.key, layer.value))
            weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + blind, dim=-1)
            states = layer.norm_mixed(layer.mix((weights @ value).transpose(1, 2).flatten(2)) + states)
            states = layer.norm(layer.narrow(nn.functional.gelu(layer.wide(states))) + states)
        attention = torch.softmax(states @ self.attention + (mask.unsqueeze(-1) - 1) * 10000.0, dim=1)
        hidden = nn.functional.gelu(states @ self.hidden + self.hidden_bias).unflatten(-1, (len(CLASSES), HIDDEN))
        shares = (states @ self.linear + (hidden * self.narrow).sum(-1)) * attention
        return shares.sum(1) + self.bias, shares

    def split(self, states):
        return states.unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)


INPUTS = ("input_ids", "attention_mask", "passage_mask", "features")


def export(reader, path):
    axes = {name: {0: "batch", 1: "length"} for name in INPUTS}
    outputs = {"logits": {0: "batch"}, "shares": {0: "batch", 1: "length"}}
    ones = torch.ones(2, 9, dtype=torch.long)
    example = (ones * 1000, ones, ones, torch.ones(2, 9, len(FEATURES), dtype=torch.long))
    torch.onnx.export(
        PlainReader(reader).eval(), example, path, input_names=list(INPUTS), output_names=list(outputs), dynamic_axes={**axes, **outputs}, opset_version=17, dynamo=False
    )


def quantise(path, out):
    graph = onnx.load(path)
    sizes = {tensor.name: int(np.prod(tensor.dims)) for tensor in graph.graph.initializer}
    # The head is small and decides: it stays exact.
    keep = [node.name for node in graph.graph.node if node.op_type == "MatMul" and sizes.get(node.input[1], 0) < 130_000]
    options = {"block_size": 64, "accuracy_level": 4}
    config = DefaultWeightOnlyQuantConfig(is_symmetric=True, bits=8, **options)
    quantiser = MatMulNBitsQuantizer(graph, bits=8, nodes_to_exclude=keep, algo_config=config, is_symmetric=True, **options)
    quantiser.process()
    quantiser.model.save_model_to_file(out, use_external_data_format=False)


def load_weights(path):
    state = {name: value.float() for name, value in torch.load(path, map_location="cpu").items()}
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    reader = Reader(len(state["words.weight"]), layers)
    reader.load_state_dict(state)
    return reader.eval()


def compare(reader, path, data, count=300):
    """The exported model against PyTorch, pair by pair."""
    with np.load(data) as file:
        packed = {name: file[name] for name in file.files}
    pairs = Pairs(packed, FEATURES, "cpu")
    rows = np.random.default_rng(3).permutation(packed["measured"].astype(np.int64))[:count]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    found, exact, took = [], [], 0.0
    for row in rows:
        batch = pairs.batch(np.array([row]))
        ids = batch.ids[None].numpy()
        started = time.time()
        found.append(session.run(["logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids), "passage_mask": batch.segment[None].numpy(), "features": batch.features[None].numpy()})[0][0])
        took += time.time() - started
        with torch.no_grad():
            exact.append(read(reader, batch)[0].numpy())
    found, exact = np.array(found), np.array(exact)
    flips = (found.argmax(1) != exact.argmax(1)).mean()
    print(f"against PyTorch: max {np.abs(found - exact).max():.3f}, mean {np.abs(found - exact).mean():.3f}, flips {flips:.4f}; {took / len(rows) * 1000:.1f} ms a pair")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--weights", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--data", default="")
    args = parser.parse_args()
    reader = load_weights(args.weights)
    full = args.out.replace(".onnx", "-fp32.onnx")
    export(reader, full)
    quantise(full, args.out)
    os.remove(full)
    print(f"{args.out}: {os.path.getsize(args.out) / 1e6:.2f} MB")
    if args.data:
        compare(reader, args.out, args.data)


if __name__ == "__main__":
    main()
