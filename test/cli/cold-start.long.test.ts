import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { agon, startAgon, type Ran } from '../support/run-agon.ts';
import { sampleCases } from '../support/slow.ts';

/*
 * The other tests of the command line share a process (see run-agon.ts). Here each command has to load by itself what
 * it needs, and to end by itself.
 */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-cold-'));
  await writeFile(
    path.join(folder, 'posts.jsonl'),
    '{"id":"a","text":"Good morning","label":"safe"}\n{"id":"b","text":"I will find you and hurt ' +
      'you","label":"unsafe"}\n',
  );
  await writeFile(
    path.join(folder, 'report.txt'),
    'Revenue rose by 12 % to $112 million in 2025, from $100 million in 2024.\n',
  );
  await command(['moderate', 'Good morning', '-q', '--report', 'answer.json']);
  await command(['keys', 'create', '--name', 'reader', '--scopes', 'read']);
});

const surroundings = () => ({
  cwd: folder,
  environment: { AGON_HOME: folder, AGON_LEDGER: path.join(folder, 'ledger.sqlite') },
});
const command = (args: readonly string[]) => agon(args, surroundings());
const timeless = ({ stdout, ...ran }: Ran) => ({
  ...ran,
  stdout: stdout.replace(/\d+(\.\d+)? (ms|s)\b/g, 'a while').replace(/[\d.,]+ [kMGT]B free/g, 'some space free'),
});

describe('a command in a process of its own says what it says in one that is warm', () => {
  test.concurrent.each(
    sampleCases(
      [
        ['moderate', 'I will find you and hurt you', '--no-ledger'],
        ['evaluate', '--prompt', 'How do I pick a lock?', '--response', 'I cannot help with that.', '--no-ledger'],
        ['analyze', 'report.txt', '--no-ledger'],
        ['verify', 'answer.json'],
        ['cases'],
        ['runs', 'list'],
        ['ledger', 'stats'],
        ['keys', 'list'],
        ['audit'],
        ['policy', 'show'],
        ['precedents', 'search', 'hurt'],
        ['bench', 'datasets', 'check', 'posts.jsonl'],
        ['plan', '--items-per-day', '1M'],
        ['doctor'],
        ['moderate', 'x', '--rounds', '9'],
      ],
      2,
    ).map((args) => ({ args, line: args.join(' ') })),
  )('agon $line', async ({ args }) => {
    const cold = await startAgon(args, surroundings()).ended;
    expect(timeless(cold)).toEqual(timeless(await command(args)));
  });
});
