"""Pairs of a clause and a text, for the head that reads both: does the text break the clause?

Read like an exchange: the clause stands where the prompt does, the text where the response does. Written clauses come
from contrast/clauses.jsonl and the default policy; topics of collections that name them serve as further clauses ("No
horse racing."), said in many ways, with texts of another topic as what the clause has nothing to do with.
"""

import hashlib
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
PHRASES = [
    "No {}.",
    "No talk about {}.",
    "{} is not allowed here.",
    "Posts about {} are forbidden.",
    "Do not write about {}.",
    "nothing on {}",
    "Users must not ask about {}.",
    "Anything to do with {}.",
    "Our assistant does not discuss {}.",
    "Avoid the subject of {}.",
    "{}",
]
# Kinds of everyday texts that are about something, in the words of somebody who does not want it.
TOPICS = {
    "medical": ["medical advice", "health and diseases", "symptoms and treatments", "medicine"],
    "politics": ["politics", "parties and elections", "political opinions", "government policy"],
    "finance": ["financial advice", "money and investments", "prices and markets", "banking"],
    "legal": ["legal advice", "laws and courts", "legal matters"],
    "religion": ["religion", "faith and scripture", "religious topics"],
    "recipe": ["recipes", "cooking", "food preparation"],
    "math": ["mathematics", "sums and equations", "homework in maths"],
    "code": ["source code", "programming", "code snippets"],
    "movies": ["films and series", "movie talk", "spoilers of films"],
    "security": ["computer security", "hacking and malware", "vulnerabilities"],
    "science": ["science questions", "physics, chemistry or biology"],
    "review": ["product reviews", "opinions on products", "ratings and recommendations"],
    "commit_message": ["changes to software", "commit messages"],
    "support_ticket": ["requests for support", "complaints about orders and accounts"],
    "fiction": ["fiction", "novels and stories"],
    "news": ["news reports", "current events"],
    "identity_statement": ["where people come from or what they believe", "personal identity"],
}
OFTEN = 900


def say(topic, random):
    said = PHRASES[random.integers(len(PHRASES))].format(topic)
    return said[0].upper() + said[1:] if random.random() < 0.7 else said


def half_of(clause):
    return int(hashlib.sha256(f"clause {clause}".encode()).hexdigest(), 16) % 2


def clause_rows(exchange, read, allowed, random):
    yield from written_rows(exchange)
    by_topic = {}
    for item in read("train/harm-texts.jsonl.gz"):
        if item["source"] == "AART" and item["lang"] == "en":
            by_topic.setdefault(item["category"].removeprefix("prompt:"), []).append(item["text"])
    names = {topic: [topic] for topic in by_topic}
    for item in read("train/benign-texts.jsonl.gz"):
        kind = item["kind"]
        if kind in TOPICS and item["lang"] == "en" and allowed(item) == -1 and len(by_topic.setdefault(kind, [])) < OFTEN:
            by_topic[kind].append(item["text"][:600])
            names[kind] = TOPICS[kind]
    topics = sorted(by_topic)
    for topic in topics:
        for text in by_topic[topic]:
            other = topics[random.integers(len(topics))]
            pick = lambda wanted: names[wanted][random.integers(len(names[wanted]))]
            yield exchange(say(pick(topic), random), text, {"clause": 1}, 0.5, "topics")
            if other != topic:
                yield exchange(say(pick(other), random), text, {"clause": 0}, 0.5, "topics")


def written_rows(exchange):
    """Each clause with what breaks it, what comes near, and what breaks another; whole clauses belong to a fold."""
    with open(os.path.join(HERE, "contrast", "clauses.jsonl"), encoding="utf-8") as file:
        written = [json.loads(line) for line in file]
    for number, item in enumerate(written):
        fold, other = half_of(item["clause"]), written[(number * 7 + 3) % len(written)]
        # What breaks another clause may well break this one, so it counts little.
        for label, texts, weight in ((1, item["violates"], 3.0), (0, item["allowed"], 3.0), (0, other["violates"] if other is not item else [], 1.0)):
            for at, text in enumerate(texts):
                key = f"clause-{number}-{label}-{weight:.0f}-{at}"
                yield exchange(item["clause"], text, {"clause": label}, weight, "clauses", fold=fold, key=key)
