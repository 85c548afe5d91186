"""An encoder out of a shipped guard, in another vocabulary: python3 packages/lab/training/warm_start.py GUARD.onnx ITS-tokenizer.json NEW-tokenizer.json BASE TRUNK.pt

For training the guard for other languages on from where it stands: train_languages.py --trunk TRUNK.pt. Weights are read
back from 8 and 4 bits; a piece that is new starts as the mean of what the old vocabulary makes of it.
"""

import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer

from model import load_encoder

PARTS = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense"]


def read_words(tensors):
    packed, scale = tensors["encoder.words.packed"], tensors["encoder.words.scale"].astype(np.float32)
    values = np.concatenate([packed >> 4, packed & 15], axis=1).astype(np.float32) - 8
    return values * np.repeat(scale, values.shape[1] // scale.shape[1], axis=1)


def read_linear(node, tensors):
    """Eight bits around 128, a scale for each block of 64."""
    values, scales = tensors[node.input[1]], tensors[node.input[2]]
    return ((values.astype(np.float32) - 128) * scales.reshape(*values.shape[:2], 1)).reshape(values.shape[0], -1)


def read_encoder(path, base):
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name: value.numpy().copy() for name, value in base.state_dict().items()}
    linear = [node for node in graph.node if node.op_type == "MatMulNBits" and node.name.startswith("/encoder/")]
    for n, node in enumerate(linear):
        state[f"encoder.layer.{n // len(PARTS)}.{PARTS[n % len(PARTS)]}.weight"] = read_linear(node, tensors)
    for name, value in tensors.items():
        if name.startswith("encoder.layers."):
            state[name.replace("encoder.layers.", "encoder.layer.", 1)] = value
    state["embeddings.LayerNorm.weight"], state["embeddings.LayerNorm.bias"] = tensors["encoder.norm.weight"], tensors["encoder.norm.bias"]
    # The export adds the first segment to the positions.
    state["embeddings.position_embeddings.weight"] = tensors["encoder.position"]
    state["embeddings.token_type_embeddings.weight"] = np.stack([np.zeros_like(tensors["encoder.second"]), tensors["encoder.second"]])
    return state, read_words(tensors)


def carry_over(words, old, new):
    known = old.get_vocab()
    pieces = sorted(new.get_vocab().items(), key=lambda item: item[1])
    found = np.zeros((len(pieces), words.shape[1]), dtype=np.float32)
    fresh = [(n, piece.removeprefix("##")) for piece, n in pieces if piece not in known]
    for piece, n in pieces:
        if piece in known:
            found[n] = words[known[piece]]
    for (n, _), encoding in zip(fresh, old.encode_batch([piece for _, piece in fresh], add_special_tokens=False)):
        found[n] = words[encoding.ids].mean(0) if encoding.ids else 0
    print(f"{len(pieces) - len(fresh)} pieces carried over, {len(fresh)} new")
    return found


def main():
    guard, old, new, base, out = sys.argv[1:6]
    state, words = read_encoder(guard, load_encoder(base))
    state["embeddings.word_embeddings.weight"] = carry_over(words, Tokenizer.from_file(old), Tokenizer.from_file(new))
    torch.save({name: torch.tensor(value).half() for name, value in state.items()}, out)


if __name__ == "__main__":
    main()
