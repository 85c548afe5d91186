import { gatherBatches, layOutTokens, openNetwork, type OpenNetwork } from '../runtime/index.ts';
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

/** The same of sentences, with the one that moved it most towards what it says; null where none was read. */
export interface ProseReading extends PassageReading {
  strongest: number | null;
}

/** A small network that reads a claim beside sentences, or beside a record. */
export interface Reader {
  id: string;
  readProse(claim: string, sentences: readonly string[], signal: AbortSignal): Promise<ProseReading>;
  readRecord(claim: string, record: FactRecord, signal: AbortSignal): Promise<PassageReading>;
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
  const sentencesRead = new Map<string, EncodedSentence>();
  const recordsRead = new WeakMap<FactRecord, EncodedRecord>();
  return {
    id: manifest.id,
    async readProse(claim, sentences, signal) {
      const encoded = sentences.map((text) => readOnce(sentencesRead, text, () => encodeSentence(text, vocabulary)));
      const { shown, ...sequence } = sequenceProse(encodeClaim(claim, vocabulary), encoded, marks);
      const reading = await read(sequence, signal);
      const strongest = findStrongest(sequence, shown, reading);
      return { ...toShares(reading), strongest: strongest ? encoded.indexOf(strongest) : null };
    },
    async readRecord(claim, record, signal) {
      const encoded = recordsRead.get(record) ?? encodeRecord(record, vocabulary);
      recordsRead.set(record, encoded);
      return toShares(await read(sequenceRecord(encodeClaim(claim, vocabulary), encoded, marks), signal));
    },
    close: () => session.close(),
  };
}

const mostKept = 5000;

function readOnce(kept: Map<string, EncodedSentence>, text: string, encode: () => EncodedSentence): EncodedSentence {
  let found = kept.get(text);
  if (!found) {
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, (found = encode()));
  }
  return found;
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

function toShares({ logits }: RawReading): PassageReading {
  const top = Math.max(...logits);
  const raised = Array.from(logits, (logit) => Math.exp(logit - top));
  const [supports, refutes, neither] = raised.map((value) => value / raised.reduce((sum, one) => sum + one, 0));
  return { supports: supports!, refutes: refutes!, neither: neither! };
}

/** The sentence whose tokens add most to the logit of support, refutation taken off. */
function findStrongest(
  { ids, begin }: Sequence,
  shown: readonly EncodedSentence[],
  { shares }: RawReading,
): EncodedSentence | null {
  let at = begin;
  let best: { sentence: EncodedSentence; drive: number } | null = null;
  for (const sentence of shown) {
    const end = Math.min(at + sentence.ids.length, ids.length - 1);
    let drive = 0;
    for (let token = at; token < end; token += 1)
      drive += shares[token * readerHeads.length]! - shares[token * readerHeads.length + 2]!;
    if (end > at && (!best || drive > best.drive)) best = { sentence, drive };
    at = end;
  }
  return best?.sentence ?? null;
}
