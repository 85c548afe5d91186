"""Numbers of a claim, and how the numbers of a passage relate to them: what a small network cannot compute itself."""

import re

from tables import NUMBER, YEAR

SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "m": 1e6, "mn": 1e6, "bn": 1e9, "k": 1e3}
WORDS = {word: n for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
CLAIM_NUMBER = re.compile(rf"({NUMBER.pattern})(?:\s?(thousand|million|billion|trillion|mn|bn|m|k)\b)?|\b({'|'.join(WORDS)})\b", re.I)

# Of a number in the passage, beside those of the claim.
NO_NUMBER, UNRELATED, SAME, ROUNDED, ABOVE, BELOW, BETWEEN = range(7)
# Of a number in the claim, and of a word of the claim.
NOT_FOUND, DERIVED, AGGREGATE, WORD_NOT_FOUND, COUNTED = 7, 8, 9, 10, 11
RELATIONS = 12


class Figure:
    """A number as the claim says it: its value, half a unit of its last digit, and where it stands."""

    def __init__(self, found):
        if found[3]:
            self.value, decimals, scale = float(WORDS[found[3].lower()]), 0, 1.0
        else:
            self.value = float(found[1].replace(",", ""))
            decimals = len(found[1].partition(".")[2])
            scale = SCALES[found[2].lower()] if found[2] else 1.0
        self.scale, self.half = scale, 0.5 * 10**-decimals
        self.start, self.end = found.span()
        self.is_year = found[3] is None and not found[2] and bool(YEAR.match(found[1]))
        # A small whole number means itself, and nothing that is rounded to it.
        self.is_count = decimals == 0 and self.value < 100 and scale == 1
        self.is_word = found[3] is not None
        # What rounds to it, as printed and with its scale, in thousands and in millions: (from, to).
        ranges = ((self.value, self.half), (self.value * scale, self.half * scale))
        self.reach = [((t - 1.0001 * h) / power, (t + 1.0001 * h) / power) for t, h in ranges for power in (1.0, 1e3, 1e6, 1e-3, 1e-6)]

    def match(self, value):
        """SAME, ROUNDED, or NO_NUMBER where the value is another."""
        value = abs(value)
        if value in (self.value, self.value * self.scale):
            return SAME
        if self.is_count or self.is_year:
            return NO_NUMBER
        return ROUNDED if any(low <= value <= high for low, high in self.reach) else NO_NUMBER

    def is_near(self, value):
        """Whether a computed value is this one, as far as its digits go."""
        return abs(abs(value) - self.value) <= self.half * 1.0001


def find_figures(text):
    return [Figure(found) for found in CLAIM_NUMBER.finditer(text)]


def relate(value, figures):
    """What a number of the passage is to the claim's."""
    found = [figure.match(value) for figure in figures]
    if SAME in found or ROUNDED in found:
        return SAME if SAME in found else ROUNDED
    amounts = [figure.value * figure.scale for figure in figures if not figure.is_year]
    if not amounts or (1600 <= abs(value) < 2100 and value == int(value)):
        return UNRELATED
    if abs(value) > max(amounts):
        return ABOVE
    return BELOW if abs(value) < min(amounts) else BETWEEN


def pair_results(first, second):
    """What two numbers give: difference, sum, ratio, share and change in per cent."""
    yield first - second
    yield first + second
    if second:
        yield first / second
        yield 100 * first / second
        yield 100 * (first - second) / abs(second)
    if first:
        yield second / first
        yield 100 * second / first
        yield 100 * (second - first) / abs(first)


def is_derived(figure, groups):
    """Whether two numbers of one group give the figure."""
    if figure.is_word:
        return False
    for group in groups:
        for n, first in enumerate(group):
            for second in group[n + 1 :]:
                if any(figure.is_near(value) for value in pair_results(first, second)):
                    return True
    return False
