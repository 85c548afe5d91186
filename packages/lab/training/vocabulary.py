"""A vocabulary for other scripts beside the base's own, and the parallel sentences in it.

python3 packages/lab/training/vocabulary.py ROWS.jsonl.gz PARALLEL.jsonl.gz BASE/tokenizer.json OUT-FOLDER [--pieces 48000]

WordPiece, lower case, accents kept. Writes tokenizer.json and parallel.npz: of each pair the English tokens by the
base's vocabulary and by the new one, and the other side's; and of each new piece what the base's vocabulary makes of
it. Pieces are learnt from texts of all languages alike: a language with ten times the text does not get ten times the
pieces. Sentences of sets that are measured (--without) stay out of the pairs.
"""

import argparse
import gzip
import json
import os
import unicodedata

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from other_languages import own_texts
from prepare import allowed

LONGEST = 96
MOST_LETTERS = 1_500_000
# Our own sentences are few and hold the words of harm, which the others lack.
OWN_TIMES = 4


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def nfc(text):
    return unicodedata.normalize("NFC", text)


def sample(rows, pairs):
    """Texts of each language up to so many letters; English has its pieces already."""
    letters = {}
    for lang, text in [*((pair["lang"], pair["xx"]) for pair in pairs), *((row["lang"], row["text"]) for row in rows if "text" in row)]:
        if lang != "en" and letters.get(lang, 0) < MOST_LETTERS:
            letters[lang] = letters.get(lang, 0) + len(text)
            yield nfc(text[:1000])


def learn(texts, base, pieces):
    old = json.load(open(base, encoding="utf-8"))["model"]["vocab"]
    normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True)
    learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learner.normalizer, learner.pre_tokenizer = normalizer, pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=pieces + 24_000, min_frequency=3, limit_alphabet=7000, show_progress=False, special_tokens=["[UNK]"])
    learner.train_from_iterator(texts, trainer)
    found = sorted(learner.get_vocab().items(), key=lambda item: item[1])
    fresh = [piece for piece, _ in found if piece not in old][:pieces]
    vocab = {**old, **{piece: len(old) + n for n, piece in enumerate(fresh)}}
    tokenizer = Tokenizer(models.WordPiece(vocab=vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizers.BertPreTokenizer()
    marks = [(mark, vocab[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    return tokenizer


def packed(tokenizer, texts, name, marks=True):
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    slices = (texts[start : start + 50_000] for start in range(0, len(texts), 50_000))
    found = [encoding.ids for some in slices for encoding in tokenizer.encode_batch_fast(some, add_special_tokens=marks)]
    flat = np.concatenate([np.array(ids, dtype=np.uint32) for ids in found])
    return {f"{name}_ids": flat.astype(np.uint16) if flat.max() < 65536 else flat, f"{name}_lengths": np.array([len(ids) for ids in found], dtype=np.uint8)}


def main():
    parser = argparse.ArgumentParser()
    for name in ("rows", "parallel", "base", "out"):
        parser.add_argument(name)
    parser.add_argument("--pieces", type=int, default=48_000)
    parser.add_argument("--without", default="xsafety (safety)")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    pairs = [pair for pair in read(args.parallel) if pair["source"] not in args.without.split(",") and allowed(pair) == -1]
    own = [{"lang": text["lang"], "en": text["english"], "xx": text["text"]} for text in own_texts()] * OWN_TIMES
    rows = (row for row in read(args.rows) if row["lang"] != "en" and row["fold"] != -2)
    tokenizer = learn(sample(rows, own + pairs), args.base, args.pieces)
    tokenizer.save(os.path.join(args.out, "tokenizer.json"))
    pairs += own
    english, other = ([nfc(pair[side]) for pair in pairs] for side in ("en", "xx"))
    langs = sorted({pair["lang"] for pair in pairs})
    base = Tokenizer.from_file(args.base)
    vocab = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    fresh = [piece.removeprefix("##") for piece, _ in vocab[base.get_vocab_size() :]]
    arrays = {**packed(base, english, "taught"), **packed(tokenizer, english, "english"), **packed(tokenizer, other, "other"), **packed(base, fresh, "fresh", False)}
    np.savez_compressed(os.path.join(args.out, "parallel.npz"), **arrays, lang=np.array([langs.index(pair["lang"]) for pair in pairs], dtype=np.uint8), langs=np.array(langs))
    print(f"{len(pairs)} pairs, {arrays['english_lengths'].mean():.1f} tokens of English and {arrays['other_lengths'].mean():.1f} of the others a sentence")


if __name__ == "__main__":
    main()
