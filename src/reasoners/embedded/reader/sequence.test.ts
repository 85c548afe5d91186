import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../../package-folder.ts';
import { readTokenizer } from '../runtime/vocabulary.ts';
import fixtures from './reader-pairs.json' with { type: 'json' };
import { encodeRecord, sequenceRecord, type FactRecord } from './record-sequence.ts';
import {
  encodeClaim,
  encodeSentence,
  featureCount,
  longestSequence,
  sequenceProse,
  type Sequence,
} from './sequence.ts';

const file = join(packageFolder(import.meta.dirname), 'models', 'reader-1', 'tokenizer.json');
const vocabulary = readTokenizer(JSON.parse(await readFile(file, 'utf8')), file);
const marks = { start: vocabulary.ids.get('[CLS]')!, separator: vocabulary.ids.get('[SEP]')! };
const passages = fixtures.passages as unknown as Record<string, string[] | FactRecord>;

function sequence(claim: string, passage: string[] | FactRecord): Sequence {
  const encoded = encodeClaim(claim, vocabulary);
  return Array.isArray(passage)
    ? sequenceProse(
        encoded,
        passage.map((text) => encodeSentence(text, vocabulary)),
        marks,
      )
    : sequenceRecord(encoded, encodeRecord(passage, vocabulary), marks);
}

describe('a claim beside a passage', () => {
  it.each(fixtures.pairs)('is laid out as in training: $claim', ({ claim, passage, begin, ids, features }) => {
    const found = sequence(claim, passages[passage]!);
    expect(found.ids).toEqual(ids);
    expect(found.begin).toBe(begin);
    const marked = found.ids.flatMap((_, at) => {
      const own = found.features.slice(at * featureCount, (at + 1) * featureCount);
      return own.some((value) => value !== 0) ? [[at, ...own]] : [];
    });
    expect(marked).toEqual(features);
  });

  it('never grows beyond what was trained', () => {
    const sentence = `${'word '.repeat(2000)}.`;
    const { ids, features } = sequence(sentence, [sentence, sentence]);
    expect(ids).toHaveLength(longestSequence);
    expect(features).toHaveLength(longestSequence * featureCount);
  });
});
