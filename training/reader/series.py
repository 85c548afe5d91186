"""Statements about tables of figures by period: made as typed expressions, executed, said, and minimally altered."""

import re

from numbers_said import Unit, count_word, decimals_of, number_in, percent, show
from phrasings import SERIES, SERIES_HELD_OUT, say

PERIOD = re.compile(r"^(fy\s?)?((19|20)\d\d|q[1-4]\b.*|h[12]\b.*|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b.*)", re.I)
REFUTES, NEITHER, SUPPORTS = 1, 2, 0
NEEDS_ENTITIES = {"rank", "count", "count_up"}
ORDINALS = ["first", "second", "third", "fourth", "fifth"]


class View:
    """Rows by period, in the order of time, whichever way round the table has them."""

    def __init__(self, table):
        header, rows = table.header, table.rows
        if sum(bool(PERIOD.match(row[0])) for row in rows) > len(rows) / 2:
            turned = [[table.header[0], *(row[0] for row in rows)], *([name, *(row[at] for row in rows)] for at, name in enumerate(header) if at)]
            header, rows = turned[0], turned[1:]
        self.at = [at for at, name in enumerate(header) if at and PERIOD.match(name)]
        names = [header[at] for at in self.at]
        if len(names) > 1 and names[0] > names[-1] and re.match(r"^\D*\d{4}$", names[0]):
            self.at.reverse()
        self.periods = [header[at] for at in self.at]
        from tables import cell_number

        found = [(row[0], [row[at] for at in self.at], [cell_number(row[at]) for at in self.at]) for row in rows]
        found = [row for row in found if row[0] and all(value is not None for value in row[2])]
        self.names, self.texts, self.values = [row[0] for row in found], [row[1] for row in found], [row[2] for row in found]
        named = re.match(r"^(?:segment |)([\w ]+?)(?: by (\w+)|,|$)", table.caption, re.I)
        self.by_entity = bool(re.search(r" by |^segment ", table.caption, re.I))
        self.measure = (named[1] if named else table.caption).lower().removeprefix("segment ")
        self.noun = (named[2] if named and named[2] else table.header[0] or "segment").lower()
        self.noun = "segment" if self.noun in ("period", "year", "quarter") else self.noun
        self.totals = [n for n, name in enumerate(self.names) if re.search(r"total|group", name, re.I)]
        self.unit, self.subject = Unit(table.unit), table.subject

    def is_usable(self):
        return len(self.periods) > 1 and len(self.names) > 1


def draw(view, kind, random):
    """Parts of a statement of a kind, chosen so that it can be true; None where the table has none."""
    rows = [n for n in range(len(view.names)) if n not in view.totals] or list(range(len(view.names)))
    i = int(random.choice(rows))
    j = int(random.choice(range(len(view.names))))
    p = int(random.integers(1, len(view.periods)))
    if i == j or (view.by_entity and kind in ("comparison", "pace", "sum") and j in view.totals):
        return None
    parts = {"kind": kind, "i": i, "j": j, "p": p, "q": p - 1, "up": True}
    if kind in ("level", "threshold", "rank", "count", "comparison", "sum", "ratio") and random.random() < 0.3:
        parts["p"] = 0
    if kind == "threshold":
        value = view.values[i][parts["p"]]
        parts["bar"], parts["up"] = bar_near(value, decimals_of(view.texts[i][parts["p"]]), random), random.random() < 0.5
    if kind == "count":
        some = [view.values[n][parts["p"]] for n in rows]
        parts["bar"], parts["up"] = bar_near(float(random.choice(some)), 0, random), random.random() < 0.5
    if kind in ("rank", "count_up", "peak", "trend"):
        parts["up"] = bool(random.random() < 0.6)
    return parts


def bar_near(value, decimals, random):
    """A round number in the neighbourhood of a value."""
    size = 10 ** max(len(str(int(abs(value)))) - 2, 0)
    bar = round(abs(value) * float(random.uniform(0.8, 1.2)) / size) * size
    return float(bar if bar else round(abs(value) * 1.1, decimals))


def result(view, parts):
    """The number or the truth that the expression gives."""
    kind, i, j, p, q = (parts[name] for name in ("kind", "i", "j", "p", "q"))
    own, other = view.values[i], view.values[j]
    rows = [n for n in range(len(view.names)) if n not in view.totals]
    if kind == "level":
        return own[p]
    if kind == "change":
        return 100 * (own[p] - own[q]) / abs(own[q]) if own[q] else None
    if kind in ("difference", "direction"):
        return own[p] - own[q]
    if kind == "ratio":
        return 100 * own[p] / other[p] if other[p] else None
    if kind == "sum":
        return own[p] + other[p]
    if kind == "average":
        return sum(own) / len(own)
    sign = 1 if parts["up"] else -1
    if kind == "threshold":
        return sign * (abs(own[p]) - parts["bar"]) > 0
    if kind == "trend":
        return None if len(own) < 3 else all(sign * (b - a) > 0 for a, b in zip(own, own[1:]))
    if kind == "peak":
        return all(sign * (own[p] - value) > 0 for n, value in enumerate(own) if n != p)
    if kind == "comparison":
        return sign * (own[p] - other[p]) > 0
    if kind == "pace":
        return min(own[q], other[q], own[p]) > 0 and own[p] > own[q] and sign * (own[p] / own[q] - other[p] / other[q]) > 0
    if kind == "rank":
        order = sorted(rows, key=lambda n: -sign * view.values[n][p])
        return order.index(i) == parts.get("place", 0) if i in order else None
    if kind == "count":
        return sum(sign * (view.values[n][p] - parts["bar"]) > 0 for n in rows)
    return sum(sign * (view.values[n][p] - view.values[n][q]) > 0 for n in rows)


NUMERIC = {"level", "change", "difference", "ratio", "sum", "average", "count", "count_up"}


def word(view, parts, claimed, random, is_held_out, names=None, periods=None, measure=None):
    """The statement in words; `names`, `periods` and `measure` put others in the place of the table's own."""
    kind, i, j, p, q = (parts[name] for name in ("kind", "i", "j", "p", "q"))
    names, periods = names or view.names, periods or view.periods
    templates = (SERIES_HELD_OUT if is_held_out else SERIES)[kind]
    if not view.by_entity:
        templates = [text for text in templates if "{f}" not in text and "{noun}" not in text] or SERIES[kind][:1]
    template = templates[random.integers(len(templates))]
    cell = view.texts[i][min(p, len(view.texts[i]) - 1)]
    say_number = lambda value: view.unit.say(value, cell, random)
    up = parts["up"]
    fields = {"p": periods[p], "q": periods[q], "first": periods[0], "noun": view.noun, "was": str(random.choice(["was", "were"]))}
    if view.by_entity:
        where = str(random.choice(["in", "of", "at", "for"]))
        fields |= {"e": names[i], "f": names[j], "m": measure or view.measure, "e2": f"{where} {names[i]}", "f2": f"{where} {names[j]}", "m2": view.measure if random.random() < 0.5 else "that"}
        if kind in ("sum", "ratio"):
            fields["m2"] = "that" if kind == "sum" else view.measure
        if j in view.totals:
            fields |= {"m2": f"total {view.measure}", "f2": ""}
    else:
        owner = f"of {view.subject}" if view.subject and random.random() < 0.3 else ""
        lower = lambda text: text if re.match(r"^[A-Z]{2}", text) else text[:1].lower() + text[1:]
        fields |= {"e": view.subject or "The company", "m": measure or lower(names[i]), "e2": owner, "m2": lower(names[j]), "f2": ""}
    fields["M"] = fields["m"]
    if kind in ("change", "difference", "direction") and claimed is not None:
        up = claimed > 0
        sign = "" if up else "-"
        fields |= {"c": percent(claimed, random), "d": say_number(claimed)} if kind != "direction" else {"a": say_number(view.values[i][q]), "b": say_number(view.values[i][p])}
        if kind != "direction":
            fields |= {"sc": sign + fields["c"], "sd": sign + fields["d"]}
    elif kind == "level":
        fields["n"] = say_number(claimed)
    elif kind in ("threshold", "count"):
        fields["n"] = say_number(parts["bar"]) if parts["bar"] % 1 else view.unit.say(parts["bar"], "0", random)
    if kind in ("count", "count_up"):
        fields["k"] = count_word(int(claimed), random)
    if kind == "ratio":
        fields["r"] = percent(claimed, random)
    if kind == "sum":
        fields["s"] = say_number(claimed)
    if kind == "average":
        fields["g"] = say_number(claimed)
    if kind == "rank":
        fields["ordinal"] = ORDINALS[parts.get("place", 0)] + ("" if up else " from the bottom")
    text = say(template, fields, up, random, is_held_out)
    return text[:1].upper() + text[1:], fields


def alter_number(view, parts, value, random):
    """Another number for the statement: off by some per cent, a neighbour's, or with the sign turned."""
    choice = random.random()
    kind = parts["kind"]
    if kind in ("count", "count_up"):
        return max(0, value + int(random.choice([-2, -1, 1, 2])))
    if kind in ("change", "difference") and choice < 0.4:
        return -value
    if kind == "level" and choice < 0.5:
        return view.values[parts["i"] if choice < 0.3 else parts["j"]][int(random.integers(len(view.periods)))]
    if kind == "ratio" and choice < 0.3:
        return value + float(random.choice([-1, 1])) * float(random.uniform(3, 20))
    return value * (1 + float(random.choice([-1, 1])) * float(random.uniform(0.04, 0.5)))


def differs(text, other):
    """Whether two ways of saying differ by more than the digits that are left out."""
    found, true = number_in(text), number_in(other)
    return abs(found - true) > 0.02 * abs(true) + 0.11


def make(view, kind, wanted, random, is_held_out, strangers):
    """One statement that the table supports, refutes or leaves open: (text, label), or None."""
    if kind in NEEDS_ENTITIES and not view.by_entity:
        return None
    parts = draw(view, kind, random)
    if parts is None:
        return None
    if kind == "rank" and random.random() < 0.3:
        parts["place"] = int(random.integers(0, 3))
    value = result(view, parts)
    if value is None:
        return None
    if wanted == NEITHER:
        claimed = value if kind in NUMERIC or kind == "direction" else None
        return leave_open(view, parts, claimed, random, is_held_out, strangers)
    if kind in NUMERIC or kind == "direction":
        if kind != "level" and not isinstance(value, int) and abs(value) < 0.05:
            return None
        if wanted == SUPPORTS:
            return word(view, parts, value, random, is_held_out)[0], SUPPORTS
        if kind == "direction":
            return word(view, parts, -value, random, is_held_out)[0], REFUTES
        altered = alter_number(view, parts, value, random)
        if kind not in ("count", "count_up") and altered * value > 0 and not differs(show(altered, 2), show(value, 2)):
            return None
        return (word(view, parts, altered, random, is_held_out)[0], REFUTES) if altered != value else None
    truth = bool(value)
    if truth != (wanted == SUPPORTS):
        # The least change that turns it: the direction, the other way round, another period.
        for change in ({"up": not parts["up"]}, {"i": parts["j"], "j": parts["i"]}, {"p": int(random.integers(len(view.periods)))}):
            if "p" in change and kind in ("pace", "trend"):
                continue
            tried = result(view, {**parts, **change})
            if tried is not None and bool(tried) != truth:
                return word(view, {**parts, **change}, None, random, is_held_out)[0], wanted
        return None
    return word(view, parts, None, random, is_held_out)[0], wanted


def leave_open(view, parts, claimed, random, is_held_out, strangers):
    """The same statement of a period, a measure or somebody that the table does not have."""
    choice = random.random()
    names, periods, measure = list(view.names), list(view.periods), None
    if choice < 0.45:
        year = re.search(r"(19|20)\d\d", view.periods[parts["p"]])
        if not year:
            return None
        other = str(int(year[0]) + int(random.choice([-1, 1])) * int(random.integers(len(view.periods), 12)))
        periods[parts["p"]] = view.periods[parts["p"]].replace(year[0], other)
        if periods[parts["p"]] in view.periods or parts["kind"] in ("trend", "average"):
            return None
    elif choice < 0.75 or not view.by_entity:
        names[parts["i"]] = strangers["entity" if view.by_entity else "measure"][int(random.integers(len(strangers["entity" if view.by_entity else "measure"])))]
        if names[parts["i"]].lower()[:5] in " ".join(view.names).lower():
            return None
    else:
        measure = strangers["measure"][int(random.integers(len(strangers["measure"])))].lower()
        if measure[:5] in f"{view.measure} {view.noun}":
            return None
    return word(view, parts, claimed, random, is_held_out, names, periods, measure)[0], NEITHER
