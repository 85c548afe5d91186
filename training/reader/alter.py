"""Changes to a sentence: such that keep its meaning, such that turn it, and such that add what nobody said."""

import re

OPPOSITES = [line.split("/") for line in """rose/fell rise/fall increased/decreased increase/decrease increases/decreases increasing/decreasing grew/shrank growth/decline higher/lower highest/lowest
more/less most/least larger/smaller largest/smallest greater/smaller better/worse best/worst before/after first/last early/late earlier/later above/below over/under up/down north/south
northern/southern east/west eastern/western always/never all/none everyone/nobody both/neither include/exclude includes/excludes including/excluding allowed/forbidden permitted/prohibited
accepted/rejected agreed/disagreed agree/disagree able/unable possible/impossible likely/unlikely important/unimportant common/rare often/rarely usually/seldom won/lost win/lose
success/failure successful/unsuccessful support/oppose supported/opposed male/female men/women man/woman son/daughter brother/sister husband/wife father/mother old/young new/old
large/small big/small long/short strong/weak high/low hot/cold rich/poor fast/slow easy/difficult positive/negative profit/loss gain/loss gained/lost buy/sell bought/sold opened/closed open/closed
began/ended begin/end started/stopped start/stop public/private internal/external minimum/maximum strengthened/weakened improved/worsened expanded/reduced exceeded/missed
remembered/forgot inside/outside left/right day/night morning/evening major/minor majority/minority former/latter domestic/foreign current/former required/optional
confidential/public written/oral exclusive/shared permanent/temporary""".split()]
TURN = {a: b for pair in OPPOSITES for a, b in (pair, pair[::-1])}
ALIKE = [line.split("/") for line in """rose/increased fell/decreased about/approximately around/roughly began/started bought/purchased buy/purchase large/big company/firm children/kids usually/typically
often/frequently many/numerous shows/indicates showed/indicated said/stated says/states help/assist use/employ used/utilised important/significant because/since however/nevertheless also/additionally
get/obtain gets/obtains located/situated film/movie created/made famous/well-known near/close_to main/principal quickly/rapidly begin/start ended/finished whole/entire difficult/hard
various/several different/distinct per_cent/percent people/persons illness/disease doctor/physician signs/symptoms mainly/mostly currently/now revenue/sales grew/expanded reached/came_to
shall/must prior_to/before disclose/reveal terminate/end receive/get obligations/duties third_party/outsider""".split()]
SAME = {a.replace("_", " "): b.replace("_", " ") for pair in ALIKE for a, b in (pair, pair[::-1])}
MONTHS = "January February March April May June July August September October November December".split()
UNITS = [["million", "billion"], ["thousand", "million"], ["days", "weeks"], ["weeks", "months"], ["months", "years"], ["hours", "minutes"], ["km", "miles"], ["$", "€"], ["grams", "kilograms"], ["quarter", "year"]]
AUXILIARY = re.compile(r"\b(is|was|are|were|has|have|had|will|can|may|shall|should|would|could|does|did|must)\b(?! not)(?!n't)", re.I)
NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w'’-]+)(?: (?:of |de |the )?[A-Z][\w'’-]+)*")
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
OPENINGS = ["According to the text, ", "It is said that ", "The document states that ", "We read that ", "As stated, "]
SMALL = "one two three four five six seven eight nine ten".split()


def match_case(text, like):
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def swap_words(text, table, random, most=1):
    """Up to so many words replaced by the table's; None where there is none to replace."""
    found = [m for m in re.finditer(r"[A-Za-z]+(?: (?:to|cent|party))?", text) if m[0].lower() in table] or [m for m in re.finditer(r"[A-Za-z]+", text) if m[0].lower() in table]
    # A capital inside the sentence is a name: the United States are not the United Says.
    found = [m for m in found if m.start() == 0 or not m[0][0].isupper()]
    if not found:
        return None
    chosen = sorted(random.permutation(len(found))[:most], reverse=True)
    for n in chosen:
        word = found[n]
        text = text[: word.start()] + match_case(table[word[0].lower()], word[0]) + text[word.end() :]
    return text


def change_number(text, random):
    found = list(NUMBER.finditer(text))
    words = [m for m in re.finditer(rf"\b({'|'.join(SMALL)})\b", text, re.I)]
    if words and (not found or random.random() < 0.3):
        word = words[int(random.integers(len(words)))]
        other = SMALL[(SMALL.index(word[0].lower()) + int(random.integers(1, 5))) % 10]
        return text[: word.start()] + match_case(other, word[0]) + text[word.end() :]
    if not found:
        return None
    number = found[int(random.integers(len(found)))]
    plain = number[0].replace(",", "")
    value, decimals = float(plain), len(plain.partition(".")[2])
    if re.fullmatch(r"(1[5-9]|20)\d\d", number[0]):
        changed = value + float(random.choice([-1, 1])) * int(random.integers(1, 12))
    elif random.random() < 0.3 and len(plain) > 1 and decimals == 0:
        digits = list(plain)
        at = int(random.integers(len(digits)))
        digits[at] = str((int(digits[at]) + int(random.integers(1, 9))) % 10)
        changed = float("".join(digits))
    else:
        changed = value * (1 + float(random.choice([-1, 1])) * float(random.uniform(0.05, 0.6)))
        changed = value + 1 if round(changed, decimals) == value else changed
    shown = f"{changed:,.{decimals}f}" if "," in number[0] else f"{changed:.{decimals}f}"
    return text[: number.start()] + shown + text[number.end() :] if shown != number[0] else None


def negate(text, random):
    if re.search(r"\b(not|never|no)\b", text):
        return re.sub(r"\b(not|never|no) ", "", text, count=1) if re.search(r"\b(not|never|no) ", text) else None
    found = list(AUXILIARY.finditer(text))
    if not found:
        return None
    word = found[0]
    return text[: word.end()] + " not" + text[word.end() :]


def change_name(text, random, names):
    """Somebody else's name in the place of one."""
    found = list(NAME.finditer(text))
    others = [name for name in names if name not in text]
    if not found or not others:
        return None
    name = found[int(random.integers(len(found)))]
    return text[: name.start()] + others[int(random.integers(len(others)))] + text[name.end() :]


def change_period(text, random):
    found = [month for month in MONTHS if month in text]
    if not found:
        return None
    other = [month for month in MONTHS if month not in text]
    return text.replace(found[0], other[int(random.integers(len(other)))])


def change_unit(text, random):
    for pair in [UNITS[n] for n in random.permutation(len(UNITS))]:
        for old, new in (pair, pair[::-1]):
            if re.search(rf"(?<!\w){re.escape(old)}(?!\w)" if old.isalpha() else re.escape(old), text):
                return text.replace(old, new, 1)
    return None


def turn(text, random, names):
    """The sentence made false by the least change, and of which kind; None where no change applies."""
    kinds = ["number", "number", "direction", "direction", "negation", "name", "period", "unit"]
    for n in random.permutation(len(kinds)):
        kind = kinds[n]
        changed = {
            "number": lambda: change_number(text, random),
            "direction": lambda: swap_words(text, TURN, random),
            "negation": lambda: negate(text, random),
            "name": lambda: change_name(text, random, names),
            "period": lambda: change_period(text, random),
            "unit": lambda: change_unit(text, random),
        }[kind]()
        if changed and changed != text:
            return changed, kind
    return None


def reword(text, random):
    """Says the same in slightly other words."""
    if random.random() < 0.5:
        text = swap_words(text, SAME, random, 2) or text
    if random.random() < 0.4:
        text = re.sub(r"\s*\([^()]*\)", "", text)
    if random.random() < 0.3:
        text = re.sub(r"^(However|Also|In addition|Moreover|Furthermore|For example|In fact|Therefore|Thus|Additionally), (\w)", lambda m: m[2].upper(), text)
    if random.random() < 0.3:
        text = text.replace("n't", " not").replace("can not", "cannot") if "n't" in text else text
    if random.random() < 0.25:
        text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    if random.random() < 0.3:
        text = re.sub(r", (which|who|where|including|such as) [^,.;]*(?=[,.;])", "", text)
    if random.random() < 0.2:
        main = re.match(r"^([^,;]{25,}?)(, (?:and|but|so)|;) .*", text)
        text = f"{main[1]}." if main else text
    if random.random() < 0.15:
        text = OPENINGS[int(random.integers(len(OPENINGS)))] + text
    if random.random() < 0.1:
        text = text.lower()
    return text


def add_detail(text, random, donors):
    """A clause that the passage does not have."""
    clauses = [found[0] for donor in donors for found in re.finditer(r",? (?:in|by|for|with|from|according to|because|after|since|due to) [^,.;]{8,60}(?=[,.;])", donor)]
    if not clauses:
        return None
    clause = clauses[int(random.integers(len(clauses)))]
    return f"{text.rstrip('.!?')}{clause}."
