"""Pairs of claim and passage, by part: what people labelled, what programs made of their tables, of generated reports,
of invented tables, and of prose. A pair is (claim, passage, label, about); a passage is a table or a list of sentences.

Folds: 0 and 1 are the halves of the labelled sets, each with what was made of its tables; -1 is in every training set;
-2 is only measured: other phrasings, another source, FinDVer.
"""

import re

import numpy as np

import invent
import records
import series
from alter import turn
from phrasings import RECORDS, SERIES
from prose import pairs as prose_pairs
from prose import texts
from series import NEITHER, REFUTES, SUPPORTS
from sources import LABELS, context_passage, contracts, findver, infotabs, summaries, summary_label, tabfact
from tables import read_reports

RECORD_KINDS, SERIES_KINDS = list(RECORDS), list(SERIES)
WANTED = [SUPPORTS, REFUTES, SUPPORTS, REFUTES, NEITHER]


def about(source, fold, kind, key=None, weight=1.0):
    return {"source": source, "fold": fold, "kind": kind, "key": key, "weight": weight}


def made_of_records(table, count, random, source, fold, held_out=0.0):
    view = records.Records(table)
    strangers = invent.strangers(random)
    tries = 0
    while view.is_usable() and count > 0 and tries < 2000:
        tries += 1
        kind = RECORD_KINDS[int(random.integers(len(RECORD_KINDS)))]
        is_held_out = random.random() < held_out
        found = records.make(view, kind, WANTED[int(random.integers(5))], random, is_held_out, strangers)
        if found:
            count -= 1
            text = styled(found[0], random)
            yield text, table, found[1], about(source, -2 if is_held_out else fold, kind, "phrasing" if is_held_out else None)


def styled(text, random):
    """Lower case as in TabFact, or a sentence."""
    choice = random.random()
    return text.lower() if choice < 0.45 else text[:1].upper() + text[1:] + "." if choice < 0.9 else text


def made_of_series(table, count, random, source, fold, held_out=0.0):
    view = series.View(table)
    strangers = invent.strangers(random)
    tries = 0
    while view.is_usable() and count > 0 and tries < 1000:
        tries += 1
        kind = SERIES_KINDS[int(random.integers(len(SERIES_KINDS)))]
        is_held_out = random.random() < held_out
        found = series.make(view, kind, WANTED[int(random.integers(5))], random, is_held_out, strangers)
        if found:
            count -= 1
            yield found[0], table, found[1], about(source, -2 if is_held_out else fold, kind, "phrasing" if is_held_out else None)


def said_twice(table, count, random, source, fold):
    """Prose against prose: facts of a table in sentences, and one of them in other words, changed, or not told."""
    view = series.View(table)
    strangers = invent.strangers(random)
    for _ in range(count if view.is_usable() else 0):
        told = []
        for _ in range(8):
            kind = SERIES_KINDS[int(random.integers(len(SERIES_KINDS)))]
            parts = series.draw(view, kind, random)
            value = series.result(view, parts) if parts and (kind not in series.NEEDS_ENTITIES or view.by_entity) else None
            if value is None or value is False or (kind in ("change", "difference", "direction") and value == 0):
                continue
            told.append((parts, value if kind in series.NUMERIC or kind == "direction" else None))
        if len(told) < 3:
            continue
        say = lambda fact, claimed: series.word(view, fact[0], claimed, random, False)[0]
        fact, label = told[0], WANTED[int(random.integers(5))]
        passage = [say(other, other[1]) for other in told[1:] if label != NEITHER or not same_fact(fact[0], other[0])]
        claim = say(fact, fact[1])
        if label != NEITHER:
            passage.insert(int(random.integers(len(passage) + 1)), say(fact, fact[1]))
        if label == REFUTES:
            if fact[1] is not None and fact[0]["kind"] != "direction":
                altered = series.alter_number(view, fact[0], fact[1], random)
                if abs(altered - fact[1]) < 0.03 * abs(fact[1]) + 0.6:
                    continue
                claim = say(fact, altered)
            elif fact[0]["kind"] == "direction":
                claim = say(fact, -fact[1])
            elif fact[0]["kind"] in ("trend", "peak", "comparison", "threshold", "rank"):
                claim = say(({**fact[0], "up": not fact[0]["up"]}, None), None)
            else:
                continue
        elif label == NEITHER and not passage:
            continue
        yield claim, passage, label, about(source, fold, f"said twice, {fact[0]['kind']}")


def same_fact(one, other):
    """Whether one of the two says something about the other: the same row in a shared period."""
    whole = {"trend", "average", "peak"} & {one["kind"], other["kind"]}
    return one["i"] in (other["i"], other["j"]) and bool(whole or {one["p"], one["q"]} & {other["p"], other["q"]})


def labelled(folder, random):
    """The labelled pairs; of tables also with their rows in other orders, of contracts also with the gold passages."""
    for table, fold, rows in tabfact(folder):
        for turn_number in range(3):
            shown = table if turn_number == 0 else table.shuffled(random)
            for row in rows:
                yield row["claim"], shown, LABELS[row["label"]], about("tabfact", fold, "labelled", row["id"] if turn_number == 0 else None, 1.3)
    for table, fold, rows in infotabs(folder):
        for row in rows:
            yield row["claim"], table, LABELS[row["label"]], about("infotabs", fold, row["category"], row["id"], 3.0)
    for spans, fold, rows in contracts(folder):
        for row in rows:
            yield row["claim"], spans, LABELS[row["label"]], about("contract-nli", fold, "labelled", row["id"], 2.0)
            if row["evidence_span_ids"]:
                near = [n for n in range(len(spans)) if n in row["evidence_span_ids"] or random.random() < 6 / len(spans)]
                yield row["claim"], [spans[n] for n in near], LABELS[row["label"]], about("contract-nli", fold, "gold", None, 2.0)
    for lines, fold, rows in summaries(folder):
        for row in rows:
            yield row["claim"], lines, summary_label(row), about("summedits", fold, row["category"], row["id"], 3.0)


def made_of_labelled(folder, random):
    """Programs over the tables of the labelled sets, and altered sentences of their texts."""
    for table, fold, _ in tabfact(folder):
        for n in range(3):
            yield from made_of_records(table if n == 0 else table.shuffled(random), 90, random, "tabfact tables", fold)
    sheets = infotabs(folder)
    for table, fold, _ in sheets:
        others = [other for other, half, _ in sheets if half == fold and other is not table]
        for _ in range(110):
            found = records.make_fact(table, WANTED[int(random.integers(5))], random, False, others)
            if found:
                yield found[0], table, found[1], about("infotabs tables", fold, "fact")
    parts = [(lines, fold) for lines, fold, _ in [*contracts(folder), *summaries(folder)]]
    for lines, fold in parts:
        donors = next(other for other, half in (parts[int(n)] for n in random.permutation(len(parts))) if half == fold and other is not lines)
        for claim, passage, label, kind in prose_pairs(lines, donors, random, 100):
            yield claim, passage, label, about("texts of the sets", fold, kind)


def made_of_reports(path, random, share):
    """Tables, sentences and statements of generated reports; `share` = (n, of): every of-th report from the n-th on."""
    for number, report in enumerate(read_reports(path)):
        if number % share[1] != share[0]:
            continue
        if report["statements"]:
            held_out = report["isHeldOut"]
            for statement in report["statements"]:
                label = NEITHER if statement["kind"] == "missing" else SUPPORTS if statement["isTrue"] else REFUTES
                yield statement["text"], report["tables"][0], label, about("report statements", -2 if held_out else -1, statement["kind"], "voice" if held_out else None)
            for table in report["tables"][:1] if not held_out else []:
                yield from made_of_series(table, 14, random, "report tables", -1, 0.03)
                yield from said_twice(table, 5, random, "report prose", -1)
            continue
        for table in report["tables"]:
            yield from made_of_series(table, 8, random, "report tables", -1, 0.03)
            yield from said_twice(table, 2, random, "report prose", -1)
        yield from report_sentences(report, random)


def report_sentences(report, random):
    """A sentence with figures against the table that has them, or against the other sentences."""
    every = [sentence["text"] for sentence in report["sentences"]]
    for sentence in report["sentences"]:
        kinds = {slot["kind"] for slot in sentence["slots"]}
        if not kinds & {"level", "direction", "growth", "share", "margin"} or random.random() < 0.3:
            continue
        numbers = {found for found in re.findall(r"\d[\d,.]*\d", sentence["text"])}
        table = max(report["tables"], key=lambda table: sum(any(cell.strip("+()%$€£ ") in numbers for cell in row) for row in table.rows))
        text, label = sentence["text"], SUPPORTS
        if random.random() < 0.5:
            slot = sentence["slots"][int(random.integers(len(sentence["slots"])))]
            if slot["kind"] == "direction":
                text, label = text.replace(slot["text"], slot["opposite"]), REFUTES
            elif slot["kind"] in ("level", "growth", "share", "margin"):
                changed = turn(slot["number"] if slot["kind"] == "level" else slot["text"], random, [])
                if not changed:
                    continue
                text, label = text.replace(slot["number"] if slot["kind"] == "level" else slot["text"], changed[0]), REFUTES
            else:
                continue
        passage = table if random.random() < 0.6 else [other for other in every if random.random() < 0.7 or other == sentence["text"]]
        yield text, passage, label, about("report sentences", -1, "sentence")


def made_of_inventions(random, tables):
    for _ in range(tables):
        yield from made_of_records(invent.records(random), 18, random, "invented records", -1, 0.03)
        table = invent.series(random)
        yield from made_of_series(table, 17, random, "invented series", -1, 0.03)
        yield from said_twice(table, 6, random, "invented prose", -1)


def made_of_prose(folder, random, most, share):
    every = list(texts(folder))
    for number, sentences in enumerate(every):
        if number % share[1] == share[0]:
            donors = every[int(random.integers(len(every)))]
            for claim, passage, label, kind in prose_pairs(sentences, donors, random, most):
                yield claim, passage, label, about("prose", -1, kind)


def measured_only(folder):
    """FinDVer: each claim with each of its gold passages, and with the three passages that share most words with it."""
    from sequence import stems

    for row, contexts in findver(folder):
        wanted = stems(row["claim"])
        score = lambda context: len(wanted & stems(context["context"])) / (10 + len(context["context"].split())) ** 0.3
        best = sorted(contexts, key=score, reverse=True)[:3]
        gold = [context for context in contexts if context["id"] in row["evidence_ids"]]
        for kind, some in (("gold", gold), ("retrieved", best)):
            for context in some:
                passage = context_passage(context["context"])
                if passage if isinstance(passage, list) else passage.rows:
                    yield row["claim"], passage, LABELS[row["label"]], about("findver", -2, kind, f"{row['id']}#{kind}#{context['id']}")
