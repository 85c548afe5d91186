"""The base's first layers with fewer word pieces: python3 training/reader/base.py BASE kept.npy OUT.npz [--layers 5]"""

import argparse
import os

import numpy as np
import onnx
from onnx import numpy_helper

from sequence import LENGTH

PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mix",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "attention.output.LayerNorm": "norm_mixed",
    "output.LayerNorm": "norm",
}


def onnx_tensors(path):
    """Linear layers are stored transposed, under the names of their MatMul nodes."""
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name: tensor for name, tensor in tensors.items() if not name.startswith("onnx::")}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            state[f"{name}.weight"] = tensors[node.input[1]].T
    return state


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "kept", "out"):
        parser.add_argument(name)
    parser.add_argument("--layers", type=int, default=5)
    args = parser.parse_args()
    state = onnx_tensors(os.path.join(args.base, "model.onnx"))
    found = {
        "words.weight": state["embeddings.word_embeddings.weight"][np.load(args.kept)],
        "places.weight": state["embeddings.position_embeddings.weight"][:LENGTH],
        "segments.weight": state["embeddings.token_type_embeddings.weight"],
    }
    for kind in ("weight", "bias"):
        found[f"norm.{kind}"] = state[f"embeddings.LayerNorm.{kind}"]
        for n in range(args.layers):
            for old, new in PARTS.items():
                found[f"layers.{n}.{new}.{kind}"] = state[f"encoder.layer.{n}.{old}.{kind}"]
    np.savez_compressed(args.out, **{name: value.astype(np.float16) for name, value in found.items()})
    print(f"{args.layers} layers, {len(found['words.weight'])} pieces: {os.path.getsize(args.out) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
