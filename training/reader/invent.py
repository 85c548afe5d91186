"""Invented tables of many kinds, so that no set of names, headers or sizes is a sign of anything."""

import numpy as np

from tables import Table

SYLLABLES = "ka lo ri mun ter ves ban dor el fin gar hol is jun kel lam mar nor ost pel quin ros sun tal ur vin wes yar zan bri cla dre fro gla".split()
THINGS = ["team", "player", "city", "country", "product", "branch", "school", "driver", "club", "district", "store", "ship", "river", "station", "department", "airline", "hospital", "fund", "model", "candidate", "song", "film", "author", "farm", "bank", "mountain", "bridge", "factory", "course", "park"]
MEASURES = ["points", "wins", "losses", "goals", "attendance", "population", "area", "sales", "revenue", "employees", "cost", "price", "score", "votes", "visitors", "length", "height", "weight", "capacity", "laps", "passengers", "orders", "members", "beds", "output", "emissions", "returns", "budget", "age", "speed", "distance", "rating", "profit", "debt", "patients", "students", "units", "downloads", "exports", "rainfall"]
TEXTS = {
    "country": ["france", "japan", "brazil", "kenya", "canada", "italy", "india", "poland", "chile", "norway"],
    "result": ["win", "loss", "draw"],
    "status": ["open", "closed", "planned", "under repair"],
    "colour": ["red", "blue", "green", "black", "white", "yellow"],
    "position": ["forward", "guard", "center", "keeper", "back"],
    "type": ["public", "private", "mixed", "cooperative"],
    "genre": ["drama", "comedy", "rock", "jazz", "folk", "science"],
    "party": ["labour", "liberal", "green", "conservative", "independent"],
    "region": ["north", "south", "east", "west", "centre", "coast"],
    "manager": ["a. keller", "j. ortiz", "m. chen", "s. novak", "p. okafor", "l. berg"],
}
UNITS = ["", "", "in millions of euros", "in thousands of US dollars", "USD million", "GBP thousand", "tonnes", "GWh", "km", "in millions of dollars", "thousand tonnes", "hours"]
LINES = ["Net sales", "Cost of goods sold", "Gross profit", "Research and development", "Selling expenses", "Operating income", "Interest expense", "Income tax", "Net income", "Cash and equivalents", "Total assets", "Accounts receivable", "Inventories", "Long-term debt", "Share repurchases", "Capital expenditure", "Dividends paid", "Free cash flow", "Deferred revenue", "Depreciation", "Headcount", "Order backlog", "Equity", "Trade payables", "Goodwill", "Lease liabilities", "Service revenue", "Product revenue", "Licence income", "Marketing costs"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def name(random, words=None):
    words = words or int(random.integers(1, 3))
    return " ".join("".join(random.choice(SYLLABLES, int(random.integers(2, 4)))).capitalize() for _ in range(words))


def number_maker(random):
    """A column's way of writing numbers."""
    size, style = 10 ** float(random.uniform(0.8, 6)), random.integers(5)
    decimals = int(random.integers(1, 3)) if size < 2000 and random.random() < 0.4 else 0

    def make():
        value = float(random.lognormal(0, 0.6)) * size
        text = f"{value:,.{decimals}f}" if style != 0 else f"{value:.{decimals}f}"
        return f"${text}" if style == 4 else text

    return make


def records(random):
    thing = str(random.choice(THINGS))
    measures = list(random.choice(MEASURES, int(random.integers(1, 5)), replace=False))
    texts = list(random.choice(list(TEXTS), int(random.integers(0, 3)), replace=False))
    count = int(random.integers(4, 16))
    names = [name(random) for _ in range(count)]
    makers = [number_maker(random) for _ in measures]
    header, columns = [thing], [names]
    body = [(measure, [make() for _ in range(count)]) for measure, make in zip(measures, makers)]
    body += [(text, [str(random.choice(TEXTS[text])) for _ in range(count)]) for text in texts]
    for at in random.permutation(len(body)):
        header.append(str(body[at][0]))
        columns.append(body[at][1])
    if random.random() < 0.3:
        header.insert(0, "rank")
        columns.insert(0, [str(n + 1) for n in range(count)])
    caption = f"{thing}s of {name(random, 1)}" if random.random() < 0.5 else f"{name(random, 1)} {thing} {measures[0]}"
    return Table(caption, header, [list(row) for row in zip(*columns)])


def periods(random):
    count, last, style = int(random.integers(2, 6)), int(random.integers(2005, 2025)), random.integers(4)
    if style == 0:
        return [f"Q{n + 1} {last}" for n in range(min(count, 4))]
    if style == 1:
        return [f"{month} {last}" for month in MONTHS[: count + 1]]
    years = [str(last - n) for n in range(count)]
    return years if random.random() < 0.5 else years[::-1]


def series(random):
    """Entities by period, or lines of a statement by period; sometimes with a total, sometimes turned."""
    by_entity, when = random.random() < 0.5, periods(random)
    unit = str(random.choice(UNITS))
    count = int(random.integers(3, 9))
    decimals = int(random.choice([0, 0, 1, 1, 2]))
    size = 10 ** float(random.uniform(1.2, 4))
    thing, measure = str(random.choice(THINGS)), str(random.choice(MEASURES))
    labels = [name(random) for _ in range(count)] if by_entity else [str(line) for line in random.choice(LINES, count, replace=False)]
    values = []
    for _ in labels:
        value, drift = float(random.lognormal(0, 0.7)) * size, float(random.choice([1.12, 0.9, 1.0]))
        values.append([])
        for _ in when:
            value *= drift * float(random.uniform(0.9, 1.12))
            values[-1].append(round(value, decimals))
    if by_entity and random.random() < 0.6:
        labels.append("Total")
        values.append([sum(column) for column in zip(*values)])
    brackets = not by_entity and random.random() < 0.2
    show = lambda value, n: f"({value:,.{decimals}f})" if brackets and n % 3 == 1 else f"{value:,.{decimals}f}"
    rows = [[label, *(show(value, n) for value in row)] for n, (label, row) in enumerate(zip(labels, values))]
    caption = f"{measure.capitalize()} by {thing}" if by_entity else str(random.choice(["Selected financial data", "Income statement", "Key figures", "Balance sheet items"]))
    header = [thing.capitalize() if by_entity else "", *when]
    if by_entity and random.random() < 0.25:
        turned = list(zip(header, *rows))
        header, rows = ["Period", *turned[0][1:]], [list(row) for row in turned[1:]]
    caption = f"{caption}, {unit}" if unit else caption
    return Table(caption, header, rows, "series", f"{name(random, 1)} Corp" if random.random() < 0.5 else "", unit)


def strangers(random, count=15):
    """Names and measures that a table probably lacks."""
    return {"entity": [name(random) for _ in range(count)], "measure": [*map(str, random.permutation(MEASURES)), *map(str, random.permutation(LINES))]}


if __name__ == "__main__":
    random = np.random.default_rng(1)
    for make in (records, series):
        table = make(random)
        print(table.caption, table.header, *table.rows[:4], sep="\n")
