"""Trains the guard: python3 training/train.py --data D.jsonl.gz --base FOLDER --out FOLDER [--final] [--folds 0,1,2,3,4] [--without cases [--share .5]]

--final trains on everything that may be trained on and saves the weights;
--folds trains one model per fold without it and writes its scores on that fold (cross-validation).
--without leaves sources out of training (of each, another part of that share for each fold) and writes what each model
makes of all their rows, and which of them it did not see: a library of precedents that the model does not know already.
"""

import argparse
import copy
import gzip
import hashlib
import json
import os
import time

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import BertTokenizerFast

from model import HEADS, Guard, load_encoder, pooled_embedding

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--base", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--folds", default="")
parser.add_argument("--final", action="store_true")
parser.add_argument("--epochs", type=float, default=3)
parser.add_argument("--rate", type=float, default=8e-5)
parser.add_argument("--batch", type=int, default=256)
parser.add_argument("--length", type=int, default=320)
parser.add_argument("--distil", type=float, default=1.0)
parser.add_argument("--smoothing", type=float, default=0.05)
parser.add_argument("--seed", type=int, default=7)
parser.add_argument("--without", default="")
parser.add_argument("--share", type=float, default=1.0)
args = parser.parse_args()

device = "cuda"
torch.backends.cuda.matmul.allow_tf32 = True


class Data:
    """All texts as tokens in one tensor on the GPU; a batch is a gather."""

    def __init__(self):
        self.rows = [json.loads(line) for line in gzip.open(args.data, "rt", encoding="utf-8")]
        tokenizer = BertTokenizerFast(tokenizer_file=os.path.join(args.base, "tokenizer.json"))
        ids = tokenizer([row["text"] for row in self.rows], truncation=True, max_length=args.length)["input_ids"]
        self.lengths = np.array([len(text) for text in ids])
        self.flat = torch.tensor(np.concatenate([np.array(text) for text in ids]), device=device)
        self.length = torch.tensor(self.lengths, device=device)
        self.offset = torch.cumsum(self.length, 0) - self.length
        self.head = torch.tensor([HEADS.index(row["head"]) for row in self.rows], device=device)
        self.label = torch.tensor([float(row["label"]) for row in self.rows], device=device)
        self.weight = np.array([row["weight"] for row in self.rows])
        self.fold = np.array([row["fold"] for row in self.rows])

    def batch(self, chosen):
        longest = int(self.lengths[chosen].max())
        index = torch.from_numpy(chosen).to(device)
        place = torch.arange(longest, device=device)
        mask = place[None, :] < self.length[index][:, None]
        ids = self.flat[(self.offset[index][:, None] + place[None, :]).clamp(max=len(self.flat) - 1)] * mask
        return index, ids, mask.long()


@torch.no_grad()
def embeddings_of(encoder, data):
    out = torch.zeros(len(data.rows), encoder.config.hidden_size, device=device, dtype=torch.float16)
    order = np.argsort(data.lengths, kind="stable")
    for start in range(0, len(order), 1024):
        index, ids, mask = data.batch(order[start : start + 1024])
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out[index] = pooled_embedding(encoder, ids, mask).half()
    return out


def epoch_batches(data, chosen, random):
    """A row of weight 2.3 comes twice, and a third time with probability .3; batches of similar length, in random order."""
    times = np.floor(data.weight[chosen]).astype(int) + (random.random(len(chosen)) < data.weight[chosen] % 1)
    rows = np.repeat(chosen, times)
    rows = rows[np.argsort(data.lengths[rows] + random.random(len(rows)) * 8, kind="stable")]
    batches = [rows[start : start + args.batch] for start in range(0, len(rows), args.batch)]
    random.shuffle(batches)
    return batches


def train(base, wanted, data, chosen, seed):
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    guard = Guard(copy.deepcopy(base)).to(device).train()
    average = copy.deepcopy(guard).eval()
    fast, slow = list(guard.parameters()), list(average.parameters())
    named = list(guard.named_parameters())
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for n, p in named if p.ndim >= 2 and not n.startswith("heads")], "weight_decay": 0.01, "scale": 1.0},
            {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
            {"params": [guard.heads.weight], "weight_decay": 0.0, "scale": 10.0},
        ],
        lr=args.rate,
        fused=True,
    )
    total = int(len(epoch_batches(data, chosen, random)) * args.epochs)
    step, started, losses = 0, time.time(), []
    while step < total:
        for batch in epoch_batches(data, chosen, random)[: total - step]:
            pace = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
            for group in optimiser.param_groups:
                group["lr"] = args.rate * pace * group["scale"]
            index, ids, mask = data.batch(batch)
            target = data.label[index] * (1 - args.smoothing) + args.smoothing / 2
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits, embedding, _ = guard(ids, mask)
            loss = binary_cross_entropy_with_logits(logits.gather(1, data.head[index][:, None])[:, 0], target)
            loss = loss + args.distil * (1 - (embedding * wanted[index].float()).sum(-1)).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(0.998, (step + 1) / (step + 10)))
            if step % 50 == 0:
                losses.append(loss.detach())
            step += 1
    print(f"trained {total} steps on {len(chosen)} rows in {time.time() - started:.0f} s, mean loss {torch.stack(losses).mean():.4f}", flush=True)
    return average


@torch.no_grad()
def score(guard, data, chosen):
    logits = np.zeros((len(chosen), len(HEADS)), dtype=np.float32)
    embeddings = np.zeros((len(chosen), 384), dtype=np.float16)
    order = np.argsort(data.lengths[chosen], kind="stable")
    for start in range(0, len(order), 512):
        group = order[start : start + 512]
        _, ids, mask = data.batch(chosen[group])
        with torch.autocast("cuda", dtype=torch.bfloat16):
            scores, embedding, _ = guard(ids, mask)
        logits[group] = scores.float().cpu().numpy()
        embeddings[group] = embedding.float().cpu().numpy().astype(np.float16)
    return logits, embeddings


def auc(scores, labels):
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    positives = labels.sum()
    return (ranks[labels == 1].sum() - positives * (positives + 1) / 2) / max(1, positives * (len(labels) - positives))


def report(rows, logits):
    for source in sorted({row["source"] for row in rows}):
        chosen = [i for i, row in enumerate(rows) if row["source"] == source]
        labels = np.array([rows[i]["label"] for i in chosen])
        own = np.array([logits[i, HEADS.index(rows[i]["head"])] for i in chosen])
        f1 = lambda t: 2 * ((own > t) & (labels == 1)).sum() / max(1, (own > t).sum() + labels.sum())
        best = max((f1(t), t) for t in np.quantile(own, np.linspace(0.02, 0.98, 97)))
        right = ((own > 0) == labels).mean()
        print(f"  {source:24} n={len(chosen):5} auc={auc(own, labels):.3f} f1@0={f1(0):.3f} accuracy@0={right:.3f} best f1={best[0]:.3f} at {best[1]:.2f}", flush=True)


def places(data):
    """For each row of a source that is left out a number from 0 to 1, the same for all rows of a case; -1 for all other rows."""
    sources = [source for source in args.without.split(",") if source]
    missing = set(sources) - {row["source"] for row in data.rows}
    if missing:
        raise SystemExit(f"No row of {args.data} is of {', '.join(sorted(missing))}")
    place = lambda text: int(hashlib.sha256(text.split(" || ")[-1].encode()).hexdigest()[:8], 16) / 2**32
    return np.array([place(row["text"]) if row["source"] in sources else -1.0 for row in data.rows])


def left_out(place, fold):
    """A window of that share over the places, one fold's width further on for each fold."""
    return (place >= 0) & ((place - fold / 5) % 1 < args.share)


def save(name, data, chosen, logits, embeddings):
    keys = np.array([data.rows[i]["key"] or "" for i in chosen])
    np.savez_compressed(os.path.join(args.out, name), logits=logits.astype(np.float16), embeddings=embeddings, keys=keys, rows=chosen)


def main():
    os.makedirs(args.out, exist_ok=True)
    started = time.time()
    base = load_encoder(args.base).to(device).eval()
    data = Data()
    wanted = embeddings_of(base, data)
    print(f"ready after {time.time() - started:.0f} s", flush=True)
    keyed = np.array([bool(row["key"]) for row in data.rows])
    place = places(data)
    apart, unseen_by, apart_logits, apart_embeddings = np.flatnonzero(place >= 0), [], [], []

    def score_apart(guard, without):
        if len(apart) > 0:
            logits, embeddings = score(guard, data, apart)
            unseen_by.append(without[apart])
            apart_logits.append(logits.astype(np.float16))
            apart_embeddings.append(embeddings)
            found = [np.stack(found) for found in (apart_logits, apart_embeddings, unseen_by)]
            np.savez_compressed(os.path.join(args.out, "apart.npz"), logits=found[0], embeddings=found[1], unseen=found[2], rows=apart)

    if args.final:
        without = left_out(place, 0)
        guard = train(base, wanted, data, np.flatnonzero((data.fold != -2) & ~without), args.seed)
        torch.save(guard.state_dict(), os.path.join(args.out, "guard.pt"))
        unseen = np.flatnonzero(data.fold == -2)
        logits, embeddings = score(guard, data, unseen)
        report([data.rows[i] for i in unseen], logits)
        save("unseen.npz", data, unseen, logits, embeddings)
        score_apart(guard, without)
    held_out, all_logits, all_embeddings = [], [], []
    for fold in [int(fold) for fold in args.folds.split(",") if fold]:
        without = left_out(place, fold)
        guard = train(base, wanted, data, np.flatnonzero((data.fold != fold) & (data.fold != -2) & ~without), args.seed + fold)
        chosen = np.flatnonzero((data.fold == fold) & keyed)
        logits, embeddings = score(guard, data, chosen)
        held_out.append(chosen)
        all_logits.append(logits)
        all_embeddings.append(embeddings)
        chosen = np.concatenate(held_out)
        report([data.rows[i] for i in chosen], np.concatenate(all_logits))
        save("folds.npz", data, chosen, np.concatenate(all_logits), np.concatenate(all_embeddings))
        score_apart(guard, without)


if __name__ == "__main__":
    main()
