"""Statements about tables of records (a row for each thing, a column for each property) and about sheets of facts."""

import re

from numbers_said import count_word, plain
from phrasings import FACTS, FACTS_HELD_OUT, RECORDS, RECORDS_HELD_OUT, say
from series import NEITHER, REFUTES, SUPPORTS
from tables import NUMBER

EMPTY = ("", "-", "n/a", "—", "none", "unknown")


class Records:
    """What a table of records has: the column that names its rows, its numbers, its texts."""

    def __init__(self, table):
        self.table = table
        width = len(table.header)
        self.numeric = [at for at in range(width) if table.is_numeric(at)]
        texts = [at for at in range(width) if at not in self.numeric and any(cell.strip() not in EMPTY for cell in table.column(at))]
        unique = [at for at in texts if len({cell.lower() for cell in table.column(at)}) >= 0.9 * len(table.rows)]
        self.entity = next(iter(unique), None)
        self.texts = [at for at in texts if at != self.entity]
        self.noun = "" if self.entity is None else table.header[self.entity] or "entry"
        self.rows = [] if self.entity is None else [n for n, row in enumerate(table.rows) if row[self.entity].strip() not in EMPTY and not re.match(r"total|all\b", row[self.entity], re.I)]

    def is_usable(self):
        return self.entity is not None and len(self.rows) > 2

    def value(self, n, at):
        return self.table.numbers[n][at]


def pick(some, random):
    return some[int(random.integers(len(some)))] if len(some) else None


def fields_of(view, random, n, other, at, text):
    table = view.table
    fields = {"noun": view.noun.lower(), "e": table.rows[n][view.entity], "f": table.rows[other][view.entity], "m": table.header[at] if at is not None else "", "t": table.header[text] if text is not None else "", "v": table.rows[n][text] if text is not None else ""}
    if at is not None:
        fields["n"] = table.rows[n][at]
    return fields


def make(view, kind, wanted, random, is_held_out, strangers):
    """One statement of a kind with its label, or None where the table has none."""
    table = view.table
    if wanted == NEITHER and kind == "rows":
        return None
    at, text = pick(view.numeric, random), pick(view.texts, random)
    n, other = (int(view.rows[m]) for m in random.permutation(len(view.rows))[:2])
    needs_number, needs_text = kind not in ("text", "count", "between", "rows"), kind in ("text", "where", "count", "extreme_text")
    if (needs_number and at is None) or (needs_text and (text is None or table.rows[n][text].strip() in EMPTY)):
        return None
    known = [m for m in view.rows if needs_number and view.value(m, at) is not None]
    if needs_number and (n not in known or other not in known or len(known) < 3):
        return None
    at = at if needs_number else None
    fields, up = fields_of(view, random, n, other, at, text), bool(random.random() < 0.6)
    truth = assert_kind(view, kind, fields, up, n, other, at, text, known, wanted == SUPPORTS, random)
    if truth is None:
        return None
    up, label = truth
    if wanted == NEITHER:
        label = NEITHER
        if not make_strange(view, kind, fields, random, strangers):
            return None
    elif label != wanted:
        return None
    templates = (RECORDS_HELD_OUT if is_held_out else RECORDS)[kind]
    return say(templates[random.integers(len(templates))], fields, up, random, is_held_out), label


def make_strange(view, kind, fields, random, strangers):
    """Puts somebody or something in that the table does not have."""
    if kind in ("count", "count_above", "all", "rows", "total", "average", "extreme", "extreme_text"):
        name, kind_of = "m" if "m" in fields and fields["m"] else "t", "measure"
    else:
        name, kind_of = ("e", "entity") if random.random() < 0.7 else ("m" if fields["m"] else "t", "measure")
    fields[name] = strangers[kind_of][int(random.integers(len(strangers[kind_of])))].lower()
    known = " ".join([*view.table.header, *view.table.column(view.entity)]).lower()
    return fields[name][:5] not in known


def assert_kind(view, kind, fields, up, n, other, at, text, known, true, random):
    """Fills the numbers in, right ones or, where `true` is not wanted, wrong ones: (up, label)."""
    table = view.table
    values = {m: view.value(m, at) for m in known}
    sign = 1 if up else -1
    if kind in ("level", "where"):
        if not true:
            change = random.random()
            fields["n"] = table.rows[other][at] if change < 0.6 else altered_text(fields["n"], random)
            if kind == "where" or values[other] == values[n] and change < 0.6:
                same = [m for m in known if text is not None and table.rows[m][text] == table.rows[n][text]]
                if len(same) > 1 or values[other] == values[n]:
                    return None
            return (up, REFUTES) if fields["n"] and fields["n"] != table.rows[n][at] else None
        if kind == "where" and len([m for m in known if table.rows[m][text] == table.rows[n][text]]) > 1:
            return None
        return up, SUPPORTS
    if kind == "text":
        if true:
            return up, SUPPORTS
        options = sorted({table.rows[m][text] for m in view.rows} - {table.rows[n][text], *EMPTY})
        fields["v"] = pick(options, random) or ""
        return (up, REFUTES) if fields["v"] else None
    if kind in ("comparison", "difference", "sum"):
        a, b = values[n], values[other]
        if a == b:
            return None
        up = a > b if kind == "difference" or true else a < b
        result = abs(a - b) if kind == "difference" else a + b
        fields["d" if kind == "difference" else "s"] = plain(result if true else off(result, random))
        return up, SUPPORTS if true else REFUTES
    if kind in ("rank", "second", "extreme", "extreme_text"):
        order = sorted(known, key=lambda m: -sign * values[m])
        if values[order[0]] == values[order[1]] or values[order[1]] == values[order[2]]:
            return None
        chosen = order[0 if kind != "second" else 1]
        wrong = order[int(random.integers(1, min(4, len(order))))] if kind != "second" else pick([order[0], order[2]], random)
        shown = chosen if true else wrong
        if kind == "extreme_text" and not true and table.rows[shown][text] == table.rows[chosen][text]:
            return None
        fields.update(e=table.rows[shown][view.entity], n=table.rows[shown][at], v=table.rows[shown][text] if text is not None else "")
        return (up, SUPPORTS if true else REFUTES) if fields["v"].strip() not in EMPTY or kind != "extreme_text" else None
    if kind in ("threshold", "only", "all", "count_above"):
        bar = round_bar(values[n], random)
        passing = [m for m in known if sign * (values[m] - bar) > 0]
        if bar in values.values() or len(known) < len(view.rows):
            return None
        fields["n"] = plain(bar)
        if kind == "count_above":
            fields["k"] = count_word(len(passing) if true else max(0, len(passing) + int(pick([-2, -1, 1, 2], random))), random)
            return (up, SUPPORTS if true else REFUTES) if true or fields["k"] not in (str(len(passing)), count_word(len(passing), random)) else None
        holds = {"threshold": n in passing, "only": passing == [n], "all": len(passing) == len(known)}[kind]
        if kind == "all" and not holds and len(passing) < len(known) / 2:
            return None
        return up, SUPPORTS if holds else REFUTES
    if kind in ("total", "average"):
        whole = sum(values.values()) / (len(values) if kind == "average" else 1)
        fields["s" if kind == "total" else "g"] = plain(whole if true else off(whole, random))
        return (up, SUPPORTS if true else REFUTES) if len(known) == len(view.rows) else None
    if kind == "count":
        count = sum(table.rows[m][text].lower() == table.rows[n][text].lower() for m in view.rows)
        fields["k"] = count_word(count if true else max(0, count + int(pick([-1, 1, 2], random))), random)
        return up, SUPPORTS if true else REFUTES
    if kind == "between":
        first, second = (n, other) if (n < other) == true else (other, n)
        fields.update(e=table.rows[first][view.entity], f=table.rows[second][view.entity])
        return up, SUPPORTS if true else REFUTES
    fields["k"] = count_word(len(table.rows) if true else max(1, len(table.rows) + int(pick([-2, -1, 1, 3], random))), random)
    return up, SUPPORTS if true else REFUTES


def round_bar(value, random):
    size = 10 ** max(len(str(int(abs(value)))) - 2, 0)
    return float(round(value * float(random.uniform(0.8, 1.2)) / size) * size)


def off(value, random):
    changed = value * (1 + float(random.choice([-1, 1])) * float(random.uniform(0.05, 0.5)))
    changed = round(changed) if float(value).is_integer() else changed
    return changed if changed != value else value + 1


def altered_text(cell, random):
    """A cell with its first number changed."""
    found = NUMBER.search(cell)
    if not found:
        return ""
    value = float(found[0].replace(",", ""))
    changed = off(value, random)
    decimals = len(found[0].partition(".")[2])
    shown = f"{changed:,.{decimals}f}" if "," in found[0] else f"{changed:.{decimals}f}"
    return cell[: found.start()] + shown + cell[found.end() :]


def make_fact(table, wanted, random, is_held_out, others):
    """Of a sheet of facts: a value, another sheet's value for the same entry, or an entry that it does not have."""
    n = int(random.integers(len(table.rows)))
    key, value = table.rows[n]
    parts = [part for part in value.split(", ") if part]
    if not parts:
        return None
    said = pick(parts, random) if random.random() < 0.7 else value
    if wanted == REFUTES:
        same = [row[1] for sheet in others for row in sheet.rows if row[0].lower() == key.lower() and row[1] not in value]
        changed = altered_text(said, random)
        said = changed if changed and random.random() < 0.6 else (pick(pick(same, random).split(", "), random) if same else changed)
        if not said or said.lower() in value.lower():
            return None
    if wanted == NEITHER:
        sheet = pick(others, random)
        key, value = pick(sheet.rows, random)
        said = pick(value.split(", "), random)
        if key.lower() in {row[0].lower() for row in table.rows} or said.lower() in " ".join(row[1] for row in table.rows).lower():
            return None
    templates = FACTS_HELD_OUT if is_held_out else FACTS
    fields = {"t": key.lower(), "v": said, "e": table.caption if random.random() < 0.8 else "it"}
    text = say(templates[random.integers(len(templates))], fields, True, random)
    return text[:1].upper() + text[1:] + ".", wanted
