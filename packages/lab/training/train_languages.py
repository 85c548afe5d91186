"""Trains the guard for other languages: python3 packages/lab/training/train_languages.py --english english.npz --other languages.npz --parallel parallel.npz --base FOLDER --out FOLDER

1. The base's vocabulary is widened: a new piece starts as the mean of what the base makes of it.
2. Alignment: the embedding of a sentence and of its translation toward the base's embedding of the English one. It is
   kept (trunk.pt), and taken from there with --trunk.
3. The heads, on texts of all languages, with parallel sentences in every batch that must stay aligned and score alike.
   --fold 0 or 1 leaves whole sources out and measures on them; without it the model learns from all that may be used.
"""

import argparse
import copy
import json
import os
import time
import zlib

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from model import HEADS, Guard, load_encoder
from packed import Texts, embed, fill_batches, load_packed, read

parser = argparse.ArgumentParser()
for name in ("--english", "--other", "--parallel", "--base", "--out"):
    parser.add_argument(name, required=True)
parser.add_argument("--seconds", type=float, default=420, help="for the alignment")
parser.add_argument("--only-align", action="store_true")
parser.add_argument("--trunk", default="")
parser.add_argument("--fold", type=int, default=-9)
parser.add_argument("--epochs", type=float, default=3)
parser.add_argument("--steps", type=int, default=0, help="at most so many, for trying things out")
parser.add_argument("--rate", type=float, default=4e-4, help="of the alignment")
parser.add_argument("--heads-rate", type=float, default=1.5e-4)
parser.add_argument("--words-rate", type=float, default=0.05, help="of the vocabulary, beside that of the layers; more where it was not aligned on these sentences")
parser.add_argument("--limit", type=float, default=0, help="seconds for the heads")
parser.add_argument("--tokens", type=int, default=32768)
parser.add_argument("--share", type=float, default=0.35, help="how much English rows of large sources count")
args = parser.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
half = torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")
torch.backends.cuda.matmul.allow_tf32 = True
started = time.time()
# Whole sources that a fold does not see: prompts in eight languages, and posts in six.
UNSEEN = {0: {"XSafety", "KoSBi"}, 1: {"GAHD", "MLMA", "ToLD-Br", "BEEP-ko", "japanese-toxic", "identity-templates"}}
# Kept back from the shipped model too, where a language has no other everyday texts to set its bar by.
KEPT_BACK = {"ru": "XQuAD", "tr": "XQuAD", "id": "NusaX"}
HELD_PAIRS = 300


def say(*words):
    print(f"{time.time() - started:.0f} s:", *words, flush=True)


def widen(encoder, packed):
    table = encoder.embeddings.word_embeddings.weight.detach()
    lengths = packed["fresh_lengths"].astype(int)
    text = torch.from_numpy(np.repeat(np.arange(len(lengths)), lengths))
    pieces = table[torch.from_numpy(packed["fresh_ids"].astype(np.int64))]
    rows = torch.zeros(len(lengths), table.shape[1]).index_add(0, text, pieces) / torch.from_numpy(np.maximum(lengths, 1))[:, None]
    wide = torch.nn.Embedding(len(table) + len(rows), table.shape[1], padding_idx=0)
    with torch.no_grad():
        wide.weight.copy_(torch.cat([table, rows]))
    encoder.embeddings.word_embeddings = wide
    encoder.config.vocab_size = len(wide.weight)
    return encoder


class Pairs:
    def __init__(self, packed, teacher):
        self.english, self.other = (Texts(packed[f"{side}_ids"], packed[f"{side}_lengths"], device=device) for side in ("english", "other"))
        taught = Texts(packed["taught_ids"], packed["taught_lengths"], device=device)
        self.wanted = over(taught, np.arange(len(taught.lengths)), lambda batch: embed(teacher, batch), 384)
        self.lengths = self.english.lengths + self.other.lengths
        self.langs = packed["langs"][packed["lang"]]
        self.held = np.concatenate([np.flatnonzero(self.langs == lang)[:HELD_PAIRS] for lang in sorted(set(self.langs))])
        self.chosen = np.setdiff1d(np.arange(len(self.langs)), self.held)


@torch.no_grad()
def over(texts, rows, what, width):
    out = torch.zeros(len(rows), width, dtype=torch.float16, device=device)
    at = 0
    for chosen in fill_batches(texts.lengths, rows, 262_144 if device == "cuda" else 4096, 8192):
        with half:
            out[at : at + len(chosen)] = what(texts.batch(chosen)).half()
        at += len(chosen)
    return out


def alignment_loss(english, other, wanted):
    near = (1 - (english * wanted).sum(-1)).mean() + (1 - (other * wanted).sum(-1)).mean()
    own = torch.arange(len(other), device=device)
    apart = cross_entropy(other @ wanted.T * 50, own) + cross_entropy(wanted @ other.T * 50, own) + 0.5 * cross_entropy(english @ wanted.T * 50, own)
    return 4 * near + 0.4 * apart


def align(student, pairs):
    """As many steps as fit into the time; the rows of the vocabulary learn faster than the layers."""
    random = np.random.default_rng(5)
    table = student.embeddings.word_embeddings.weight
    rest = [p for p in student.parameters() if p is not table]
    groups = [{"params": [table], "weight_decay": 0.0, "scale": 3.0}, {"params": rest, "weight_decay": 0.01, "scale": 1.0}]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, fused=device == "cuda")
    average = copy.deepcopy(student).eval()
    fast, slow = list(student.parameters()), list(average.parameters())
    step, began, done = 0, time.time(), 0.0
    while done < 1:
        for rows in fill_batches(pairs.lengths, random.permutation(pairs.chosen), args.tokens, 1024):
            done = max((time.time() - began) / args.seconds, step / args.steps if args.steps else 0)
            if done >= 1:
                break
            for group in optimiser.param_groups:
                group["lr"] = args.rate * min(1.0, (step + 1) / 150) * max(0.01, 1 - done) * group["scale"]
            with half:
                first, second = (embed(student, side.batch(rows)) for side in (pairs.english, pairs.other))
            loss = alignment_loss(first, second, pairs.wanted[torch.from_numpy(rows).to(device)].float())
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(0.99, (step + 1) / (step + 10)))
            if step % 200 == 0:
                say(f"align step {step}, {done:.2f} done, loss {loss.item():.4f}")
            step += 1
    return average


def report_alignment(student, pairs):
    for lang in sorted(set(pairs.langs[pairs.held])):
        rows = pairs.held[pairs.langs[pairs.held] == lang]
        found = over(pairs.other, rows, lambda batch: embed(student, batch), 384).float()
        right = (found @ pairs.wanted[torch.from_numpy(rows).to(device)].float().T).argmax(1).cpu().numpy() == np.arange(len(rows))
        print(f"  {lang} {right.mean():.2f} of {len(rows)}", end=";", flush=True)
    print(flush=True)


class Rows:
    """English and other rows as one set; the English ids hold in the widened vocabulary too."""

    def __init__(self):
        english, other = load_packed(args.english), load_packed(args.other)
        both = lambda name: np.concatenate([english[name].astype(np.int64), other[name].astype(np.int64)])
        self.texts = Texts(both("ids"), both("lengths"), both("starts"), device)
        label = torch.from_numpy(both("labels")).to(device).float()
        self.known, self.label = (label >= 0).float(), label.clamp(min=0) / 2
        self.fold, self.count = both("fold"), len(english["fold"])
        names = [json.loads(str(part["names"])) for part in (english, other)]
        column = lambda name: np.concatenate([np.array(named[name])[part[name]] for named, part in zip(names, (english, other))])
        self.source, self.kind, self.lang = column("source"), column("kind"), column("lang")
        # Both minds' rows count alike here.
        self.weight = np.concatenate([part["weights"].astype(np.float64).mean(1) for part in (english, other)])
        large = (np.arange(len(self.fold)) < self.count) & (self.fold == -1) & ~np.isin(self.source, ["contrast", "policy"])
        self.weight[large] *= args.share
        self.measured = np.concatenate([english["measured"].astype(np.int64), other["measured"].astype(np.int64) + self.count])
        self.about = [*english["about"], *other["about"]]
        self.foreign = np.arange(len(self.fold)) >= self.count
        by_source = np.array([zlib.crc32(source.encode()) % 6 for source in self.source])
        harmless = (label[:, HEADS.index("content")] == 0).cpu().numpy() & (self.kind != "")
        kept_back = np.array([KEPT_BACK.get(lang) == source for lang, source in zip(self.lang, self.source)])
        self.unseen = self.foreign & (np.isin(self.source, list(UNSEEN.get(args.fold, ()))) | (harmless & (self.fold == -1) & (by_source == args.fold)) | kept_back)
        self.trainable = np.flatnonzero((self.fold != -2) & (self.fold != args.fold) & ~self.unseen & (self.weight > 0))


def optimiser_of(guard):
    """The lower a layer, the less it moves: what the alignment taught the vocabulary stays."""
    own = ("linear", "wide", "narrow", "attention.weight")
    named = list(guard.named_parameters())

    def depth(name):
        parts = name.split(".")
        return args.words_rate if "embeddings" in parts else 0.85 ** (11 - int(parts[parts.index("layer") + 1])) if "layer" in parts else 1.0

    groups = [
        *({"params": [p], "weight_decay": 0.01, "scale": depth(n)} for n, p in named if p.ndim >= 2 and not n.startswith(own)),
        {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
        {"params": [p for n, p in named if p.ndim >= 2 and n.startswith(own)], "weight_decay": 0.0, "scale": 8.0},
    ]
    return torch.optim.AdamW(groups, lr=args.heads_rate, fused=device == "cuda")


def train_heads(encoder, rows, pairs):
    random = np.random.default_rng(7)
    torch.manual_seed(7)
    guard = Guard(copy.deepcopy(encoder)).to(device)
    average = copy.deepcopy(guard).eval()
    fast, slow = list(guard.parameters()), list(average.parameters())
    optimiser = optimiser_of(guard)

    def epoch():
        weight = rows.weight[rows.trainable]
        times = np.floor(weight).astype(int) + (random.random(len(weight)) < weight % 1)
        return fill_batches(rows.texts.lengths, random.permutation(np.repeat(rows.trainable, times)), args.tokens, 1024)

    total, step = int(len(epoch()) * args.epochs), 0
    total = min(total, args.steps) if args.steps else total
    began, done = time.time(), 0.0
    while done < 1:
        for chosen in epoch():
            done = max(step / total, (time.time() - began) / args.limit if args.limit else 0)
            if done >= 1:
                break
            pace = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - done)
            for group in optimiser.param_groups:
                group["lr"] = args.heads_rate * pace * group["scale"]
            batch = rows.texts.batch(chosen)
            some = pairs.chosen[random.integers(len(pairs.chosen), size=192)]
            with half:
                logits, _ = read(guard, batch, 0.1)
                (first, first_at), (second, second_at) = (read(guard, side.batch(some)) for side in (pairs.english, pairs.other))
            known = rows.known[batch.index]
            losses = binary_cross_entropy_with_logits(logits, rows.label[batch.index] * 0.95 + 0.025, reduction="none") * known
            loss = (losses.sum(1) / known.sum(1).clamp(min=1).sqrt()).mean()
            alike = (first[:, :5] - second[:, :5]).pow(2).mean()
            wanted = pairs.wanted[torch.from_numpy(some).to(device)].float()
            optimiser.zero_grad(set_to_none=True)
            (loss + 0.1 * alike + 0.3 * alignment_loss(first_at, second_at, wanted)).backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(0.998, (step + 1) / (step + 10)))
            if step % 200 == 0:
                say(f"heads {step} of {total}, loss {loss.item():.4f}")
            step += 1
    return average


def finish(guard, rows):
    """What the model says about rows that it did not see: measured ones, and those of sources left out."""
    name = f"languages-fold-{args.fold}" if args.fold >= 0 else "languages-final"
    torch.save({key: value.half() for key, value in guard.state_dict().items()}, os.path.join(args.out, f"{name}.pt"))
    known = dict(zip(rows.measured.tolist(), rows.about))
    chosen = np.union1d(np.flatnonzero(rows.unseen), rows.measured[np.isin(rows.fold[rows.measured], [-2, args.fold])])
    logits = over(rows.texts, chosen, lambda batch: read(guard, batch)[0], len(HEADS)).cpu().numpy()
    labels = rows.label[torch.from_numpy(chosen).to(device)].cpu().numpy()
    taught = rows.known[torch.from_numpy(chosen).to(device)].cpu().numpy()
    heads = [{head: float(labels[n, i]) for i, head in enumerate(HEADS) if taught[n, i]} for n in range(len(chosen))]
    about = [known.get(int(row), {"source": str(rows.source[row]), "kind": str(rows.kind[row]), "lang": str(rows.lang[row]), "fold": int(rows.fold[row]), "heads": heads[n]}) for n, row in enumerate(chosen)]
    np.savez_compressed(os.path.join(args.out, f"{name}.npz"), logits=logits, about=np.array([json.dumps(item) for item in about]))
    report(about, logits.astype(np.float32))


def report(about, logits):
    """By language: what 3 % of harmless texts reach, and how much harm of each unseen source stands above it."""
    content = logits[:, HEADS.index("content")]
    by_language = {}
    for n, item in enumerate(about):
        if "content" in item["heads"] and "wrapper" not in item:
            by_language.setdefault(item["lang"], {0: [], 1: []})[int(item["heads"]["content"])].append(n)
    for lang, found in sorted(by_language.items()):
        if len(found[0]) < 20:
            continue
        bar = np.quantile(content[found[0]], 0.97)
        by_source = {}
        for n in found[1]:
            by_source.setdefault(about[n]["source"], []).append(n)
        recall = ", ".join(f"{source} {(content[ns] > bar).mean():.2f} of {len(ns)}" for source, ns in by_source.items())
        print(f"  {lang}: {len(found[0])} harmless, above 0 {(content[found[0]] > 0).mean():.3f}, 3 % at {bar:.2f}; caught {recall}", flush=True)


def main():
    os.makedirs(args.out, exist_ok=True)
    with np.load(args.parallel) as file:
        packed = {name: file[name] for name in file.files}
    base = load_encoder(args.base)
    pairs = Pairs(packed, copy.deepcopy(base).to(device).eval())
    student = widen(base, packed).to(device)
    say(f"{len(pairs.langs)} pairs, {len(student.embeddings.word_embeddings.weight)} pieces")
    if args.trunk:
        student.load_state_dict({key: value.float() for key, value in torch.load(args.trunk).items()})
    else:
        student = align(student, pairs)
        torch.save({key: value.half() for key, value in student.state_dict().items()}, os.path.join(args.out, "trunk.pt"))
        report_alignment(student, pairs)
    if args.only_align:
        return
    rows = Rows()
    say(f"{len(rows.fold)} rows, {len(rows.trainable)} to train on, {rows.unseen.sum()} of unseen sources")
    finish(train_heads(student, rows, pairs), rows)


if __name__ == "__main__":
    main()
