"""Trains the reader: python3 training/reader/train.py --data reader.npz --base base.npz --out FOLDER [--final] [--folds 0,1]

--folds trains one model per fold without it, --final one on all that may be trained on. Each writes its weights in 16
bits (NAME.pt) and its logits on all measured pairs that it did not see (NAME.npz). Training ends after --epochs or
--seconds, whichever comes first, and the rate falls to its end by then.
"""

import argparse
import copy
import json
import os
import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from measure import report
from model import Pairs, fill_batches, load_base, read
from sequence import FEATURES

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--base", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--folds", default="")
parser.add_argument("--final", action="store_true")
parser.add_argument("--epochs", type=float, default=4)
parser.add_argument("--seconds", type=float, default=90)
parser.add_argument("--steps", type=int, default=0, help="at most so many, for trying things out")
parser.add_argument("--rate", type=float, default=3e-4)
parser.add_argument("--tokens", type=int, default=32768)
parser.add_argument("--rows", type=int, default=1024)
parser.add_argument("--dropout", type=float, default=0.1)
parser.add_argument("--smoothing", type=float, default=0.05)
parser.add_argument("--labelled", type=float, default=1.0, help="how often labelled pairs come, beside their weight")
parser.add_argument("--seed", type=int, default=7)
args = parser.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
half = torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")
torch.backends.cuda.matmul.allow_tf32 = True
MEMORY = 0.998


class Data:
    def __init__(self):
        with np.load(args.data) as file:
            packed = {name: file[name] for name in file.files}
        self.pairs = Pairs(packed, FEATURES, device)
        self.lengths = self.pairs.lengths
        self.label = torch.from_numpy(packed["labels"].astype(np.int64)).to(device)
        self.weight = packed["weights"].astype(np.float64)
        self.weight[self.weight > 1.01] *= args.labelled
        self.fold, self.measured = packed["fold"], packed["measured"].astype(np.int64)
        self.about = [json.loads(line) for line in packed["about"]]


def epoch_batches(data, chosen, random):
    """A pair of weight 2.3 comes twice, and a third time with probability .3; in random order, whatever its length."""
    weight = data.weight[chosen]
    times = np.floor(weight).astype(int) + (random.random(len(chosen)) < weight % 1)
    return fill_batches(data.lengths, random.permutation(np.repeat(chosen, times)), args.tokens, args.rows)


def optimiser_of(reader):
    named = list(reader.named_parameters())
    own = ("linear", "hidden", "narrow", "attention", "features")
    groups = [
        {"params": [p for n, p in named if p.ndim >= 2 and not n.startswith(own)], "weight_decay": 0.01, "scale": 1.0},
        {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
        {"params": [p for n, p in named if p.ndim >= 2 and n.startswith(own)], "weight_decay": 0.0, "scale": 5.0},
    ]
    return torch.optim.AdamW(groups, lr=args.rate, fused=device == "cuda")


def train(base, data, chosen, seed):
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    reader = copy.deepcopy(base).to(device)
    average = copy.deepcopy(reader).eval()
    fast, slow = list(reader.parameters()), list(average.parameters())
    optimiser = optimiser_of(reader)
    batches = epoch_batches(data, chosen, random)
    total = int(len(batches) * args.epochs)
    total = min(total, args.steps) if args.steps else total
    step, started, tokens, done = 0, time.time(), 0, 0.0
    while done < 1:
        for rows in batches:
            done = max(step / total, (time.time() - started) / args.seconds)
            if done >= 1:
                break
            pace = min(1.0, done / 0.05 + 0.01) * max(0.01, 1 - done)
            for group in optimiser.param_groups:
                group["lr"] = args.rate * pace * group["scale"]
            batch = data.pairs.batch(rows)
            with half:
                logits = read(reader, batch, args.dropout)
            loss = cross_entropy(logits, data.label[batch.index], label_smoothing=args.smoothing)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(MEMORY, (step + 1) / (step + 10)))
            tokens += len(batch.ids)
            if step % 200 == 0:
                took = time.time() - started + 1e-9
                print(f"  step {step} of {total}, {took:.0f} s, {tokens / took / 1000:.0f} k tokens a second, loss {loss.item():.4f}", flush=True)
            step += 1
        batches = epoch_batches(data, chosen, random)
    print(f"trained {step} of {total} steps on {len(chosen)} pairs in {time.time() - started:.0f} s", flush=True)
    return average


@torch.no_grad()
def logits_on(reader, data, rows):
    out = torch.zeros(len(rows), 3, device=device)
    order = np.argsort(data.lengths[rows], kind="stable")
    at = 0
    for chosen in fill_batches(data.lengths, rows[order], 131_072 if device == "cuda" else 4096, 4096):
        with half:
            out[torch.from_numpy(order[at : at + len(chosen)]).to(device)] = read(reader, data.pairs.batch(chosen))
        at += len(chosen)
    return out.cpu().numpy()


def finish(name, reader, data, places):
    """Keeps a model's weights and what it says about measured pairs that it did not see."""
    torch.save({key: value.half() for key, value in reader.state_dict().items()}, os.path.join(args.out, f"{name}.pt"))
    places = places[:40] if args.steps else places
    logits = logits_on(reader, data, data.measured[places])
    about = [data.about[n] for n in places]
    print(name, flush=True)
    report(about, logits)
    np.savez_compressed(os.path.join(args.out, f"{name}.npz"), logits=logits, about=np.array([json.dumps(item) for item in about]))


def main():
    os.makedirs(args.out, exist_ok=True)
    started = time.time()
    base, data = load_base(args.base), Data()
    print(f"{len(data.fold)} pairs, {data.lengths.sum() / 1e6:.1f} M tokens, ready after {time.time() - started:.0f} s", flush=True)
    trainable = data.fold != -2
    fold = data.fold[data.measured]
    for left in [int(left) for left in args.folds.split(",") if left]:
        reader = train(base, data, np.flatnonzero(trainable & (data.fold != left)), args.seed + left)
        finish(f"fold-{left}", reader, data, np.flatnonzero((fold == -2) | (fold == left)))
    if args.final:
        finish("final", train(base, data, np.flatnonzero(trainable), args.seed + 2), data, np.flatnonzero(fold == -2))


if __name__ == "__main__":
    main()
