"""How numbers are written in statements: digits, scale, currency, rounding, words."""

import re

from figures import WORDS

COUNT_WORDS = {n: word for word, n in WORDS.items()}
CURRENCIES = [("pound", "£", "GBP"), ("gbp", "£", "GBP"), ("£", "£", "GBP"), ("euro", "€", "EUR"), ("eur", "€", "EUR"), ("€", "€", "EUR"), ("dollar", "$", "USD"), ("usd", "$", "USD"), ("$", "$", "USD"), ("franc", "CHF ", "CHF"), ("chf", "CHF ", "CHF")]


def decimals_of(text):
    found = re.search(r"\.(\d+)", text)
    return len(found[1]) if found else 0


def show(value, decimals):
    return f"{abs(value):,.{max(decimals, 0)}f}"


def plain(value):
    """A number without a unit: whole where it is whole, otherwise with up to two digits."""
    return show(value, 0) if float(value).is_integer() else show(value, 1 if abs(value) >= 100 else 2)


def count_word(count, random):
    return COUNT_WORDS[count] if count in COUNT_WORDS and random.random() < 0.6 else str(count)


class Unit:
    """The unit that a table's caption names, and the ways a statement may put it."""

    def __init__(self, text):
        low = text.lower()
        self.scale = next((word for word in ("thousand", "million", "billion") if word in low), "million" if re.search(r"[$€£]\s?m\b|\bm$", low) else "thousand" if "000" in low else "")
        self.sign, self.code = next(((sign, code) for word, sign, code in CURRENCIES if word in low), ("", ""))
        self.word = "" if self.scale or self.sign else re.sub(r"[()]", "", text)

    def say(self, value, cell, random):
        """The value as a sentence would have it: all digits mostly, sometimes rounded or in the next scale."""
        digits = decimals_of(cell)
        if "%" in cell:
            return show(value, digits) + str(random.choice(["%", "%", " %", " percent"]))
        choice = random.random()
        scale = self.scale
        if choice < 0.12 and digits > 0 and abs(value) >= 10:
            digits -= 1
        elif choice < 0.24 and scale in ("million", "thousand") and abs(value) >= 1000:
            value, scale, digits = value / 1000, {"million": "billion", "thousand": "million"}[scale], int(random.integers(1, 3))
        number = show(value, digits)
        if not scale and not self.sign:
            return f"{number} {self.word}".strip() if random.random() < 0.6 else number
        if choice > 0.85:
            return number
        prefix, suffix = (self.sign, "") if random.random() < 0.7 or not self.code else (f"{self.code} ", "")
        return f"{prefix}{number} {scale}{suffix}".strip()


def percent(value, random):
    digits = int(random.choice([0, 1, 1, 1, 2]))
    return show(value, digits) + str(random.choice(["%", "%", " %", " percent", " per cent"]))


def number_in(text):
    found = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    return float(found[0].replace(",", ""))
