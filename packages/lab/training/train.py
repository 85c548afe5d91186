"""Trains a mind of the guard: python3 packages/lab/training/train.py --data english.npz --base FOLDER --out FOLDER --mind first [--final] [--folds 0,1] [--teach]

--final trains on all that may be trained on and saves the weights (NAME.pt); --folds trains one model per fold without
it. Each writes its logits and embeddings on all measured rows that it did not see (NAME.npz), with --teach also its
logits on every row, for others to learn from (NAME-teacher.npy). --teachers FILES mixes their mean into the targets.
--without-wrappers, --without-kinds and --without-sources leave whole kinds out, for measuring.
"""

import argparse
import copy
import json
import os
import time

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from measure import report
from model import HEADS, Guard, load_encoder
from packed import Texts, embed, fill_batches, load_packed, read

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--base", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--mind", choices=["first", "second"], default="first")
parser.add_argument("--folds", default="")
parser.add_argument("--final", action="store_true")
parser.add_argument("--teach", action="store_true")
parser.add_argument("--teachers", default="")
parser.add_argument("--epochs", type=float, default=4)
parser.add_argument("--steps", type=int, default=0, help="at most so many, for trying things out")
parser.add_argument("--rate", type=float, default=1.6e-4)
parser.add_argument("--tokens", type=int, default=32768)
parser.add_argument("--rows", type=int, default=1024)
parser.add_argument("--dropout", type=float, default=0.1)
parser.add_argument("--distil", type=float, default=1.0)
parser.add_argument("--smoothing", type=float, default=0.05)
parser.add_argument("--seed", type=int, default=7)
parser.add_argument("--without-wrappers", default="")
parser.add_argument("--without-kinds", default="")
parser.add_argument("--without-sources", default="")
args = parser.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
half = torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")
torch.backends.cuda.matmul.allow_tf32 = True
MEMORY = 0.998


class Data:
    def __init__(self):
        packed = load_packed(args.data)
        self.texts = Texts(packed["ids"], packed["lengths"], packed["starts"], device)
        self.lengths = self.texts.lengths
        label = torch.from_numpy(packed["labels"]).to(device).float()
        self.known, self.label = (label >= 0).float(), label.clamp(min=0) / 2
        self.weight = packed["weights"][:, ["first", "second"].index(args.mind)].astype(np.float64)
        self.fold, self.measured, self.about = packed["fold"], packed["measured"], packed["about"]
        names = json.loads(str(packed["names"]))
        self.left_out = np.zeros(len(self.fold), dtype=bool)
        for column in ("wrapper", "kind", "source"):
            for name in filter(None, getattr(args, f"without_{column}s").split(",")):
                self.left_out |= packed[column] == names[column].index(name)
        if args.teachers:
            told = np.mean([np.load(file).astype(np.float32) for file in args.teachers.split(",")], axis=0)
            self.teacher = torch.sigmoid(torch.from_numpy(told)).to(device)

    def target(self, index):
        wanted = self.label[index] * (1 - args.smoothing) + args.smoothing / 2
        return 0.5 * wanted + 0.5 * self.teacher[index] if args.teachers else wanted


def epoch_batches(data, chosen, random):
    """A row of weight 2.3 comes twice, and a third time with probability .3; in random order, whatever its length."""
    weight = data.weight[chosen]
    times = np.floor(weight).astype(int) + (random.random(len(chosen)) < weight % 1)
    return fill_batches(data.lengths, random.permutation(np.repeat(chosen, times)), args.tokens, args.rows)


def optimiser_of(guard):
    named = list(guard.named_parameters())
    own = ("linear", "wide", "narrow", "attention")
    groups = [
        {"params": [p for n, p in named if p.ndim >= 2 and not n.startswith(own)], "weight_decay": 0.01, "scale": 1.0},
        {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
        {"params": [p for n, p in named if p.ndim >= 2 and n.startswith(own)], "weight_decay": 0.0, "scale": 8.0},
    ]
    return torch.optim.AdamW(groups, lr=args.rate, fused=device == "cuda")


def train(base, wanted, data, chosen, seed):
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    guard = Guard(copy.deepcopy(base)).to(device)
    average = copy.deepcopy(guard).eval()
    fast, slow = list(guard.parameters()), list(average.parameters())
    optimiser = optimiser_of(guard)
    total = int(len(epoch_batches(data, chosen, random)) * args.epochs)
    total = min(total, args.steps) if args.steps else total
    step, started, tokens = 0, time.time(), 0
    while step < total:
        for rows in epoch_batches(data, chosen, random)[: total - step]:
            pace = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
            for group in optimiser.param_groups:
                group["lr"] = args.rate * pace * group["scale"]
            batch = data.texts.batch(rows)
            with half:
                logits, embedding = read(guard, batch, args.dropout)
            known = data.known[batch.index]
            losses = binary_cross_entropy_with_logits(logits, data.target(batch.index), reduction="none") * known
            # Half of the weight is shared among a row's heads, so that rows of many heads do not drown the others.
            loss = (losses.sum(1) / known.sum(1).clamp(min=1).sqrt()).mean()
            away = (1 - (embedding * wanted[batch.index].float()).sum(-1)) * ~batch.is_exchange
            optimiser.zero_grad(set_to_none=True)
            (loss + args.distil * away.mean()).backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(MEMORY, (step + 1) / (step + 10)))
            tokens += len(batch.ids)
            if step % 200 == 0:
                took = time.time() - started
                print(f"  step {step} of {total}, {took:.0f} s, {tokens / took / 1000:.0f} k tokens a second, loss {loss.item():.4f}", flush=True)
            step += 1
    print(f"trained {total} steps on {len(chosen)} rows in {time.time() - started:.0f} s", flush=True)
    return average


@torch.no_grad()
def over(texts, rows, what, width, tokens=262_144):
    """What a function makes of each of these rows, long ones together, as an array."""
    out = torch.zeros(len(rows), width, dtype=torch.float16, device=device)
    order = np.argsort(texts.lengths[rows], kind="stable")
    at = 0
    for chosen in fill_batches(texts.lengths, rows[order], tokens if device == "cuda" else 4096, 8192):
        with half:
            out[torch.from_numpy(order[at : at + len(chosen)]).to(device)] = what(texts.batch(chosen)).half()
        at += len(chosen)
    return out


def finish(name, guard, data, rows):
    """Keeps a model's weights and what it says about rows that it did not see."""
    torch.save({key: value.half() for key, value in guard.state_dict().items()}, os.path.join(args.out, f"{name}.pt"))
    said = over(data.texts, rows, lambda batch: torch.cat(read(guard, batch), 1), len(HEADS) + 384).cpu().numpy()
    logits, embeddings = said[:, : len(HEADS)], said[:, len(HEADS) :]
    place = {row: n for n, row in enumerate(data.measured)}
    about = [data.about[place[row]] for row in rows]
    report(about, logits.astype(np.float32))
    keyed = np.array(["key" in item for item in about])
    np.savez_compressed(os.path.join(args.out, f"{name}.npz"), logits=logits, embeddings=embeddings[keyed], keyed=keyed, about=np.array([json.dumps(item) for item in about]))
    if args.teach:
        everything = np.arange(len(data.fold))
        np.save(os.path.join(args.out, f"{name}-teacher.npy"), over(data.texts, everything, lambda batch: read(guard, batch)[0], len(HEADS)).cpu().numpy())


def main():
    os.makedirs(args.out, exist_ok=True)
    started = time.time()
    base = load_encoder(args.base).to(device).eval()
    data = Data()
    everything = np.arange(len(data.fold))
    if args.steps:
        wanted = torch.zeros(len(everything), 384, device=device, dtype=torch.float16)
    else:
        wanted = over(data.texts, everything, lambda batch: embed(base, batch), 384)
    print(f"{len(everything)} rows, {data.lengths.sum() / 1e6:.1f} M tokens, ready after {time.time() - started:.0f} s", flush=True)
    trainable = (data.fold != -2) & ~data.left_out & (data.weight > 0)
    fold = data.fold[data.measured]
    if args.final:
        finish(f"{args.mind}-final", train(base, wanted, data, np.flatnonzero(trainable), args.seed), data, data.measured[fold == -2])
    for left in [int(left) for left in args.folds.split(",") if left]:
        guard = train(base, wanted, data, np.flatnonzero(trainable & (data.fold != left)), args.seed + left)
        unseen = (fold == -2) | (fold == left) | data.left_out[data.measured]
        finish(f"{args.mind}-fold-{left}", guard, data, data.measured[unseen])


if __name__ == "__main__":
    main()
