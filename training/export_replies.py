"""Writes the reply model as ONNX with 8-bit weights: python3 training/export_replies.py --weights replies.pt --base FOLDER --data REPLIES.jsonl.gz --out FOLDER"""

import argparse
import os

import numpy as np
import torch
from torch import nn
from transformers import BertTokenizerFast

import train_replies
from export import PlainEncoder, quantise, session
from model import load_encoder
from train_replies import HEADS, ReplyModel, exchange_data


class PlainReplyModel(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.encoder, self.head = PlainEncoder(model.encoder), model.heads

    def forward(self, input_ids, attention_mask, response_mask):
        response = response_mask.to(torch.float32)
        states = self.encoder(input_ids, attention_mask.to(torch.float32), response)
        shares = (states @ self.head.weight.T) * (response / response.sum(1, keepdim=True)).unsqueeze(-1)
        return shares.sum(1) + self.head.bias, shares


def main():
    parser = argparse.ArgumentParser()
    for name in ("--weights", "--base", "--data", "--out"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    train_replies.device = "cpu"
    model = ReplyModel(load_encoder(args.base), len(HEADS))
    model.load_state_dict(torch.load(args.weights, map_location="cpu"))
    model.eval()
    full, small = (os.path.join(args.out, name) for name in ("reply-fp32.onnx", "reply.onnx"))
    inputs = {name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask", "response_mask")}
    outputs = {"logits": {0: "batch"}, "shares": {0: "batch", 1: "length"}}
    example = (torch.randint(1000, 2000, (2, 9)), torch.ones(2, 9, dtype=torch.long), torch.tensor([[0, 0, 0, 1, 1, 1, 1, 1, 1]] * 2))
    torch.onnx.export(
        PlainReplyModel(model).eval(), example, full, input_names=list(inputs), output_names=list(outputs), dynamic_axes={**inputs, **outputs}, opset_version=17, dynamo=False
    )
    quantise(full, small, block_size=64, accuracy_level=4)
    data = exchange_data(args.data, BertTokenizerFast(tokenizer_file=os.path.join(args.base, "tokenizer.json")))
    chosen = np.flatnonzero(data.fold != -1)[::60]
    exact, exported, quantised = [], [], []
    for row in chosen:
        _, ids, mask, response = data.batch(np.array([row]))
        with torch.no_grad():
            exact.append(model(ids, mask, response).numpy()[0])
        feed = {"input_ids": ids.numpy(), "attention_mask": mask.numpy(), "response_mask": response.numpy()}
        for path, out in ((full, exported), (small, quantised)):
            out.append(sessions(path).run(["logits"], feed)[0][0])
    exact, exported, quantised = map(np.array, (exact, exported, quantised))
    print(f"fp32 ONNX against PyTorch: {np.abs(exported - exact).max():.5f}; 8-bit against fp32: max {np.abs(quantised - exported).max():.3f}, mean {np.abs(quantised - exported).mean():.3f}; {os.path.getsize(small) / 1e6:.1f} MB")


opened = {}


def sessions(path):
    if path not in opened:
        opened[path] = session(path)
    return opened[path]


if __name__ == "__main__":
    main()
