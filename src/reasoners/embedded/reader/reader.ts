import { gatherBatches, layOutTokens, openNetwork, type OpenNetwork } from '../runtime/index.ts';
import type { Vocabulary } from '../runtime/vocabulary.ts';
import { encodeRecord, sequenceRecord, type EncodedRecord, type FactRecord } from './record-sequence.ts';
import {
  encodeClaim,
  encodeSentence,
  featureCount,
  sequenceProse,
  type EncodedSentence,
  type Sequence,
} from './sequence.ts';

/** What the reader makes of a claim beside a passage: three shares that sum to one. */
export interface PassageReading {
  supports: number;
  refutes: number;
  neither: number;
}

/** Sentences, or a record. */
export type Passage = readonly string[] | FactRecord;

/** A small network that reads a claim beside a passage. */
export interface Reader {
  id: string;
  read(claim: string, passage: Passage, signal: AbortSignal): Promise<PassageReading>;
  close(): Promise<void>;
}

export const readerHeads = ['supports', 'refutes', 'neither'] as const;

/** Loads a reader from its folder, which the caller closes. */
export async function loadReader(folder: string): Promise<Reader> {
  const network = await openNetwork({ folder, manifest: 'reader.json', model: 'reader.onnx', heads: readerHeads });
  const { session, vocabulary, marks, manifest } = network;
  const read = gatherBatches((sequences: readonly Sequence[], columns) => runSequences(network, sequences, columns));
  const encodeSentences = keepEncoded(vocabulary);
  const records = new WeakMap<FactRecord, EncodedRecord>();
  const layOut = (text: string, passage: Passage): Sequence => {
    const claim = encodeClaim(text, vocabulary);
    if (!('facts' in passage)) return sequenceProse(claim, encodeSentences(passage), marks);
    const record = records.get(passage) ?? encodeRecord(passage, vocabulary);
    records.set(passage, record);
    return sequenceRecord(claim, record, marks);
  };
  return {
    id: manifest.id,
    read: async (claim, passage, signal) => toShares(await read(layOut(claim, passage), signal)),
    close: () => session.close(),
  };
}

const mostKept = 5000;

/** Sentences that many claims are held against are tokenized once. */
function keepEncoded(vocabulary: Vocabulary): (sentences: readonly string[]) => EncodedSentence[] {
  const kept = new Map<string, EncodedSentence>();
  return (sentences) => {
    if (kept.size > mostKept) kept.clear();
    return sentences.map((text) => {
      const encoded = kept.get(text) ?? encodeSentence(text, vocabulary);
      kept.set(text, encoded);
      return encoded;
    });
  };
}

async function runSequences(
  { session }: OpenNetwork,
  sequences: readonly Sequence[],
  columns: number,
): Promise<Float32Array[]> {
  const rows = sequences.length;
  const passage = new BigInt64Array(rows * columns);
  const features = new BigInt64Array(rows * columns * featureCount);
  for (const [row, sequence] of sequences.entries()) {
    const start = row * columns;
    passage.fill(1n, start + sequence.begin, start + sequence.ids.length);
    for (const [at, value] of sequence.features.entries()) features[start * featureCount + at] = BigInt(value);
  }
  const outputs = await session.run({
    inputs: { ...layOutTokens(sequences, columns), passage_mask: passage, features },
    rows,
    widths: { features: featureCount },
  });
  return sequences.map((_, row) => outputs['logits']!.slice(row * readerHeads.length, (row + 1) * readerHeads.length));
}

function toShares(logits: Float32Array): PassageReading {
  const top = Math.max(...logits);
  const raised = Array.from(logits, (logit) => Math.exp(logit - top));
  const sum = raised.reduce((total, value) => total + value, 0);
  const [supports, refutes, neither] = raised.map((value) => value / sum);
  return { supports: supports!, refutes: refutes!, neither: neither! };
}
