import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ana, margin, report, secondEdition } from '../support/corrected-report.ts';
import { agon } from '../support/run-agon.ts';

/* An analyst corrects a claim by command, and later analyses remember it. */

interface Analysed {
  id: string;
  claims: { subject: { id: string; text: string }; verdict: { label: string; rule: { id: string } } }[];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agon-corrections-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) =>
  agon(args, { cwd: folder, environment: { AGON_HOME: folder, AGON_LEDGER: path.join(folder, 'ledger.sqlite') } });

async function analyse(name: string, text: string) {
  writeFileSync(path.join(folder, name), text);
  const { stdout } = await run('analyze', name, '--json');
  const analysis = JSON.parse(stdout) as Analysed;
  return {
    id: analysis.id,
    claim: analysis.claims.find(({ subject }) => subject.text.startsWith(margin.slice(0, 20)))!,
  };
}

test('a correction is recorded, listed, remembered and withdrawn', async () => {
  const { id, claim } = await analyse('report.md', report);
  expect(claim.verdict.label).toBe('contradicted');
  const of = claim.subject.id;

  const added = await run(
    'corrections',
    'add',
    id,
    of,
    '--label',
    'supported',
    '--why',
    ana.why,
    '--by',
    ana.by,
    '--json',
  );
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const correction = JSON.parse(added.stdout) as { id: string };
  expect(correction).toMatchObject({
    claim: of,
    verdict: 'contradicted',
    label: 'supported',
    by: ana.by,
    withdrawn: null,
  });
  expect((await run('corrections', 'list')).stdout).toContain(ana.why);
  expect((await run('show', id)).stdout).toContain(ana.by);

  const remembered = await analyse('report.md', report);
  expect(remembered.claim.verdict).toMatchObject({ label: 'supported', rule: { id: 'corrected' } });
  const edition = await analyse('report.md', secondEdition);
  expect(edition.claim.verdict, 'on other evidence the label stays').toMatchObject({
    label: 'contradicted',
    confidence: 0.5,
  });

  expect(await run('corrections', 'withdraw', correction.id, '--why', 'I misread the table.')).toMatchObject({
    code: 0,
  });
  expect((await run('corrections', 'list', '--json')).stdout).toBe('');
  expect((await analyse('report.md', report)).claim.verdict.label).toBe('contradicted');
});

test.each([
  [['add', 'docs-0000000000000000', '1', '--label', 'supported', '--why', 'x'], /docs-0000000000000000/],
  [['withdraw', 'cor-0000000000000000'], /cor-0000000000000000/],
])('a mistake is told in one line with a hint: %j', async (args, message) => {
  const { code, stdout, stderr } = await run('corrections', ...args);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
});
