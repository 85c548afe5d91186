import { readItemLines, openLines, readSafetyLabel } from '@agonhq/engine/items';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { noUsage, type SafetyLabel } from '@agonhq/engine/debate';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import type { SystemEntry } from '../system-entry.ts';
import type { ItemPlace } from '../system.ts';
import type { ExternalSystem } from './external-system.ts';

/** What a file of predictions holds about one item. */
export interface Prediction<Label> {
  label: Label;
  score: number | null;
  probability: number | null;
  costUsd: number | null;
  latencyMs: number | null;
  /** Where it stands in its file. */
  line: number;
}

type Place = Pick<ItemPlace, 'line'> & { id?: string | null };

/** What somebody else's system said of each item, read from a file. */
export interface Predictions<Label> {
  name: string;
  /** Changes with the file. */
  configuration: string;
  size: number;
  predict(place: Place): Prediction<Label> | undefined;
  /** What a reader of the tables must know: items without a prediction, predictions of no item, repetitions. */
  notes(items: readonly Place[]): string[];
}

const number = z.number().nullish();
const lineSchema = z.object({
  id: z.union([z.string().min(1), z.number()]).nullish(),
  line: z.int().positive().nullish(),
  label: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  prediction: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  score: number,
  probability: z.number().min(0).max(1).nullish(),
  cost: z.number().min(0).nullish(),
  costUsd: z.number().min(0).nullish(),
  latency: z.number().min(0).nullish(),
  latencyMs: z.number().min(0).nullish(),
});

const example = '{"id":"1","label":"unsafe","score":0.93}';

/** Predictions of `safe`, `unsafe` or `undecided`, as labels of data write them. */
export const safetyPredictions: PredictionReading<SafetyLabel> = {
  read: (label) => (label.trim().toLowerCase() === 'undecided' ? 'undecided' : readSafetyLabel(label)),
  labels: 'safe, unsafe (harmful/unharmful, 1/0, true/false) or undecided',
};

/** `predictions:NAME=FILE.jsonl`, taken apart. */
export function readPredictionsName(name: string): { called: string; file: string } {
  const rest = name.slice('predictions:'.length);
  const at = rest.indexOf('=');
  if (at < 1 || at === rest.length - 1)
    throw badFlag(`${name} does not say whose predictions stand in which file.`, 'Write predictions:NAME=FILE.jsonl.');
  return { called: rest.slice(0, at), file: rest.slice(at + 1) };
}

/** Opens what an entry `predictions:NAME=FILE` names; tables call it by the entry's name where that is another. */
export async function openNamedPredictions<Label extends string>(
  { name, system }: SystemEntry,
  reading: PredictionReading<Label>,
) {
  const { called, file } = readPredictionsName(system);
  const predictions = await openPredictions(file, name === system ? called : name, reading);
  return {
    predictions,
    about: { name: predictions.name, kind: 'external', models: [], of: null, rounds: null, notesOn: predictions.notes },
  } as const;
}

export interface PredictionReading<Label> {
  read(label: string): Label | undefined;
  /** For the hint. */
  labels: string;
}

/** Reads a file of predictions whole, one JSON object a line; what is wrong with it is said with its line. */
export async function openPredictions<Label extends string>(
  file: string,
  name: string,
  reading: PredictionReading<Label>,
): Promise<Predictions<Label>> {
  const byId = new Map<string, Prediction<Label>>();
  const byLine = new Map<number, Prediction<Label>>();
  let repeated = 0;
  const hash = createHash('sha256');
  const input = await openLines(file);
  for await (const entry of readItemLines(hashing(input, hash), (value) => readPrediction(value, reading), example)) {
    if ('error' in entry) throw broken(file, entry.line, entry.error);
    const { id, at, ...said } = entry.item;
    const prediction = { ...said, line: entry.line };
    const before = id === undefined ? byLine.get(at!) : byId.get(id);
    if (before && before.label !== prediction.label)
      throw contradiction(file, id === undefined ? `line ${at}` : `the id ${JSON.stringify(id)}`, before, prediction);
    if (before) repeated += 1;
    else if (id === undefined) byLine.set(at!, prediction);
    else byId.set(id, prediction);
  }
  if (byId.size + byLine.size === 0)
    throw new AgonError(
      'empty-data',
      `${file} holds no predictions.`,
      `Each line is one prediction, for example ${example}.`,
    );
  const predict = ({ id, line }: Place) =>
    (id === undefined || id === null ? undefined : byId.get(id)) ?? byLine.get(line);
  return {
    name,
    configuration: `sha256:${hash.digest('hex')}`,
    size: byId.size + byLine.size,
    predict,
    notes(items) {
      const found = new Set(items.flatMap((item) => predict(item) ?? []));
      const missing = items.filter((item) => !predict(item)).length;
      const unknown = byId.size + byLine.size - found.size;
      const of = path.basename(file);
      return [
        ...(missing > 0
          ? [`${name}: ${missing} of ${items.length} items have no prediction in ${of}; they count as failed.`]
          : []),
        ...(unknown > 0
          ? [
              `${name}: ${unknown} ${unknown === 1 ? 'prediction' : 'predictions'} in ${of} belong to no item of ` +
                'the data.',
            ]
          : []),
        ...(repeated > 0
          ? [
              `${name}: ${repeated} ${repeated === 1 ? 'prediction' : 'predictions'} in ${of} came again with the ` +
                'same label; the first counts.',
            ]
          : []),
      ];
    },
  };
}

async function* hashing(
  input: AsyncIterable<string | Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<string | Uint8Array, void, void> {
  for await (const chunk of input) {
    hash.update(chunk);
    yield chunk;
  }
}

function readPrediction<Label>(value: unknown, { read, labels }: PredictionReading<Label>) {
  const parsed = lineSchema.safeParse(value);
  const wrong = (message: string) =>
    new AgonError(
      'broken-line',
      message,
      `A prediction has "id" (or "line") and "label" (or "prediction"): ${labels}; and where it is known "score" ` +
        'or "probability", "costUsd", "latencyMs".',
    );
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(`The prediction is not readable: ${issue!.path.join('.') || 'it'}: ${issue!.message}.`);
  }
  const { id, line, score, probability, cost, costUsd, latency, latencyMs } = parsed.data;
  const given = parsed.data.label ?? parsed.data.prediction;
  if ((id === null || id === undefined) && (line === null || line === undefined))
    throw wrong('The prediction says neither the id nor the line of its item.');
  if (given === null || given === undefined) throw wrong('The prediction has no label.');
  const label = read(String(given));
  if (label === undefined) throw wrong(`The label ${JSON.stringify(String(given).slice(0, 80))} is not known.`);
  return {
    ...(id === null || id === undefined ? { at: line! } : { id: String(id) }),
    label,
    score: score ?? probability ?? null,
    probability: probability ?? null,
    costUsd: costUsd ?? cost ?? null,
    latencyMs: latencyMs ?? latency ?? null,
  } as { id?: string; at?: number } & Omit<Prediction<Label>, 'line'>;
}

function broken(file: string, line: number, error: AgonError): AgonError {
  return new AgonError('broken-predictions', `${file}:${line}: ${error.message}`, error.hint, { cause: error });
}

function contradiction(file: string, what: string, first: Prediction<string>, second: Prediction<string>): AgonError {
  return new AgonError(
    'broken-predictions',
    `${file} predicts ${what} twice: ${first.label} on line ${first.line}, ${second.label} on line ${second.line}.`,
    'An item has one prediction; take out the wrong one.',
  );
}

/** A system that says what its file says. */
export function predictedSystem<Subject, Label extends string>(
  predictions: Predictions<Label>,
): ExternalSystem<Subject, Label> {
  return {
    name: predictions.name,
    kind: 'external',
    models: [],
    configuration: predictions.configuration,
    notes: predictions.notes,
    async judge(_subject, _signal, place) {
      const prediction = predictions.predict(place);
      if (!prediction)
        throw new AgonError(
          'no-prediction',
          `There is no prediction of ${predictions.name} for this item.`,
          'Items without a prediction count as failed; add them to the file of predictions.',
        );
      const { label, score, probability, costUsd, latencyMs } = prediction;
      // What an item cost, and how long it took, is not known unless its file says so.
      return { label, score, probability, usage: { ...noUsage, costUsd }, latencyMs };
    },
    spent: () => noUsage,
    close: async () => {},
  };
}
