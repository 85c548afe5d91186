"""Trains the guard for other languages: python3 training/train_languages.py --data EN.jsonl.gz --other OTHER.jsonl.gz --parallel P.jsonl.gz --base FOLDER --out FOLDER

1. A vocabulary for the other scripts beside the base's own pieces (WordPiece, lower case, accents kept).
2. Alignment: the student's embedding of a sentence and of its translation toward the base's embedding of the English one.
3. The heads, on texts of all languages, with parallel sentences in every batch that must stay aligned and score alike.
"""

import argparse
import copy
import gzip
import json
import os
import time
import unicodedata

import numpy as np
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import BertTokenizerFast

from model import HEADS, Guard, load_encoder, pooled_embedding

parser = argparse.ArgumentParser()
for name in ("--data", "--other", "--parallel", "--base", "--out"):
    parser.add_argument(name, required=True)
parser.add_argument("--pieces", type=int, default=52000)
parser.add_argument("--vocabulary", default="")
parser.add_argument("--seconds", type=float, default=480)
parser.add_argument("--only-align", action="store_true")
parser.add_argument("--trunk", default="", help="a trunk that was aligned before: its alignment is kept")
parser.add_argument("--rate", type=float, default=4e-4)
parser.add_argument("--epochs", type=float, default=2)
parser.add_argument("--tokens", type=int, default=24576)
parser.add_argument("--length", type=int, default=256)
parser.add_argument("--fold", type=int, default=-9)
parser.add_argument("--english", type=float, default=0.35)
args = parser.parse_args()
device = "cuda"
torch.backends.cuda.matmul.allow_tf32 = True
started = time.time()


def say(*words):
    print(f"{time.time() - started:.0f} s:", *words, flush=True)


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def nfc(text):
    return unicodedata.normalize("NFC", text)


def build_tokenizer(texts):
    old = json.load(open(os.path.join(args.base, "tokenizer.json")))["model"]["vocab"]
    normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True)
    learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learner.normalizer, learner.pre_tokenizer = normalizer, pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=args.pieces + 24000, min_frequency=3, limit_alphabet=7000, show_progress=False, special_tokens=["[UNK]"])
    learner.train_from_iterator(texts, trainer)
    found = sorted(learner.get_vocab().items(), key=lambda item: item[1])
    fresh = [piece for piece, _ in found if piece not in old][: args.pieces]
    vocab = {**old, **{piece: len(old) + n for n, piece in enumerate(fresh)}}
    tokenizer = Tokenizer(models.WordPiece(vocab=vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])])
    tokenizer.save(os.path.join(args.out, "tokenizer.json"))
    return tokenizer, fresh


def read_tokenizer():
    old = json.load(open(os.path.join(args.base, "tokenizer.json")))["model"]["vocab"]
    tokenizer = Tokenizer.from_file(args.vocabulary)
    vocab = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    return tokenizer, [piece for piece, _ in vocab[len(old) :]]


def widen(encoder, fresh):
    """New rows start as the mean of the pieces that the base's own vocabulary makes of them."""
    own = BertTokenizerFast(tokenizer_file=os.path.join(args.base, "tokenizer.json"))
    table = encoder.embeddings.word_embeddings.weight.detach()
    rows = torch.zeros(len(fresh), table.shape[1])
    for n, ids in enumerate(own([piece.removeprefix("##") for piece in fresh], add_special_tokens=False)["input_ids"]):
        rows[n] = table[ids].mean(0) if ids else table[own.unk_token_id]
    wide = torch.nn.Embedding(len(table) + len(fresh), table.shape[1], padding_idx=0)
    with torch.no_grad():
        wide.weight.copy_(torch.cat([table, rows]))
    encoder.embeddings.word_embeddings = wide
    encoder.config.vocab_size = len(wide.weight)


class Tokens:
    def __init__(self, sequences, starts=None):
        self.lengths = np.array([len(ids) for ids in sequences])
        self.flat = torch.tensor(np.concatenate([np.array(ids, dtype=np.int32) for ids in sequences]), device=device)
        self.length = torch.tensor(self.lengths, device=device)
        self.offset = torch.cumsum(self.length, 0) - self.length
        self.start = torch.tensor(starts if starts is not None else np.full(len(sequences), 10**6), device=device)

    def batch(self, chosen):
        index = torch.from_numpy(chosen).to(device)
        place = torch.arange(int(self.lengths[chosen].max()), device=device)
        mask = place[None, :] < self.length[index][:, None]
        ids = self.flat[(self.offset[index][:, None] + place[None, :]).clamp(max=len(self.flat) - 1)].long() * mask
        return index, ids, mask.long(), ((place[None, :] >= self.start[index][:, None]) & mask).long()


def encode(tokenizer, texts, length):
    tokenizer.enable_truncation(length)
    return [found.ids for found in tokenizer.encode_batch([nfc(text) for text in texts])]


def batches_of(lengths, rows, tokens, random, most=1024):
    rows = rows[np.argsort(lengths[rows] + random.random(len(rows)) * 8, kind="stable")]
    found, start = [], 0
    while start < len(rows):
        ahead = rows[start : start + most]
        widths = np.maximum.accumulate(lengths[ahead]) * np.arange(1, len(ahead) + 1)
        size = max(1, int(np.searchsorted(widths, tokens, side="right")))
        found.append(rows[start : start + size])
        start += size
    random.shuffle(found)
    return found


def optimiser_of(model, rate):
    """The lower a layer, the less it moves: what the alignment taught the vocabulary stays."""
    named = list(model.named_parameters())
    own = ("linear", "wide", "narrow", "attention.weight")

    def depth(name):
        parts = name.split(".")
        return 0.05 if "embeddings" in parts else 0.85 ** (11 - int(parts[parts.index("layer") + 1])) if "layer" in parts else 1.0

    return torch.optim.AdamW(
        [
            *({"params": [p], "weight_decay": 0.01, "scale": depth(n)} for n, p in named if p.ndim >= 2 and not n.startswith(own)),
            {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
            {"params": [p for n, p in named if p.ndim >= 2 and n.startswith(own)], "weight_decay": 0.0, "scale": 8.0},
        ],
        lr=rate,
        fused=True,
    )


def pace_of(optimiser, rate, step, total):
    pace = min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
    for group in optimiser.param_groups:
        group["lr"] = rate * pace * group["scale"]


def unit_mean(states, mask):
    weights = mask.float() / mask.sum(1, keepdim=True).clamp(min=1)
    return torch.nn.functional.normalize((states.float() * weights.unsqueeze(-1)).sum(1), dim=-1)


def alignment_loss(english, other, wanted):
    near = (1 - (english * wanted).sum(-1)).mean() + (1 - (other * wanted).sum(-1)).mean()
    own = torch.arange(len(other), device=device)
    apart = cross_entropy(other @ wanted.T * 50, own) + cross_entropy(wanted @ other.T * 50, own) + 0.5 * cross_entropy(english @ wanted.T * 50, own)
    return 4 * near + 0.4 * apart


def align(student, english, other, wanted, chosen):
    """As many steps as fit into the time; the rows of the vocabulary learn faster than the layers."""
    random = np.random.default_rng(5)
    table = student.embeddings.word_embeddings.weight
    rest = [p for p in student.parameters() if p is not table]
    optimiser = torch.optim.AdamW([{"params": [table], "weight_decay": 0.0, "scale": 3.0}, {"params": rest, "weight_decay": 0.01, "scale": 1.0}], lr=args.rate, fused=True)
    both = english.lengths + other.lengths
    average = copy.deepcopy(student).eval()
    fast, slow = list(student.parameters()), list(average.parameters())
    student.train()
    step, began, done = 0, time.time(), 0.0
    while done < 1:
        for batch in batches_of(both, chosen, args.tokens, random):
            done = (time.time() - began) / args.seconds
            if done >= 1:
                break
            pace = min(1.0, (step + 1) / 150) * max(0.01, 1 - done)
            for group in optimiser.param_groups:
                group["lr"] = args.rate * pace * group["scale"]
            index, ids, mask, _ = english.batch(batch)
            _, ids2, mask2, _ = other.batch(batch)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                first = unit_mean(student(input_ids=ids, attention_mask=mask).last_hidden_state, mask)
                second = unit_mean(student(input_ids=ids2, attention_mask=mask2).last_hidden_state, mask2)
            loss = alignment_loss(first, second, wanted[index].float())
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


@torch.no_grad()
def embed(encoder, tokens, rows):
    out = torch.zeros(len(rows), 384, device=device)
    order = np.argsort(tokens.lengths[rows], kind="stable")
    for start in range(0, len(order), 1024):
        at = order[start : start + 1024]
        _, ids, mask, _ = tokens.batch(rows[at])
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out[torch.from_numpy(at).to(device)] = pooled_embedding(encoder, ids, mask)
    return out


def report_alignment(student, other, wanted, langs, held):
    for lang in sorted(set(langs[held])):
        rows = held[langs[held] == lang]
        found = embed(student, other, rows)
        right = (found @ wanted[torch.from_numpy(rows).to(device)].float().T).argmax(1).cpu().numpy() == np.arange(len(rows))
        print(f"  {lang} {right.mean():.2f} of {len(rows)}", end=";", flush=True)
    print(flush=True)


def train_heads(encoder, data, rows, chosen, english, other, wanted, pairs, rate=1.2e-4):
    random = np.random.default_rng(7)
    torch.manual_seed(7)
    guard = Guard(copy.deepcopy(encoder)).to(device).train()
    average = copy.deepcopy(guard).eval()
    fast, slow = list(guard.parameters()), list(average.parameters())
    optimiser = optimiser_of(guard, rate)
    label = np.full((len(rows), len(HEADS)), -1, dtype=np.float32)
    for i, row in enumerate(rows):
        for head, value in row["heads"].items():
            label[i, HEADS.index(head)] = value
    label = torch.tensor(label, device=device)
    weight = np.array([row["weight"] * (args.english if row["lang"] == "en" and row["fold"] == -1 and row["source"] not in ("contrast", "policy") else 1) for row in rows])

    def epoch():
        times = np.floor(weight[chosen]).astype(int) + (random.random(len(chosen)) < weight[chosen] % 1)
        return batches_of(data.lengths, random.permutation(np.repeat(chosen, times)), args.tokens, random, 512)

    total, step = int(len(epoch()) * args.epochs), 0
    while step < total:
        for batch in epoch()[: total - step]:
            pace_of(optimiser, rate, step, total)
            index, ids, mask, response = data.batch(batch)
            known = (label[index] >= 0).float()
            target = label[index].clamp(min=0) * 0.95 + 0.025
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits, _, _ = guard(ids, mask, response)
            loss = ((binary_cross_entropy_with_logits(logits.float(), target, reduction="none") * known).sum(1) / known.sum(1).clamp(min=1).sqrt()).sum() / 256
            some = pairs[random.integers(len(pairs), size=128)]
            index, ids, mask, _ = english.batch(some)
            _, ids2, mask2, _ = other.batch(some)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                first, first_at, _ = guard(ids, mask)
                second, second_at, _ = guard(ids2, mask2)
            alike = (first[:, :5] - second[:, :5]).float().pow(2).mean()
            loss = loss + 0.1 * alike + 0.3 * alignment_loss(first_at, second_at, wanted[index].float())
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(0.998, (step + 1) / (step + 10)))
            if step % 200 == 0:
                say(f"heads {step} of {total}, loss {loss.item():.4f}")
            step += 1
    return average


@torch.no_grad()
def score(guard, data, rows):
    logits = np.zeros((len(rows), len(HEADS)), dtype=np.float32)
    order = np.argsort(data.lengths[rows], kind="stable")
    for start in range(0, len(order), 512):
        at = order[start : start + 512]
        _, ids, mask, response = data.batch(rows[at])
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits[at] = guard(ids, mask, response)[0].float().cpu().numpy()
    return logits


def exchange_ids(prompt, response):
    prompt, response = prompt[1:-1], response[1:-1]
    if len(prompt) > 100:
        prompt = prompt[:60] + prompt[-40:]
    return [101, *prompt, 102, *response[: args.length - 3 - len(prompt)], 102], len(prompt) + 2


def main():
    os.makedirs(args.out, exist_ok=True)
    rows = [] if args.only_align else read(args.data) + read(args.other)
    pairs = read(args.parallel)
    say(len(rows), "rows", len(pairs), "pairs")
    texts = [] if args.vocabulary else [nfc(pair["xx"]) for pair in pairs] + [nfc(row["text"]) for row in rows if row["lang"] != "en" and "text" in row]
    tokenizer, fresh = read_tokenizer() if args.vocabulary else build_tokenizer(texts)
    say(len(fresh), "new pieces")
    base = load_encoder(args.base)
    old = Tokenizer.from_file(os.path.join(args.base, "tokenizer.json"))
    teacher = copy.deepcopy(base).to(device).eval()
    widen(base, fresh)
    student = base.to(device)
    english_old = Tokens(encode(old, [pair["en"] for pair in pairs], 96))
    wanted = embed(teacher, english_old, np.arange(len(pairs))).half()
    english, other = (Tokens(encode(tokenizer, [pair[side] for pair in pairs], 96)) for side in ("en", "xx"))
    langs = np.array([pair["lang"] for pair in pairs])
    held = np.concatenate([np.flatnonzero(langs == lang)[:300] for lang in sorted(set(langs))])
    say(f"tokens a sentence: {english.lengths.mean():.1f} English, {other.lengths.mean():.1f} other")
    if args.trunk:
        student.load_state_dict({name: value.float() for name, value in torch.load(args.trunk).items()})
    else:
        student = align(student, english, other, wanted, np.setdiff1d(np.arange(len(pairs)), held))
    torch.save({name: value.half() for name, value in student.state_dict().items()}, os.path.join(args.out, "trunk.pt"))
    report_alignment(student, other, wanted, langs, held)
    if args.only_align:
        return
    # Rows that are measured: a tenth of each other-language source by hash stays out, and the fold's development items.
    keep = np.array([not (row["lang"] == "en" and row["fold"] == -2 and not row["key"] and n % 6) for n, row in enumerate(rows)])
    rows = [row for row, kept in zip(rows, keep) if kept]
    plain = [row["text"] if "text" in row else row["prompt"] for row in rows]
    sequences = encode(tokenizer, plain, args.length)
    starts = np.full(len(rows), 10**6)
    exchanges = [i for i, row in enumerate(rows) if "text" not in row]
    for i, response in zip(exchanges, encode(tokenizer, [rows[i]["response"] for i in exchanges], args.length)):
        sequences[i], starts[i] = exchange_ids(sequences[i], response)
    data = Tokens(sequences, starts)
    fold = np.array([row["fold"] for row in rows])
    # Whole sources of other languages are kept out of a fold's training, to measure what is new.
    unseen_sources = {"XSafety", "GAHD", "MLMA"} if args.fold == 0 else {"ToLD-Br", "KoSBi", "identity-templates", "catqa"} if args.fold == 1 else set()
    unseen = np.array([row["lang"] != "en" and row["source"] in unseen_sources for row in rows])
    benign_unseen = np.array([row["lang"] != "en" and fold[i] == -1 and row["heads"].get("content") == 0 and "kind" in row and hash_of(row["source"]) % 6 == args.fold for i, row in enumerate(rows)]) if args.fold >= 0 else np.zeros(len(rows), bool)
    trainable = (fold != -2) & (fold != args.fold) & ~unseen & ~benign_unseen & np.array([row["weight"] > 0 for row in rows])
    say(f"{len(rows)} rows, {trainable.sum()} to train on, {unseen.sum()} of unseen sources, {benign_unseen.sum()} benign ones")
    guard = train_heads(student, data, rows, np.flatnonzero(trainable), english, other, wanted, np.arange(len(pairs)))
    torch.save({name: value.half() for name, value in guard.state_dict().items()}, os.path.join(args.out, "languages.pt"))
    measured = np.flatnonzero((fold == -2) | unseen | benign_unseen | ((fold == args.fold) & np.array([bool(row["key"]) for row in rows])))
    logits = score(guard, data, measured)
    np.savez_compressed(os.path.join(args.out, "languages.npz"), logits=logits.astype(np.float16), about=np.array([json.dumps({k: v for k, v in rows[i].items() if k in ("key", "source", "kind", "heads", "fold", "lang")}) for i in measured]))
    report(rows, measured, logits)


def hash_of(text):
    import zlib

    return zlib.crc32(text.encode())


def report(rows, measured, logits):
    content = logits[:, HEADS.index("content")]
    post = logits[:, HEADS.index("post")]
    about = {}
    for n, i in enumerate(measured):
        row = rows[i]
        if "content" in row["heads"]:
            about.setdefault(row["lang"], {0: [], 1: []})[int(row["heads"]["content"])].append(n)
    for lang, found in sorted(about.items()):
        if len(found[0]) < 20:
            continue
        bar = np.quantile(content[found[0]], 0.97)
        line = f"  {lang}: benign {len(found[0])}, above 0 {(content[found[0]] > 0).mean():.3f}, 3 % bar {bar:.2f}"
        if found[1]:
            by = {}
            for n in found[1]:
                by.setdefault(rows[measured[n]]["source"], []).append(n)
            line += "; recall " + ", ".join(f"{source} {(content[ns] > bar).mean():.2f} (at 0: {(content[ns] > 0).mean():.2f}) of {len(ns)}" for source, ns in by.items())
        print(line, flush=True)


if __name__ == "__main__":
    main()
