"""The guard: an encoder, a head per question, and a projection back to the base's own embedding space.

A head scores every token (a linear part and a small hidden layer), weighs the tokens by attention of its own, and sums:
a logit is the sum of its tokens' shares and a bias, so that code can say which words a score came from, and a harmful
passage is not thinned out by the harmless words around it. Exchanges are read as two segments and pooled over the
response alone.
"""

import json
import os

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

HEADS = ["content", "strict", "loose", "request", "post", "image", "pair", "reply", "refusal", "clause"]
WIDTH = 32


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
        hidden, heads = encoder.config.hidden_size, len(HEADS)
        self.linear = nn.Linear(hidden, heads)
        self.wide = nn.Linear(hidden, heads * WIDTH)
        self.narrow = nn.Parameter(torch.zeros(heads, WIDTH))
        self.attention = nn.Linear(hidden, heads, bias=False)
        self.projection = nn.Linear(hidden, hidden, bias=False)
        nn.init.eye_(self.projection.weight)
        nn.init.normal_(self.linear.weight, std=0.02)
        nn.init.zeros_(self.linear.bias)
        nn.init.normal_(self.narrow, std=0.02)
        nn.init.zeros_(self.attention.weight)

    def token_scores(self, states):
        hidden = nn.functional.gelu(self.wide(states)).unflatten(-1, (len(HEADS), WIDTH))
        return states @ self.linear.weight.T + (hidden * self.narrow).sum(-1)

    def forward(self, ids, mask, response=None):
        """Logits, embedding, and each token's share in each logit. `response` marks the second segment of an exchange."""
        states = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=response).last_hidden_state.float()
        pooled = mask if response is None else torch.where(response.sum(1, keepdim=True) > 0, response, mask)
        attention = self.attention(states).masked_fill(pooled.unsqueeze(-1) == 0, -1e4).softmax(1)
        shares = self.token_scores(states) * attention
        logits = shares.sum(1) + self.linear.bias
        weights = mask.float() / mask.sum(1, keepdim=True).clamp(min=1)
        embedding = nn.functional.normalize(self.projection((states * weights.unsqueeze(-1)).sum(1)), dim=-1)
        return logits, embedding, shares


def pooled_embedding(encoder, ids, mask):
    states = encoder(input_ids=ids, attention_mask=mask).last_hidden_state.float()
    weights = mask.float() / mask.sum(1, keepdim=True).clamp(min=1)
    return nn.functional.normalize((states * weights.unsqueeze(-1)).sum(1), dim=-1)
