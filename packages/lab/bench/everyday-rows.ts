import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sha256 } from '@agonhq/engine/hash';

/* The everyday suite of packages/lab/bench/everyday: its rows, and a sample of them that is the same each time. */

const common = { id: z.string(), category: z.string(), label: z.enum(['safe', 'unsafe']), neighbour: z.string() };
const rowSchemas = {
  texts: z.strictObject({ ...common, text: z.string().min(1) }),
  exchanges: z.strictObject({ ...common, prompt: z.string().min(1), response: z.string().min(1) }),
};
export type EverydayPart = keyof typeof rowSchemas;
export const everydayParts = ['texts', 'exchanges'] as const satisfies readonly EverydayPart[];

export type EverydayText = z.infer<typeof rowSchemas.texts>;
export type EverydayExchange = z.infer<typeof rowSchemas.exchanges>;
export type EverydayRow = EverydayText | EverydayExchange;

/** A harmless row and the harmful one that differs from it in little. */
export interface EverydayPair<Row extends EverydayRow = EverydayRow> {
  kind: string;
  safe: Row;
  unsafe: Row;
}

export const everydayFolder = path.join(import.meta.dirname, 'everyday');

export async function readEverydayTexts(): Promise<EverydayPair<EverydayText>[]> {
  return pairRows(z.array(rowSchemas.texts).parse(await readLines('texts')));
}

export async function readEverydayExchanges(): Promise<EverydayPair<EverydayExchange>[]> {
  return pairRows(z.array(rowSchemas.exchanges).parse(await readLines('exchanges')));
}

async function readLines(part: EverydayPart): Promise<unknown[]> {
  const content = await readFile(path.join(everydayFolder, `${part}.jsonl`), 'utf8');
  return content
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

function pairRows<Row extends EverydayRow>(rows: readonly Row[]): EverydayPair<Row>[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.flatMap((safe) => {
    const unsafe = byId.get(safe.neighbour);
    if (unsafe?.neighbour !== safe.id || unsafe.label === safe.label || unsafe.category !== safe.category)
      throw new Error(`${safe.id} and its neighbour ${safe.neighbour} are no pair.`);
    return safe.label === 'safe' ? [{ kind: safe.category, safe, unsafe }] : [];
  });
}

/** So many pairs, as many of each kind as can be; which of a kind is drawn by the hash of its id. */
export function samplePairs<Row extends EverydayRow>(
  pairs: readonly EverydayPair<Row>[],
  most: number,
): EverydayPair<Row>[] {
  const byHash = pairs.map((pair) => ({ pair, hash: sha256(pair.safe.id) }));
  byHash.sort((one, other) => (one.hash < other.hash ? -1 : 1));
  const drawn = byHash.map(({ pair }) => pair);
  const kinds = [...Map.groupBy(drawn, ({ kind }) => kind).values()];
  const rounds = Math.max(0, ...kinds.map(({ length }) => length));
  const inTurn = Array.from({ length: rounds }, (_, round) => kinds.flatMap((kind) => kind[round] ?? []));
  return inTurn.flat().slice(0, most);
}
