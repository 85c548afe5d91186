"""The guard: gte-small's encoder, mean pooling, one linear head per kind, and a projection back to gte-small's own embedding space."""

import json
import os

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

HEADS = ["content", "request", "post", "reply", "image", "pair"]


def load_encoder(folder):
    """gte-small from a folder with config.json and model.onnx, or tensors.npz: the same tensors by their names in PyTorch."""
    config = BertConfig(**json.load(open(os.path.join(folder, "config.json"))))
    packed = os.path.join(folder, "tensors.npz")
    state = np.load(packed) if os.path.exists(packed) else onnx_tensors(os.path.join(folder, "model.onnx"))
    encoder = BertModel(config, add_pooling_layer=False)
    wanted = dict(encoder.named_parameters())
    missing = [name for name in wanted if name not in state]
    if missing:
        raise SystemExit(f"The base lacks {len(missing)} tensors, for example {missing[:3]}; it has {list(state)[:5]}")
    with torch.no_grad():
        for name, parameter in wanted.items():
            parameter.copy_(torch.from_numpy(np.array(state[name], dtype=np.float32)))
    return encoder


def onnx_tensors(path):
    """Linear layers are stored transposed, under the names of their MatMul nodes."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name: tensor for name, tensor in tensors.items() if not name.startswith("onnx::")}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            state[f"{name}.weight"] = tensors[node.input[1]].T
    return state


class Guard(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        hidden = encoder.config.hidden_size
        self.heads = nn.Linear(hidden, len(HEADS))
        self.projection = nn.Linear(hidden, hidden, bias=False)
        nn.init.eye_(self.projection.weight)
        nn.init.normal_(self.heads.weight, std=0.02)
        nn.init.zeros_(self.heads.bias)

    def tokens(self, ids, mask):
        return self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state

    def forward(self, ids, mask):
        """Logits, embedding, and each token's share in each logit: with mean pooling, a logit is the sum of its shares and the bias."""
        states = self.tokens(ids, mask).float()
        weights = mask.float() / mask.sum(1, keepdim=True).clamp(min=1)
        shares = (states @ self.heads.weight.T) * weights.unsqueeze(-1)
        logits = shares.sum(1) + self.heads.bias
        pooled = (states * weights.unsqueeze(-1)).sum(1)
        embedding = nn.functional.normalize(self.projection(pooled), dim=-1)
        return logits, embedding, shares


def pooled_embedding(encoder, ids, mask):
    states = encoder(input_ids=ids, attention_mask=mask).last_hidden_state.float()
    weights = mask.float() / mask.sum(1, keepdim=True).clamp(min=1)
    return nn.functional.normalize((states * weights.unsqueeze(-1)).sum(1), dim=-1)
