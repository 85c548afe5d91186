"""Writes a guard as ONNX with small weights: python3 packages/lab/training/export.py --weights guard.pt --base FOLDER --vocabulary tokenizer.json --heads content,strict,… --out guard.onnx [--texts SAMPLE.txt]

Layers in 8 bits (MatMulNBits, blocks of 64), word embeddings in 4 bits (blocks of 32 with a scale each), heads exact.
Only weights are quantised, and activations row by row where the kernel does so: a text's score does not depend on its
batch-mates or on padding.
"""

import argparse
import json
import logging
import math
import os
import time

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer
from tokenizers import Tokenizer
from torch import nn

from model import HEADS, WIDTH, Guard, load_encoder
from packed_table import PackedTable

logging.disable(logging.INFO)


class PlainEncoder(nn.Module):
    """The same encoder in plain operations, which export to a small graph that onnxruntime fuses well."""

    def __init__(self, encoder):
        super().__init__()
        config = encoder.config
        self.heads, self.width = config.num_attention_heads, config.hidden_size // config.num_attention_heads
        self.words = PackedTable(encoder.embeddings.word_embeddings.weight.detach())
        segments = encoder.embeddings.token_type_embeddings.weight.detach()
        self.register_buffer("position", encoder.embeddings.position_embeddings.weight.detach() + segments[0])
        self.register_buffer("second", segments[1] - segments[0])
        self.norm = encoder.embeddings.LayerNorm
        self.layers = encoder.encoder.layer

    def forward(self, input_ids, mask, second):
        states = self.words(input_ids) + self.position[: input_ids.shape[1]] + second.unsqueeze(-1) * self.second
        states = self.norm(states)
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
    """Logits, embedding, and each token's share in each logit."""

    def __init__(self, guard, heads):
        super().__init__()
        at = torch.tensor([HEADS.index(head) for head in heads])
        rows = torch.cat([torch.arange(n * WIDTH, (n + 1) * WIDTH) for n in at])
        self.encoder = PlainEncoder(guard.encoder)
        self.count = len(heads)
        self.register_buffer("linear", guard.linear.weight.detach()[at].T.contiguous())
        self.register_buffer("bias", guard.linear.bias.detach()[at])
        self.register_buffer("wide", guard.wide.weight.detach()[rows].T.contiguous())
        self.register_buffer("wide_bias", guard.wide.bias.detach()[rows])
        self.register_buffer("narrow", guard.narrow.detach()[at])
        self.register_buffer("attention", guard.attention.weight.detach()[at].T.contiguous())
        self.register_buffer("projection", guard.projection.weight.detach().T.contiguous())

    def forward(self, input_ids, attention_mask, response_mask):
        mask, response = attention_mask.to(torch.float32), response_mask.to(torch.float32)
        states = self.encoder(input_ids, mask, response)
        any_response = (response.sum(1, keepdim=True) > 0).to(torch.float32)
        pooled = response * any_response + mask * (1 - any_response)
        attention = torch.softmax(states @ self.attention + (pooled.unsqueeze(-1) - 1) * 10000.0, dim=1)
        hidden = nn.functional.gelu(states @ self.wide + self.wide_bias).unflatten(-1, (self.count, WIDTH))
        scores = states @ self.linear + (hidden * self.narrow).sum(-1)
        shares = scores * attention
        weights = mask / mask.sum(1, keepdim=True)
        embedding = (states * weights.unsqueeze(-1)).sum(1) @ self.projection
        return shares.sum(1) + self.bias, embedding / embedding.norm(dim=-1, keepdim=True), shares


def export(guard, heads, path):
    inputs = {name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask", "response_mask")}
    outputs = {"logits": {0: "batch"}, "embedding": {0: "batch"}, "shares": {0: "batch", 1: "length"}}
    example = (torch.randint(1000, 2000, (2, 9)), torch.ones(2, 9, dtype=torch.long), torch.zeros(2, 9, dtype=torch.long))
    torch.onnx.export(
        PlainGuard(guard, heads).eval(), example, path, input_names=list(inputs), output_names=list(outputs), dynamic_axes={**inputs, **outputs}, opset_version=17, dynamo=False
    )


def quantise(path, out, **options):
    config = DefaultWeightOnlyQuantConfig(is_symmetric=True, bits=8, **options)
    graph = onnx.load(path)
    # The heads are small and decide: they stay exact.
    keep = [node.name for node in graph.graph.node if node.op_type == "MatMul" and not large(node, graph)]
    quantiser = MatMulNBitsQuantizer(graph, bits=8, nodes_to_exclude=keep, algo_config=config, **options, is_symmetric=True)
    quantiser.process()
    quantiser.model.save_model_to_file(out, use_external_data_format=False)


def large(node, model):
    sizes = {tensor.name: int(np.prod(tensor.dims)) for tensor in model.graph.initializer}
    return sizes.get(node.input[1], 0) > 130_000


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def run(model, ids):
    found = []
    for text in ids:
        tokens = np.array([text], dtype=np.int64)
        found.append(model.run(["logits"], {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "response_mask": np.zeros_like(tokens)})[0][0])
    return np.array(found)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--weights", "--base", "--vocabulary", "--heads", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--texts", default="")
    args = parser.parse_args()
    heads = args.heads.split(",")
    state = {name: value.float() for name, value in torch.load(args.weights, map_location="cpu").items()}
    encoder = load_encoder(args.base)
    pieces = len(state["encoder.embeddings.word_embeddings.weight"])
    encoder.embeddings.word_embeddings = nn.Embedding(pieces, encoder.config.hidden_size, padding_idx=0)
    guard = Guard(encoder)
    guard.load_state_dict(state)
    guard.eval()
    full = args.out.replace(".onnx", "-fp32.onnx")
    export(guard, heads, full)
    quantise(full, args.out, block_size=64, accuracy_level=4)
    os.remove(full)
    print(f"{args.out}: {os.path.getsize(args.out) / 1e6:.1f} MB")
    if args.texts:
        tokenizer = Tokenizer.from_file(args.vocabulary)
        tokenizer.enable_truncation(320)
        ids = [found.ids for found in tokenizer.encode_batch(open(args.texts, encoding="utf-8").read().split("\n")[:200])]
        with torch.no_grad():
            exact = np.array([guard(torch.tensor([text]), torch.ones(1, len(text), dtype=torch.long))[0][0].numpy() for text in ids])[:, [HEADS.index(head) for head in heads]]
        started = time.time()
        found = run(session(args.out), ids)
        print(f"against PyTorch: max {np.abs(found - exact).max():.3f}, mean {np.abs(found - exact).mean():.3f}, flips {((found > 0) != (exact > 0)).mean():.4f}; {(time.time() - started) / len(ids) * 1000:.1f} ms a text")


if __name__ == "__main__":
    main()
