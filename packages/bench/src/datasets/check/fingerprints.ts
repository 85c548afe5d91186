import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { packageFolder } from '@agonhq/engine/package-folder';
import { splitPlainWords } from '@agonhq/engine/text';

/** Models that ship with a list of what they were trained on. */
const fingerprintedModels = ['guard-2'] as const;

/**
 * The texts that a model was trained on, as fingerprints: whether a text is among them can be told, and nothing else.
 */
export interface TrainingFingerprints {
  model: string;
  texts: number;
  /** By the fingerprint of a normalised text. */
  holds(fingerprint: number): boolean;
}

/*
 * The file of a model: the first five bytes of each fingerprint, in order. How many begin with which two bytes stands
 * in front, so that of each only the other three are written.
 */
const shelves = 65_536;
const restBytes = 3;

/** Fingerprints as the file of a model holds them. */
export function packFingerprints(fingerprints: Iterable<number>): Buffer {
  const sorted = Float64Array.from(new Set(Array.from(fingerprints, shorten))).sort();
  const packed = Buffer.alloc(shelves + sorted.length * restBytes);
  for (const [index, fingerprint] of sorted.entries()) {
    const [shelf, rest] = split(fingerprint);
    packed.writeUInt8(packed.readUInt8(shelf) + 1, shelf);
    packed.writeUIntBE(rest, shelves + index * restBytes, restBytes);
  }
  return packed;
}

/** Without the last of its six bytes. */
function shorten(fingerprint: number): number {
  return Math.floor(fingerprint / 256);
}

function split(shortened: number): [shelf: number, rest: number] {
  return [Math.floor(shortened / 2 ** 24), shortened % 2 ** 24];
}

export function trainedOn(model: string, packed: Buffer): TrainingFingerprints {
  const ends: number[] = [];
  let texts = 0;
  for (const count of packed.subarray(0, shelves)) ends.push((texts += count));
  if (packed.length !== shelves + texts * restBytes)
    throw new AgonError('broken-model', `The list of what ${model} was trained on is damaged.`, 'Install Agon again.');
  return {
    model,
    texts,
    holds(fingerprint) {
      const [shelf, wanted] = split(shorten(fingerprint));
      for (let index = ends[shelf - 1] ?? 0; index < ends[shelf]!; index += 1)
        if (packed.readUIntBE(shelves + index * restBytes, restBytes) === wanted) return true;
      return false;
    },
  };
}

/** What the shipped models were trained on; a model whose list does not ship is left out. */
export async function loadTrainingFingerprints(): Promise<TrainingFingerprints[]> {
  const folder = join(packageFolder(import.meta.dirname), 'models');
  const found = await Promise.all(
    fingerprintedModels.map(async (model) => {
      try {
        return trainedOn(model, await readFile(join(folder, model, 'trained-on.bin')));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    }),
  );
  return found.filter((one) => one !== null);
}

/**
 * The words of a text, without case, marks and white space. Where there are none (emoji, marks), the text itself is
 * one.
 */
export function splitIntoWords(text: string): string[] {
  const words = splitPlainWords(text);
  if (words.length > 0) return words;
  const rest = text.trim();
  return rest === '' ? [] : [rest];
}

/** A text as it is compared: its words in order. */
export function normalizeText(text: string): string {
  return splitIntoWords(text).join(' ');
}

/**
 * The first bytes of the hash of a normalised text that make its fingerprint: a whole number that a `number` holds
 * exactly.
 */
const fingerprintBytes = 6;

export function fingerprintText(normalisedText: string): number {
  return Buffer.from(hash('sha256', normalisedText, 'buffer')).readUIntBE(0, fingerprintBytes);
}

/**
 * Which line first held a fingerprint and what it was labelled, for many millions of lines: a Map of so many would
 * not fit.
 */
export interface FingerprintTable {
  /** The line and label that came first with this fingerprint, or null when this one is it. */
  first(fingerprint: number, line: number, label: number): { line: number; label: number } | null;
  /** The line that came first with this fingerprint. */
  lineOf(fingerprint: number): number | null;
  readonly size: number;
}

export function createFingerprintTable(capacity = 1 << 12): FingerprintTable {
  let room = capacity;
  // Zero is an empty place: fingerprints are kept one higher.
  let keys = new Float64Array(room);
  let lines = new Uint32Array(room);
  let labels = new Uint8Array(room);
  let size = 0;

  const placeOf = (fingerprint: number): number => {
    let at = fingerprint % room;
    while (keys[at] !== 0 && keys[at] !== fingerprint + 1) at = at + 1 === room ? 0 : at + 1;
    return at;
  };
  const grow = () => {
    const [oldKeys, oldLines, oldLabels] = [keys, lines, labels];
    room = room * 2 + 1;
    [keys, lines, labels] = [new Float64Array(room), new Uint32Array(room), new Uint8Array(room)];
    for (const [index, key] of oldKeys.entries()) {
      if (key === 0) continue;
      const at = placeOf(key - 1);
      keys[at] = key;
      lines[at] = oldLines[index]!;
      labels[at] = oldLabels[index]!;
    }
  };

  return {
    get size() {
      return size;
    },
    lineOf(fingerprint) {
      const at = placeOf(fingerprint);
      return keys[at] === 0 ? null : lines[at]!;
    },
    first(fingerprint, line, label) {
      const at = placeOf(fingerprint);
      if (keys[at] !== 0) return { line: lines[at]!, label: labels[at]! };
      keys[at] = fingerprint + 1;
      lines[at] = line;
      labels[at] = label;
      size += 1;
      if (size * 10 > room * 7) grow();
      return null;
    },
  };
}
