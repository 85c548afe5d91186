"""Writes what the port of the sequence is held to: python3 training/reader/list_fixtures.py TOKENIZER.json OUT.json

Passages and claims were written for this. Of each pair the token ids, where the passage begins, and of each token with
features its place and the features.
"""

import json
import sys

from pack import Encoder
from tables import Table

LICENCE = [
    "This Licence Agreement is made on 3 March 2021 between Alder Instruments Ltd and the party named in Schedule 2.",
    "The Licensee shall keep all Know-How secret for a period of five (5) years after the date of disclosure.",
    "Nothing in this Agreement grants the Licensee any right to modify, decompile or reverse-engineer the Firmware.",
    "The Licensee may disclose Know-How to its employees who need to know it for the Purpose, provided that they are bound by obligations no less strict than those of this Agreement.",
    "Royalties of 4.5% of net sales, but no less than €12,000 a year, fall due within thirty days after the end of each quarter.",
    "Either party may terminate this Agreement by giving 90 days' notice in writing.",
    "Upon termination the Licensee shall return or destroy all copies of the Firmware, save for one copy kept for archival purposes.",
]
REPORT = [
    "Revenue of the Nordic segment rose from $1,204.5 million in 2021 to $1,391 million in 2022, an increase of 15.5%.",
    "Operating income was $212 million, or 15.2 per cent of revenue.",
    "We closed three plants, in Vaasa, Luleå and Årdal, and moved 240 of 1,100 positions.",
    "Freight costs fell; the price of pulp did not.",
    "In the fourth quarter, orders were 2.4 times those of a year before.",
]
STORY = [
    "The ferry left Kirkwall at 06:30 with 84 passengers and a crew of twelve.",
    "Fog came up before noon, and the captain, Ingrid Moe, turned back off Stronsay.",
    "“Nobody was hurt,” she said; one van was damaged by sea water.",
    "The next crossing is planned for Tuesday.",
]
LONG = [f"Section {n}: the committee of district {n % 7} met in room {n * 3} and approved {n * 11} of {n * 13} requests about {topic}." for n, topic in enumerate(["parking", "street lights", "the library roof", "noise at night", "bicycle lanes", "the swimming pool", "markets", "school meals"] * 5)]
BRIDGE = Table("Halden Bridge", ["", ""], [["Carries", "4 lanes of Route 112, pedestrians"], ["Crosses", "River Ise"], ["Designer", "Marta Lindqvist, Oskar Bryn"], ["Total length", "1,284 m (4,213 ft)"], ["Longest span", "410 m"], ["Opened", "14 June 1978"], ["Daily traffic", "31,500 (2019)"], ["Toll", "None since 2004"]], "facts")
SINGER = Table("Amara Quist", ["", ""], [["Born", "2 May 1961, Gdynia"], ["Genres", "Jazz, Folk, Chamber pop"], ["Instruments", "Vocals, accordion, piano"], ["Years active", "1983–present"], ["Labels", "Lantern, Northlight"], ["Albums", "14"], ["Awards", "3"], ["Children", "2"]], "facts")
DISH = Table("", ["", ""], [["Type", "Dumpling"], ["Main ingredients", "Rye flour, quark, caraway, nettles"], ["Served", "Hot or cold"], ["Region", "Lake district"]], "facts")
LARGE = Table("District figures 2020", ["", ""], [[f"{name} {n}", f"{n * 137 % 991}.{n} thousand, of which {n * 7} in the north, {n * 9} in the south, and the others by the lake near the old harbour"] for n, name in enumerate(["Households", "Schools", "Farms", "Workshops", "Gardens"] * 8)], "facts")

PASSAGES = {"licence": LICENCE, "report": REPORT, "story": STORY, "long": LONG, "bridge": BRIDGE, "singer": SINGER, "dish": DISH, "large": LARGE}
CLAIMS = {
    "licence": ["The Licensee shall not reverse engineer the Firmware.", "The obligations of secrecy survive for 5 years.", "The Licensee may keep one copy after termination.", "The Licensee may share Know-How with consultants.", "Royalties are 4.5 percent of net sales.", "A notice of ninety days is needed.", "The agreement is governed by Scots law."],
    "report": ["Nordic revenue grew 15.5% to $1.391 billion.", "Revenue rose by $186.5 million in 2022.", "Three plants were closed.", "860 positions stayed where they were.", "Pulp became cheaper in 2022.", "Orders more than doubled in the fourth quarter.", "The operating margin was 15.2%.", "In 2019 revenue was 1,000 million."],
    "story": ["84 people and twelve crew were aboard.", "The captain was called Ingrid Moe.", "Two vans were damaged.", "Everybody was unhurt, said the captain — the ferry’s owner did not.", "The ferry returned to Kirkwall because of fog.", "96 people were aboard in all.", "Naïve café owners in Ærø paid 7½ kroner 😀 more."],
    "long": ["District 3 approved 33 requests about noise at night.", "The library roof was discussed in room 6.", "Nobody spoke of school meals.", "Sections 1 to 12 speak of bicycle lanes and markets.", "The committee met once."],
    "bridge": ["The Halden Bridge is longer than 1 km.", "Its longest span is 410 metres.", "Two people designed it.", "Drivers pay a toll.", "The bridge opened in 1978 and crosses the River Ise.", "About 31,500 vehicles use it every day.", "It is a railway bridge.", "1,694 m is what length and span come to."],
    "singer": ["Amara Quist plays the accordion.", "She has more albums than awards.", "She was born in 1961 in Gdynia.", "She has released 14 albums and won five awards.", "Quist writes for film.", "She has been active for more than 30 years.", "19 things are counted here: albums, awards and children."],
    "dish": ["It is a dumpling with nettles.", "It is never served cold.", "It has four main ingredients.", "You drink it.", "4 facts are told."],
    "large": ["Farms 2 had 274 thousand.", "There are 40 rows.", "Gardens by the old harbour were the most.", "Households 0 and Schools 1 stand in the north.", "Nothing of interest happened"],
}


def main():
    encoder = Encoder(sys.argv[1])
    pairs = []
    for name, claims in CLAIMS.items():
        for claim in claims:
            ids, features, begin = encoder.sequence(claim, PASSAGES[name])
            marked = [[at, *row] for at, row in enumerate(features) if any(row)]
            pairs.append({"claim": claim, "passage": name, "begin": begin, "ids": ids, "features": marked})
    shown = {name: passage if isinstance(passage, list) else {"title": passage.caption, "facts": passage.rows} for name, passage in PASSAGES.items()}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({"passages": shown, "pairs": pairs}, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")
    print(f"{len(pairs)} pairs")


if __name__ == "__main__":
    main()
