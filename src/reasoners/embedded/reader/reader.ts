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
  /** The sentence or the row that spoke most for the claim; null where none was read. */
  strongest: number | null;
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

interface RawReading {
  logits: Float32Array;
  shares: Float32Array;
}

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
    async read(claim, passage, signal) {
      const sequence = layOut(claim, passage);
      const reading = await read(sequence, signal);
      return { ...toShares(reading), strongest: findStrongest(sequence, reading) };
    },
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
): Promise<RawReading[]> {
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
  const { logits, shares } = outputs as Record<'logits' | 'shares', Float32Array>;
  const heads = readerHeads.length;
  return sequences.map(({ ids }, row) => ({
    logits: logits.slice(row * heads, (row + 1) * heads),
    shares: shares.slice(row * columns * heads, (row * columns + ids.length) * heads),
  }));
}

function toShares({ logits }: RawReading): Omit<PassageReading, 'strongest'> {
  const top = Math.max(...logits);
  const raised = Array.from(logits, (logit) => Math.exp(logit - top));
  const sum = raised.reduce((total, value) => total + value, 0);
  const [supports, refutes, neither] = raised.map((value) => value / sum);
  return { supports: supports!, refutes: refutes!, neither: neither! };
}

/** The part of the passage whose tokens add most to support, less what they add to *neither*. */
function findStrongest({ ids, begin, parts }: Sequence, { shares }: RawReading): number | null {
  const [supports, neither] = [readerHeads.indexOf('supports'), readerHeads.indexOf('neither')];
  let at = begin;
  let best: { index: number; drive: number } | null = null;
  for (const { index, length } of parts) {
    const end = Math.min(at + length, ids.length - 1);
    let drive = 0;
    for (let token = at * readerHeads.length; token < end * readerHeads.length; token += readerHeads.length)
      drive += shares[token + supports]! - shares[token + neither]!;
    if (index !== null && end > at && (!best || drive > best.drive)) best = { index, drive };
    at = end;
  }
  return best?.index ?? null;
}
