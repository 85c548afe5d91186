#!/usr/bin/env python3
"""Writes texts.jsonl and exchanges.jsonl, the contrast training sets, beside this file.

Deterministic: same sources, same bytes. Sources, all beside this file:

  hand_*.txt   hand-written rows:
                 @ kind            starts a section
                 1 text / 0 text   one row; rows up to the next blank line are neighbours (one pair)
               (see neighbours() for blocks of harmless rows).
               A literal \\n in a row stands for a line break.
               Rows of kind "pair" are a text and an image's description, "text || description".
  gen_*.txt    generators:
                 = slot            starts a list of fillers, one a line
                 @ kind N          starts frames; each frame line is sampled N times
                 1 frame {slot} || 0 frame {slot}
               One line gives one pair; the same slot has the same filler on the whole line,
               {slot#2} is another draw from the same list.
               "@ kind N raw" keeps case and punctuation as written.
  ex_hand_*.txt  exchanges written whole:
                 @ kind label refusal
                 prompt => response
  ex_gen_*.txt   = list              named lists of prompts and responses
                 @ kind label refusal N prompts-list responses-list
               N rows are dealt so that every entry of both lists is used before one repeats.
  clauses.jsonl  clauses of user-written policies, each with texts that violate it and near misses that it allows;
               read as it is, only checked here.

Options: --check prints counts and fails on invalid rows; --seed changes the draw.
"""
import argparse
import collections
import glob
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SLOT = re.compile(r"\{([a-z0-9_]+)(#\d+)?\}")


def lines(path):
    with open(path, encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            yield n, line.rstrip("\n")


def unescape(s):
    return s.replace("\\n", "\n").replace("\\t", "\t").strip()


def read_row(path, n, part):
    part = part.strip()
    if not re.match(r"[01] \S", part):
        sys.exit(f"{path}:{n}: expected '0 text' or '1 text', got {part[:60]!r}")
    return int(part[0]), part[2:]


def read_hand(path):
    """Yields (kind, [(label, text), ...]) for each group of neighbours."""
    kind, group = None, []
    for n, line in lines(path):
        if line.startswith("@ "):
            if group:
                yield kind, group
            kind, group = line[2:].strip(), []
        elif not line.strip():
            if group:
                yield kind, group
            group = []
        else:
            label, text = read_row(path, n, line)
            group.append((label, unescape(text)))
    if group:
        yield kind, group


def neighbours(group):
    """A block that opens with a harmful row is one pair; in any other block each harmless row
    stands alone, except that a harmful row belongs to the row before it."""
    labels = {label for label, _ in group}
    if group[0][0] == 1:
        return [group] if labels == {0, 1} else [[row] for row in group]
    parts = []
    for row in group:
        if row[0] == 1:
            parts[-1].append(row)
        else:
            parts.append([row])
    return parts


def read_gen(path):
    slots, frames, mode, kind, count, raw = {}, [], None, None, 0, False
    for n, line in lines(path):
        if line.startswith("= "):
            mode = line[2:].strip()
            slots.setdefault(mode, [])
        elif line.startswith("@ "):
            parts = line[2:].split()
            mode, kind, count, raw = "@", parts[0], int(parts[1]), "raw" in parts[2:]
        elif not line.strip() or line.startswith("## "):
            continue
        elif mode == "@":
            rows = [read_row(path, n, p) for p in line.split(" || ")]
            frames.append((kind, count, raw, rows, n))
        else:
            slots[mode].append(line.strip())
    for _, _, _, rows, n in frames:
        for _, text in rows:
            for name, _ in SLOT.findall(text):
                if name not in slots:
                    sys.exit(f"{path}:{n}: unknown slot {name}")
    return slots, frames


def restyle(rng, rows):
    """One of a few casual spellings, the same for all neighbours, so that style never tells the label."""
    r = rng.random()
    if r < 0.62:
        return rows
    if r < 0.90:
        return [(l, re.sub(r"[.!]+$", "", t).lower()) for l, t in rows]
    if r < 0.96:
        return [(l, re.sub(r"[.]+$", "!", t)) for l, t in rows]
    return [(l, t.upper()) for l, t in rows]


def expand(rng, slots, count, raw, rows):
    seen, tries = set(), 0
    decks = {}
    while len(seen) < count and tries < count * 12:
        tries += 1
        picked = {}

        def draw(m):
            key = m.group(0)
            if key not in picked:
                name = m.group(1)
                deck = decks.setdefault(name, [])
                if not deck:
                    deck.extend(slots[name])
                    rng.shuffle(deck)
                value = deck.pop()
                for other, v in list(picked.items()):
                    if other.split("#")[0].strip("{}") == name and v == value and len(slots[name]) > 1:
                        value = rng.choice([x for x in slots[name] if x != v])
                picked[key] = value
            return picked[key]

        out = []
        for label, text in rows:
            t = text
            while SLOT.search(t):
                t = SLOT.sub(draw, t)
            t = unescape(t)
            t = t.replace(" ,", ",")
            if t[:1].islower() and text[:1] == "{" and not raw:
                t = t[:1].upper() + t[1:]
            out.append((label, t))
        key = tuple(out)
        if key in seen:
            continue
        seen.add(key)
        yield out if raw else restyle(rng, out)


def norm(s):
    return re.sub(r"\s+", " ", s).strip().lower()


def loose(s):
    return re.sub(r"[^\w*@$+#?!/<>=-]+", " ", s.lower()).strip() or norm(s)


def make_texts(seed):
    groups = []
    for path in sorted(glob.glob(os.path.join(HERE, "hand_*.txt"))):
        for kind, group in read_hand(path):
            groups.extend((kind, part, "hand") for part in neighbours(group))
    for path in sorted(glob.glob(os.path.join(HERE, "gen_*.txt"))):
        slots, frames = read_gen(path)
        for kind, count, raw, rows, n in frames:
            rng = random.Random(f"{seed}:{os.path.basename(path)}:{rows}")
            for group in expand(rng, slots, count, raw, rows):
                groups.append((kind, group, "gen"))
    out, seen, clash, dropped, pair = [], {}, [], 0, 0
    for kind, group, source in groups:
        kept = []
        for label, text in group:
            key = loose(text)
            if key in seen:
                if seen[key] != label:
                    clash.append(text)
                dropped += 1
                continue
            seen[key] = label
            kept.append({"text": text, "label": label, "kind": kind, "pair": pair})
        if kept:
            out.extend((row, source) for row in kept)
            pair += 1
    return out, clash, dropped


def read_ex_gen(path):
    lists, jobs, mode = {}, [], None
    for n, line in lines(path):
        if line.startswith("= "):
            mode = line[2:].strip()
            lists.setdefault(mode, [])
        elif line.startswith("@ "):
            mode = None
            kind, label, refusal, count, prompts, responses = line[2:].split()
            jobs.append((kind, int(label), int(refusal), int(count), prompts, responses, n))
        elif not line.strip() or line.startswith("## "):
            continue
        elif mode is None:
            sys.exit(f"{path}:{n}: a line outside a list")
        else:
            lists[mode].append(unescape(line))
    return lists, jobs


def deal(rng, items):
    while True:
        deck = list(items)
        rng.shuffle(deck)
        yield from deck


def make_exchanges(seed):
    rows = []
    for path in sorted(glob.glob(os.path.join(HERE, "ex_hand_*.txt"))):
        head = None
        for n, line in lines(path):
            if line.startswith("@ "):
                kind, label, refusal = line[2:].split()
                head = (kind, int(label), int(refusal))
            elif line.strip() and not line.startswith("## "):
                if " => " not in line:
                    sys.exit(f"{path}:{n}: expected 'prompt => response'")
                prompt, response = line.split(" => ", 1)
                rows.append((*head, unescape(prompt), unescape(response), "hand"))
    lists, jobs = {}, []
    for path in sorted(glob.glob(os.path.join(HERE, "ex_gen_*.txt"))):
        more, todo = read_ex_gen(path)
        for name, items in more.items():
            lists.setdefault(name, []).extend(items)
        jobs.extend((path, *job) for job in todo)
    for path, kind, label, refusal, count, prompts, responses, n in jobs:
        rng = random.Random(f"{seed}:{kind}:{prompts}:{responses}")
        p, r, seen = deal(rng, lists[prompts]), deal(rng, lists[responses]), set()
        while len(seen) < min(count, len(lists[prompts]) * len(lists[responses])):
            pr = (next(p), next(r))
            if pr in seen:
                next(p)
                continue
            seen.add(pr)
            rows.append((kind, label, refusal, pr[0], pr[1], "gen"))
    out, seen, clash, dropped = [], {}, [], 0
    for kind, label, refusal, prompt, response, source in rows:
        key = (loose(prompt), loose(response))
        if key in seen:
            if seen[key] != label:
                clash.append(f"{prompt} => {response}")
            dropped += 1
            continue
        seen[key] = label
        out.append(({"prompt": prompt, "response": response, "label": label, "refusal": refusal, "kind": kind}, source))
    return out, clash, dropped


def write(name, rows):
    path = os.path.join(HERE, name)
    with open(path + ".part", "w", encoding="utf-8") as f:
        for row, _ in rows:
            f.write(json.dumps(row, ensure_ascii=False) + "\n")
    os.replace(path + ".part", path)


def check(name, keys):
    bad = 0
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            row = json.loads(line)
            ok = list(row) == keys and row["label"] in (0, 1) and row.get("refusal", 0) in (0, 1)
            ok = ok and all(row[k].strip() == row[k] and row[k] for k in keys if isinstance(row[k], str))
            ok = ok and (row["kind"] != "pair" or row["text"].count(" || ") == 1)
            ok = ok and not any(SLOT.search(row[k]) for k in keys if isinstance(row[k], str) and row["kind"] not in ("plain",))
            if not ok:
                bad += 1
                print(f"{name}:{n}: invalid {line.strip()[:120]}")
    return bad


def check_clauses():
    bad, number = 0, 0
    with open(os.path.join(HERE, "clauses.jsonl"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            row = json.loads(line)
            ok = list(row) == ["clause", "violates", "allowed"] and len(row["violates"]) >= 8 and len(row["allowed"]) >= 8
            texts = [norm(t) for t in row["violates"] + row["allowed"]] if ok else []
            if not ok or len(set(texts)) != len(texts) or not all(texts):
                bad += 1
                print(f"clauses.jsonl:{number}: invalid {line.strip()[:120]}")
    print(f"clauses: {number}")
    return bad


def counts(title, rows, dropped, clash):
    table = collections.Counter((row["kind"], row["label"]) for row, _ in rows)
    sources = collections.Counter(source for _, source in rows)
    total = collections.Counter(row["label"] for row, _ in rows)
    print(f"{title}: {len(rows)} rows, label 1 {total[1]}, label 0 {total[0]}, "
          f"hand {sources['hand']}, generated {sources['gen']}, duplicates dropped {dropped}, label clashes {len(clash)}")
    for kind in sorted({k for k, _ in table}):
        print(f"  {kind:34} label1 {table[kind, 1]:5} label0 {table[kind, 0]:5}")
    for c in clash[:20]:
        print("  CLASH", c)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--seed", default="contrast-1")
    args = ap.parse_args()
    texts, tclash, tdrop = make_texts(args.seed)
    exchanges, eclash, edrop = make_exchanges(args.seed)
    write("texts.jsonl", texts)
    write("exchanges.jsonl", exchanges)
    counts("texts", texts, tdrop, tclash)
    counts("exchanges", exchanges, edrop, eclash)
    if args.check:
        bad = check("texts.jsonl", ["text", "label", "kind", "pair"])
        bad += check("exchanges.jsonl", ["prompt", "response", "label", "refusal", "kind"])
        bad += check_clauses()
        if bad or tclash or eclash:
            sys.exit(1)
        print("check: ok")


if __name__ == "__main__":
    main()
