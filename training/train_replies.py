"""Trains the reply model: python3 training/train_replies.py --data REPLIES.jsonl.gz --general TRAIN.jsonl.gz --base FOLDER --out FOLDER [--final] [--folds 0,1,2,3,4]

Two stages: gte-small on the guard's own training data without any development half, then exchanges (prepare_replies.py)
for the heads `reply` and `refusal`. The model reads prompt and response as two segments and pools over the response alone,
so that every token's share in a logit belongs to the response. --final trains on all that may be trained on and saves
the weights; --folds trains one model per fold without it and writes its scores on that fold.
"""

import argparse
import copy
import gzip
import json
import os
import time

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import BertTokenizerFast

from model import HEADS as GENERAL_HEADS
from model import load_encoder

HEADS = ["reply", "refusal"]
LENGTH, LONGEST_PROMPT, PROMPT_BEGINNING = 512, 160, 100
device = "cuda"


class ReplyModel(nn.Module):
    """gte-small's encoder over prompt and response; a logit is the mean of its shares over the response's tokens."""

    def __init__(self, encoder, heads):
        super().__init__()
        self.encoder = encoder
        self.heads = nn.Linear(encoder.config.hidden_size, heads)
        nn.init.normal_(self.heads.weight, std=0.02)
        nn.init.zeros_(self.heads.bias)

    def forward(self, ids, mask, response):
        states = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=response).last_hidden_state.float()
        weights = response.float() / response.sum(1, keepdim=True).clamp(min=1)
        return (states * weights.unsqueeze(-1)).sum(1) @ self.heads.weight.T + self.heads.bias


class Data:
    """Token sequences in one tensor on the GPU, each with the place where its response begins."""

    def __init__(self, rows, sequences, starts, heads):
        self.rows = rows
        self.lengths = np.array([len(sequence) for sequence in sequences])
        self.flat = torch.tensor(np.concatenate(sequences), device=device)
        self.length = torch.tensor(self.lengths, device=device)
        self.offset = torch.cumsum(self.length, 0) - self.length
        self.start = torch.tensor(starts, device=device)
        self.head = torch.tensor([heads.index(row["head"]) for row in rows], device=device)
        self.label = torch.tensor([float(row["label"]) for row in rows], device=device)
        self.weight = np.array([row["weight"] for row in rows])
        self.fold = np.array([row["fold"] for row in rows])

    def batch(self, chosen):
        index = torch.from_numpy(chosen).to(device)
        place = torch.arange(int(self.lengths[chosen].max()), device=device)
        mask = place[None, :] < self.length[index][:, None]
        ids = self.flat[(self.offset[index][:, None] + place[None, :]).clamp(max=len(self.flat) - 1)] * mask
        response = (place[None, :] >= self.start[index][:, None]) & mask
        return index, ids, mask.long(), response.long()


def exchange_sequence(prompt, response, tokenizer):
    """[CLS] prompt [SEP] response [SEP]: of a long prompt its beginning and its end."""
    if len(prompt) > LONGEST_PROMPT:
        prompt = prompt[:PROMPT_BEGINNING] + prompt[PROMPT_BEGINNING - LONGEST_PROMPT :]
    room = LENGTH - 3 - len(prompt)
    sequence = [tokenizer.cls_token_id, *prompt, tokenizer.sep_token_id, *response[:room], tokenizer.sep_token_id]
    return np.array(sequence, dtype=np.int64), len(prompt) + 2


def epoch_batches(data, chosen, size, random):
    """A row of weight 2.3 comes twice, and a third time with probability .3; batches of similar length, in random order."""
    times = np.floor(data.weight[chosen]).astype(int) + (random.random(len(chosen)) < data.weight[chosen] % 1)
    rows = np.repeat(chosen, times)
    rows = rows[np.argsort(data.lengths[rows] + random.random(len(rows)) * 16, kind="stable")]
    batches = [rows[start : start + size] for start in range(0, len(rows), size)]
    random.shuffle(batches)
    return batches


def train(model, data, chosen, epochs, rate, size, seed, memory, smoothing=0.05):
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    model = model.to(device).train()
    average = copy.deepcopy(model).eval()
    fast, slow = list(model.parameters()), list(average.parameters())
    named = list(model.named_parameters())
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for n, p in named if p.ndim >= 2 and not n.startswith("heads")], "weight_decay": 0.01, "scale": 1.0},
            {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
            {"params": [model.heads.weight], "weight_decay": 0.0, "scale": 10.0},
        ],
        lr=rate,
        fused=True,
    )
    total, step, started = int(len(epoch_batches(data, chosen, size, random)) * epochs), 0, time.time()
    while step < total:
        for batch in epoch_batches(data, chosen, size, random)[: total - step]:
            pace = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
            for group in optimiser.param_groups:
                group["lr"] = rate * pace * group["scale"]
            index, ids, mask, response = data.batch(batch)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = model(ids, mask, response)
            target = data.label[index] * (1 - smoothing) + smoothing / 2
            loss = binary_cross_entropy_with_logits(logits.gather(1, data.head[index][:, None])[:, 0], target)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(memory, (step + 1) / (step + 10)))
            step += 1
    print(f"trained {total} steps on {len(chosen)} rows in {time.time() - started:.0f} s", flush=True)
    return average


@torch.no_grad()
def score(model, data, chosen):
    logits = np.zeros((len(chosen), model.heads.out_features), dtype=np.float32)
    order = np.argsort(data.lengths[chosen], kind="stable")
    for start in range(0, len(order), 256):
        group = order[start : start + 256]
        _, ids, mask, response = data.batch(chosen[group])
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits[group] = model(ids, mask, response).float().cpu().numpy()
    return logits


def general_data(path, tokenizer):
    """The guard's own training data without any development half, a text being one segment that is all response."""
    rows = [row for row in map(json.loads, gzip.open(path, "rt", encoding="utf-8")) if row["fold"] == -1]
    sequences = tokenizer([row["text"] for row in rows], truncation=True, max_length=320)["input_ids"]
    return Data(rows, [np.array(sequence) for sequence in sequences], [0] * len(rows), GENERAL_HEADS)


def exchange_data(path, tokenizer):
    rows = [json.loads(line) for line in gzip.open(path, "rt", encoding="utf-8")]
    prompts, responses = (tokenizer([row[part] for row in rows], add_special_tokens=False)["input_ids"] for part in ("prompt", "response"))
    sequences, starts = zip(*(exchange_sequence(prompt, response, tokenizer) for prompt, response in zip(prompts, responses)))
    return Data(rows, sequences, starts, HEADS)


def with_new_heads(model):
    """The second stage keeps what the first learned of unsafe replies as the start of its own head."""
    fresh = ReplyModel(copy.deepcopy(model.encoder), len(HEADS)).to(device)
    with torch.no_grad():
        fresh.heads.weight[0] = model.heads.weight[GENERAL_HEADS.index("reply")]
        fresh.heads.bias[0] = model.heads.bias[GENERAL_HEADS.index("reply")]
    return fresh


def main():
    parser = argparse.ArgumentParser()
    for name in ("--data", "--general", "--base", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--folds", default="")
    parser.add_argument("--final", action="store_true")
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--name", default="replies")
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    os.makedirs(args.out, exist_ok=True)

    tokenizer = BertTokenizerFast(tokenizer_file=os.path.join(args.base, "tokenizer.json"))
    data = exchange_data(args.data, tokenizer)
    stage = os.path.join(args.out, "general.pt")
    general = ReplyModel(load_encoder(args.base), len(GENERAL_HEADS))
    if os.path.exists(stage):
        general.load_state_dict(torch.load(stage))
        general.to(device)
    else:
        rows = general_data(args.general, tokenizer)
        general = train(general, rows, np.arange(len(rows.rows)), 3, 8e-5, 256, args.seed, 0.998)
        torch.save(general.state_dict(), stage)

    def fitted(without, seed):
        chosen = np.flatnonzero((data.fold != without) & (data.fold != -2))
        return train(with_new_heads(general), data, chosen, args.epochs, args.rate, args.batch, seed, 0.99)

    unseen = np.flatnonzero(data.fold == -2)
    if args.final:
        model = fitted(None, args.seed)
        torch.save(model.state_dict(), os.path.join(args.out, "replies.pt"))
        save(os.path.join(args.out, f"{args.name}-unseen.npz"), data, unseen, score(model, data, unseen))
    chosen, logits = [], []
    for fold in [int(fold) for fold in args.folds.split(",") if fold]:
        model = fitted(fold, args.seed + fold)
        chosen.append(np.flatnonzero(data.fold == fold))
        logits.append(score(model, data, chosen[-1]))
        save(os.path.join(args.out, f"{args.name}-folds.npz"), data, np.concatenate(chosen), np.concatenate(logits))


def save(path, data, chosen, logits):
    np.savez_compressed(path, keys=np.array([data.rows[i]["key"] or "" for i in chosen]), logits=logits)
    for source in sorted({data.rows[i]["source"] for i in chosen}):
        own = [n for n, i in enumerate(chosen) if data.rows[i]["source"] == source and data.rows[i]["label"] != 0.5]
        labels = np.array([data.rows[chosen[n]]["label"] for n in own])
        scores = np.array([logits[n, HEADS.index(data.rows[chosen[n]]["head"])] for n in own])
        ranks = np.argsort(np.argsort(scores)) + 1
        positives = max(1, labels.sum())
        auc = (ranks[labels == 1].sum() - positives * (positives + 1) / 2) / max(1, positives * (len(labels) - positives))
        best = max((((scores > t) == labels).mean(), t) for t in np.quantile(scores, np.linspace(0.02, 0.98, 49)))
        f1 = lambda t: 2 * ((scores > t) & (labels == 1)).sum() / max(1, (scores > t).sum() + labels.sum())
        print(f"  {os.path.basename(path)} {source:24} n={len(own):5} auc={auc:.3f} " + " ".join(f"{t}:{((scores > t) == labels).mean():.3f}/{f1(t):.3f}" for t in (-1.5, -1, -0.5, 0)) + f" best {best[0]:.3f} at {best[1]:.2f}", flush=True)


if __name__ == "__main__":
    main()
