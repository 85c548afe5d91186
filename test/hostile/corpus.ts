import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AgonError } from '../../src/errors.ts';
import { randomNumbers } from '../../src/statistics/index.ts';
import { sampleCases } from '../support/slow.ts';

/* What the groups of hostile input have in common: their seed, what a refusal looks like, how many they are. */

const root = path.join(import.meta.dirname, '../..');

/** Generated cases follow from it: the one that a failure names makes the same cases again. */
export const seed = Number(process.env['AGON_HOSTILE_SEED'] ?? 1);

/** Draws that follow from the seed and from what they are for. */
export interface Draws {
  /** A number from 0 to below `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function drawFor(purpose: string, from = seed): Draws {
  let state = from >>> 0;
  for (const character of purpose) state = (Math.imul(state ^ character.codePointAt(0)!, 0x01000193) + 1) >>> 0;
  const random = randomNumbers(state);
  const below = (end: number) => Math.floor(random() * end);
  return { below, pick: (items) => items[below(items.length)]! };
}

export interface HostileCase {
  name: string;
  run(): unknown;
}

/** The number of cases of each group as docs/security.md states it. */
export function readStatedCounts(): Map<string, number> {
  const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
  const rows = text.matchAll(/^\| \[(\w+)\]\(\.\.\/test\/hostile\/\1\.test\.ts\) \| ([\d,]+) \|/gm);
  return new Map(Array.from(rows, ([, group, count]) => [group!, Number(count!.replaceAll(',', ''))]));
}

/** A group of cases: all of them by `npm run test:hostile`, every so-manieth by `npm test`. */
export function describeHostile(group: string, cases: readonly HostileCase[], { every }: { every: number }): void {
  describe(`${group} (AGON_HOSTILE_SEED=${seed})`, () => {
    test('docs/security.md says how many cases there are, each by its own name', () => {
      expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
      expect(readStatedCounts().get(group)).toBe(cases.length);
    });
    for (const { name, run } of sampleCases(cases, every))
      test(name, async () => {
        await run();
      });
    afterAll(() => {
      expect(Object.keys(Object.prototype), 'nothing was added to every object').toEqual([]);
    });
  });
}

const machine = [root, tmpdir(), homedir(), 'node_modules'];

/** A refusal is a code of the catalogue, one line and a hint, and tells nothing of the machine. */
export function expectRefusal(error: unknown): AgonError {
  if (!AgonError.is(error)) throw new Error(`Not refused, but failed: ${String(error)}`, { cause: error });
  const { code, message, hint } = error;
  expect(code).toMatch(/^[a-z][a-z0-9-]+$/);
  expect(message).toMatch(/\S/);
  expect(message.length, message.slice(0, 200)).toBeLessThan(4_000);
  expect(hint).toMatch(/\S/);
  // oxlint-disable-next-line no-control-regex -- what a terminal would obey
  expect(message).not.toMatch(/[\n\u0000-\u0008\u000b-\u001f\u007f-\u009f]|^\s+at |\bat .*\.[jt]s:\d+/);
  for (const place of machine) expect(message).not.toContain(place);
  return error;
}

/** It is read, or refused as above: anything else that is thrown is a failure. */
export async function readOrRefuse(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    return expectRefusal(error).code;
  }
}
