import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stageRun } from '@agonhq/test/support/judged-run.ts';
import { openLedger } from '@agonhq/ledger';
import { requireRun } from './find-run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-named-'));
const ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a run is named by its id, how that begins, or its name: the newest of that name', async () => {
  await stageRun(ledger, 'run-aaaa1111', [], { name: 'nightly' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await stageRun(ledger, 'run-aaaa2222', [], { name: 'nightly' });
  await stageRun(ledger, 'run-bbbb3333', [], { name: 'run-aaaa' });
  const idOf = async (words: string) => (await requireRun(ledger, words)).id;
  expect(await idOf('run-aaaa1111')).toBe('run-aaaa1111');
  expect(await idOf('nightly')).toBe('run-aaaa2222');
  expect(await idOf('run-bb')).toBe('run-bbbb3333');
  expect(await idOf('run-aaaa')).toBe('run-bbbb3333');
  await expect(requireRun(ledger, 'run-aaa')).rejects.toMatchObject({
    code: 'ambiguous-run',
    message: expect.stringMatching(/run-aaaa2222 \(nightly\), run-aaaa1111 \(nightly\)/),
  });
  await expect(requireRun(ledger, 'run-')).rejects.toMatchObject({ code: 'unknown-run' });
  await expect(requireRun(ledger, 'weekly')).rejects.toMatchObject({
    code: 'unknown-run',
    hints: { cli: expect.stringContaining('agon runs list') },
  });
});
