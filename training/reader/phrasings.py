"""How statements of each kind are said. TAUGHT is trained on; HELD_OUT is another voice, only measured with.

Fields: {e}, {f} entities; {m} measure; {p} period, {q} the one before; {n} number with its unit; {k} a count; {noun}
what the entities are; {t}, {v} a text column and its value. Words by direction are filled in by `say`.
"""

import re

# Each word for up with its opposite; `say` picks one pair and takes the side that the statement needs.
DIRECTIONS = {
    "rose": [("rose", "fell"), ("increased", "decreased"), ("grew", "shrank"), ("went up", "went down"), ("was up", "was down"), ("gained", "lost"), ("improved", "declined"), ("advanced", "retreated"), ("moved higher", "moved lower"), ("expanded", "contracted"), ("jumped", "plunged"), ("was higher", "was lower")],
    "rise": [("rise", "fall"), ("increase", "decrease"), ("growth", "decline"), ("gain", "drop"), ("improvement", "deterioration"), ("upturn", "downturn"), ("uplift", "reduction")],
    "higher": [("higher", "lower"), ("greater", "smaller"), ("larger", "smaller"), ("more", "less"), ("bigger", "smaller")],
    "highest": [("highest", "lowest"), ("largest", "smallest"), ("greatest", "least"), ("most", "fewest"), ("biggest", "smallest"), ("top", "bottom")],
    "more": [("more", "fewer"), ("more", "less")],
    "above": [("above", "below"), ("more than", "less than"), ("over", "under"), ("greater than", "smaller than"), ("in excess of", "short of"), ("at least", "at most")],
    "exceeded": [("exceeded", "fell short of"), ("surpassed", "stayed below"), ("topped", "trailed"), ("beat", "missed"), ("was ahead of", "was behind")],
}
HELD_OUT_DIRECTIONS = {
    "rose": [("edged up", "edged down"), ("picked up", "slipped"), ("surged", "slumped"), ("strengthened", "weakened")],
    "rise": [("surge", "slump"), ("step up", "step down"), ("advance", "setback")],
    "higher": [("superior", "inferior"), ("stronger", "weaker")],
    "highest": [("best", "worst"), ("maximum", "minimum"), ("strongest", "weakest")],
    "more": [("additional", "fewer")],
    "above": [("upwards of", "no more than"), ("beyond", "beneath")],
    "exceeded": [("outperformed", "underperformed"), ("outstripped", "lagged")],
}

SERIES = {
    "level": ["{M} {e2} {was} {n} in {p}.", "In {p}, {m} {e2} {was} {n}.", "{m} {e2} amounted to {n} in {p}.", "{e} reported {m} of {n} for {p}.", "For {p}, {m} {e2} came to {n}.", "{m} {e2} reached {n} in {p}.", "{m} {e2} stood at {n} in {p}.", "{e} had {m} of {n} in {p}.", "The {p} figure for {m} {e2} is {n}.", "{e}: {m} {n} ({p}).", "{m} {e2} totaled {n} during {p}."],
    "change": ["{m} {e2} {rose} by {c} from {q} to {p}.", "{m} {e2} {rose} {c} in {p}.", "Compared with {q}, {m} {e2} {rose} {c} in {p}.", "In {p}, {m} {e2} {rose} by {c} year over year.", "{m} {e2} showed a {rise} of {c} between {q} and {p}.", "The {rise} in {m} {e2} from {q} to {p} was {c}.", "{e} recorded a {c} {rise} in {m} in {p} compared to {q}.", "{m} {e2} for {p} {was} {c} {higher} than in {q}.", "The percentage change in {m} {e2} from {q} to {p} was {sc}."],
    "difference": ["{m} {e2} {rose} by {d} from {q} to {p}.", "In {p}, {m} {e2} {was} {d} {higher} than in {q}.", "{m} {e2} changed by {sd} between {q} and {p}.", "The {rise} in {m} {e2} was {d} in {p}.", "Between {q} and {p}, {e} saw {m} {rise} by {d}."],
    "direction": ["{m} {e2} {rose} in {p}.", "{m} {e2} {rose} from {q} to {p}.", "{m} {e2} {rose} from {a} in {q} to {b} in {p}.", "There was a {rise} in {m} {e2} in {p}.", "{m} {e2} {was} {higher} in {p} than in {q}.", "Compared with {q}, {p} brought a {rise} in {m} {e2}.", "{e} saw a {rise} in {m} from {q} to {p}."],
    "trend": ["{m} {e2} {rose} every year.", "{m} {e2} {rose} in every period.", "{m} {e2} {rose} steadily from {first} to {p}.", "{m} {e2} {rose} without interruption.", "There was a continuous {rise} in {m} {e2}.", "{m} {e2} {rose} throughout the period {first} to {p}.", "{m} {e2} consistently {rose}."],
    "peak": ["{m} {e2} {was} {highest} in {p}.", "{m} {e2} reached its {highest} level in {p}.", "The {highest} {m} {e2} {was} recorded in {p}.", "{p} was the period with the {highest} {m} {e2}.", "{e} had its {highest} {m} in {p}."],
    "threshold": ["{m} {e2} {was} {above} {n} in {p}.", "In {p}, {m} {e2} {exceeded} {n}.", "{e} had {m} of {above} {n} in {p}.", "{m} {e2} {exceeded} {n} in {p}."],
    "comparison": ["In {p}, {m} {e2} {was} {higher} than {m2} {f2}.", "{m} {e2} {exceeded} {m2} {f2} in {p}.", "{e} had {higher} {m} than {f} in {p}.", "{m} {e2} {was} {higher} than {m2} {f2} in {p}."],
    "ratio": ["In {p}, {m} {e2} {was} {r} of {m2} {f2}.", "{m} {e2} made up {r} of {m2} {f2} in {p}.", "{m} {e2} as a percentage of {m2} {f2} {was} {r} in {p}.", "The ratio of {m} {e2} to {m2} {f2} {was} {r} in {p}.", "{m} {e2} accounted for {r} of {m2} {f2} in {p}."],
    "sum": ["Together, {m} {e2} and {m2} {f2} came to {s} in {p}.", "The sum of {m} {e2} and {m2} {f2} was {s} in {p}.", "In {p}, {m} {e2} and {m2} {f2} totalled {s}.", "The combined {m} {e2} and {m2} {f2} amounted to {s} in {p}."],
    "average": ["The average {m} {e2} over all periods {was} {g}.", "On average, {m} {e2} came to {g} per period.", "{m} {e2} averaged {g} from {first} to {p}."],
    "pace": ["{m} {e2} grew faster than {m2} {f2} in {p}.", "From {q} to {p}, {m} {e2} rose more strongly than {m2} {f2}.", "In {p}, growth in {m} {e2} {exceeded} that in {m2} {f2}."],
    "rank": ["{e} had the {highest} {m} in {p}.", "{e} was the {noun} with the {highest} {m} in {p}.", "In {p}, {e} ranked {ordinal} in {m}.", "The {highest} {m} in {p} came from {e}.", "{e} contributed the {highest} {m} in {p}."],
    "count": ["{k} {noun}s had {m} of {above} {n} in {p}.", "In {p}, {m} {was} {above} {n} in {k} {noun}s."],
    "count_up": ["{m} {rose} in {k} {noun}s in {p}.", "In {p}, {k} {noun}s had {higher} {m} than in {q}.", "From {q} to {p}, {m} {rose} in {k} of the {noun}s."],
}
SERIES_HELD_OUT = {
    "level": ["We booked {n} of {m} {e2} for {p}.", "{m} {e2}, at {n}, closed {p} on that mark.", "{p} ended with {m} {e2} of {n}."],
    "change": ["A {c} {rise} lifted or cut {m} {e2} relative to {q} in {p}.", "{p} brought {c} {more} {m} {e2} than {q}.", "{m} {e2}: {sc} against {q} in {p}."],
    "difference": ["{m} {e2} came in {d} {higher} than a year before in {p}, against {q}.", "{p} added or took {sd} on {m} {e2} since {q}."],
    "direction": ["{m} {e2} {rose} as {q} gave way to {p}.", "{p} compares with {q} as a {rise} of {m} {e2}."],
    "trend": ["No period interrupted the {rise} of {m} {e2}.", "From one period to the next, {m} {e2} always {rose}."],
    "peak": ["{p} marks the {highest} point of {m} {e2}.", "At no other time {was} {m} {e2} as {high} as in {p}."],
    "threshold": ["{m} {e2} came out {above} {n} for {p}."],
    "comparison": ["{e} {exceeded} {f} in {m} for {p}.", "{p}: {m} {e2} {higher} than {m2} {f2}."],
    "ratio": ["Out of {m2} {f2}, {r} fell to {m} {e2} in {p}.", "{m} {e2} represented {r} of {m2} {f2} for {p}."],
    "sum": ["{m} {e2} plus {m2} {f2} gave {s} in {p}."],
    "average": ["A typical period had {m} {e2} of {g}.", "The mean of {m} {e2} is {g}."],
    "pace": ["{m} {e2} outgrew {m2} {f2} between {q} and {p}."],
    "rank": ["Nobody had {m} as {high} as {e} in {p}.", "{e} took the {highest} place for {m} in {p}."],
    "count": ["{m} came out {above} {n} at {k} {noun}s in {p}."],
    "count_up": ["{k} {noun}s saw a {rise} of {m} between {q} and {p}."],
}

RECORDS = {
    "level": ["the {m} of {e} is {n}", "{e} has {n} {m}", "{e} has a {m} of {n}", "the {m} for {e} was {n}", "{e} had a {m} of {n}", "{n} is the {m} for {e}", "with {e} the {m} is {n}", "the {noun} {e} has {m} {n}", "when the {noun} is {e}, the {m} is {n}", "{e} recorded {n} {m}", "{e} be listed with {n} {m}", "a {m} of {n} belongs to {e}"],
    "text": ["the {t} of {e} is {v}", "{e} has {v} as its {t}", "the {t} for {e} was {v}", "{v} is the {t} of {e}", "{e} is listed with the {t} {v}", "when the {noun} is {e}, the {t} is {v}", "{v} be the {t} for {e}", "{e} : {t} {v}"],
    "where": ["when the {t} is {v}, the {m} is {n}", "the {noun} with {t} {v} and {m} {n} is {e}", "{e} is the {noun} with a {m} of {n} and {t} {v}", "the {t} is {v} for the {noun} with {n} {m}"],
    "comparison": ["{e} has {higher} {m} than {f}", "{e} has a {higher} {m} than {f}", "the {m} of {e} is {higher} than that of {f}", "the {m} for {e} {exceeded} that for {f}", "{f} has {lower} {m} than {e}", "{e} had {more} {m} than {f}"],
    "rank": ["{e} has the {highest} {m}", "the {highest} {m} belongs to {e}", "the {noun} with the {highest} {m} is {e}", "{e} had the {highest} {m} of all {noun}s", "no {noun} has a {higher} {m} than {e}", "{e} be the {noun} with the {highest} {m}", "of all {noun}s, {e} has the {highest} {m}"],
    "second": ["{e} has the second {highest} {m}", "{e} ranks second in {m} counting from the {highest}", "the second {highest} {m} is that of {e}"],
    "extreme": ["the {highest} {m} is {n}", "the {highest} {m} in the table was {n}", "{n} is the {highest} {m} of any {noun}", "no {m} is {higher} than {n}"],
    "threshold": ["{e} has {above} {n} {m}", "the {m} of {e} is {above} {n}", "{e} had a {m} {above} {n}"],
    "difference": ["{e} has {d} {more} {m} than {f}", "the difference in {m} between {e} and {f} is {d}", "the {m} of {e} is {d} {higher} than that of {f}"],
    "sum": ["the combined {m} of {e} and {f} is {s}", "{e} and {f} together have {s} {m}", "together {e} and {f} had a {m} of {s}"],
    "total": ["the total {m} is {s}", "all {noun}s together have {s} {m}", "the sum of the {m} of all {noun}s is {s}"],
    "average": ["the average {m} is {g}", "the mean {m} of the {noun}s is {g}", "on average the {noun}s have a {m} of {g}"],
    "count": ["{k} {noun}s have {t} {v}", "there are {k} {noun}s with {v} as {t}", "{v} is the {t} of {k} {noun}s", "{v} appears {k} times as {t}", "the {t} is {v} in {k} cases", "{k} of the {noun}s have the {t} {v}"],
    "count_above": ["{k} {noun}s have a {m} {above} {n}", "there are {k} {noun}s with {above} {n} {m}", "a {m} {above} {n} was recorded by {k} {noun}s", "{k} of the {noun}s had {above} {n} {m}"],
    "all": ["all {noun}s have a {m} {above} {n}", "every {noun} has {above} {n} {m}", "each {noun} had a {m} {above} {n}", "no {noun} has a {m} {below} {n}"],
    "only": ["{e} is the only {noun} with a {m} {above} {n}", "only {e} has {above} {n} {m}", "just one {noun}, {e}, had a {m} {above} {n}"],
    "extreme_text": ["the {noun} with the {highest} {m} has the {t} {v}", "the {t} of the {noun} with the {highest} {m} is {v}", "{v} is the {t} where the {m} is {highest}"],
    "between": ["{e} comes before {f} in the list", "{f} is listed after {e}"],
    "rows": ["the table lists {k} {noun}s", "there are {k} {noun}s in all"],
}
RECORDS_HELD_OUT = {
    "level": ["{e} scored {n} in terms of {m}", "it was {n} {m} for {e}", "{e} shows {n} under {m}"],
    "text": ["under {t}, {e} shows {v}", "{e} goes with {v} ({t})"],
    "where": ["{n} {m} came with {v} as the {t}"],
    "comparison": ["as for {m}, {e} {exceeded} {f}", "{e} is {higher} in {m} than {f}"],
    "rank": ["nobody comes near {e} at the {highest} end of {m}", "{e} leads the list from the {highest} {m}"],
    "second": ["only one {noun} has a {higher} {m} than {e}"],
    "extreme": ["{m} goes no {higher} than {n}"],
    "threshold": ["{e} came out {above} {n} for {m}"],
    "difference": ["{e} and {f} are {d} {m} apart"],
    "sum": ["adding {e} to {f} gives {s} {m}"],
    "total": ["{m} adds up to {s}"],
    "average": ["a typical {noun} has a {m} of {g}"],
    "count": ["we see {v} {k} times under {t}", "{k} {noun}s share the {t} {v}"],
    "count_above": ["{m} came out {above} {n} for {k} {noun}s"],
    "all": ["without exception, the {m} is {above} {n}"],
    "only": ["apart from {e} nobody came {above} {n} {m}"],
    "extreme_text": ["whoever has the {highest} {m} has {v} as {t}"],
    "between": ["{e} precedes {f}"],
    "rows": ["{k} {noun}s are given"],
}
FACTS = ["the {t} of {e} is {v}", "{e} has {v} as its {t}", "{e}'s {t} is {v}", "{v} is listed as the {t} of {e}", "for {e}, the {t} was {v}", "{e} is associated with {v} ({t})", "{t}: {v}, says the entry on {e}", "the entry for {e} gives {v} as the {t}"]
FACTS_HELD_OUT = ["under {t}, the sheet on {e} reads {v}", "one finds {v} under {t} for {e}"]

FIELD = re.compile(r"\{(\w+)\}")


def say(template, fields, up, random, is_held_out=False):
    """Fills a template. `up` chooses between a word and its opposite."""
    words = HELD_OUT_DIRECTIONS if is_held_out and random.random() < 0.6 else DIRECTIONS

    def fill(found):
        name = found[1]
        if name in DIRECTIONS:
            pair = words[name][random.integers(len(words[name]))]
            return pair[0 if up else 1]
        if name == "lower":
            return fill_opposite("higher")
        if name == "below":
            return fill_opposite("above")
        if name == "high":
            return "high" if up else "low"
        return str(fields[name])

    def fill_opposite(name):
        pair = DIRECTIONS[name][random.integers(len(DIRECTIONS[name]))]
        return pair[1 if up else 0]

    text = FIELD.sub(fill, template)
    return re.sub(r"\s+", " ", text).strip()
