import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { seed } from './draws.ts';

/* What the groups of hostile input have in common: which of their cases run, and how many they are. */

const root = path.join(import.meta.dirname, '../..');

const isWhole = process.env['AGON_HOSTILE'] === 'all';

export interface HostileCase {
  name: string;
  /** Whether ffmpeg reads it, which `npm test` does without. */
  needsFfmpeg?: boolean;
  run(): unknown;
}

/** The number of cases of each group as docs/security.md states it. */
export function readStatedCounts(): Map<string, number> {
  const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
  const rows = text.matchAll(/^\| \[(\w+)\]\(\.\.\/test\/hostile\/\1(?:\.long)?\.test\.ts\) \| ([\d,]+) \|/gm);
  return new Map(Array.from(rows, ([, group, count]) => [group!, Number(count!.replaceAll(',', ''))]));
}

/** A group of cases: all of them by `npm run test:hostile`, every so-manieth by `npm test`. */
export function describeHostile(
  group: string,
  cases: readonly HostileCase[],
  { every, timeoutMs }: { every: number; timeoutMs?: number },
): void {
  describe(`${group} (AGON_HOSTILE_SEED=${seed})`, () => {
    test('docs/security.md says how many cases there are, each by its own name', () => {
      expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
      expect(readStatedCounts().get(group)).toBe(cases.length);
    });
    for (const { name, run } of cases.filter(
      ({ needsFfmpeg }, index) => isWhole || (index % every === 0 && !needsFfmpeg),
    ))
      test(name, async () => void (await run()), timeoutMs);
    afterAll(() => {
      expect(Object.keys(Object.prototype), 'nothing was added to every object').toEqual([]);
    });
  });
}
