import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { holdCase, openedCase } from '../support/ledger-cases.ts';
import { openNewLedger } from '../support/new-ledger.ts';
import { agon, oneLine } from '../support/run-agon.ts';
async function makePlace() {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-care-'));
  const at = (name: string) => path.join(folder, name);
  const environment = { AGON_HOME: at('home') };
  const run = (...args: string[]) => agon(args, { cwd: folder, environment });
  return { folder, at, environment, run };
}

async function makeLedger(file: string, cases = 2): Promise<void> {
  const ledger = await openNewLedger(file);
  for (let number = 1; number <= cases; number += 1)
    await holdCase(ledger, openedCase(`case-${number}`, { context: { author: `user-${number}` } }));
  await ledger.close();
}

test('a ledger and its key are backed up, and are whole on another machine', async () => {
  const { at, run, environment } = await makePlace();
  const ledger = ['--ledger', at('ledger.sqlite')];
  await makeLedger(at('ledger.sqlite'));
  await run('ledger', 'checkpoint', '--out', at('kept.json'), ...ledger);
  await writeFile(at('passphrase'), 'correct horse battery staple\n');
  const made = await run(
    'ledger',
    'backup',
    '--out',
    at('all.backup'),
    '--with-key',
    '--passphrase-file',
    at('passphrase'),
    ...ledger,
  );
  expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Wrote \d+ rows to .+ bytes\)\.\n$/) });
  expect((await stat(at('all.backup'))).mode & 0o777).toBe(0o600);
  const keyless = await run('ledger', 'backup', '--out', at('x.backup'), '--with-key', ...ledger);
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringMatching(oneLine) });

  const other = { cwd: at('.'), environment: { AGON_HOME: at('other-home') } };
  const restore = (...args: string[]) =>
    agon(['ledger', 'restore', at('all.backup'), '--ledger', at('restored.sqlite'), ...args], other);
  await writeFile(at('wrong'), 'another one');
  expect(await restore('--with-key', '--passphrase-file', at('wrong'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\(wrong-passphrase\)\n$/),
  });
  expect(await restore('--check')).toMatchObject({ code: 0, stdout: expect.stringContaining('is whole') });
  expect(await restore('--with-key', '--passphrase-file', at('passphrase'))).toMatchObject({ code: 0 });
  const audited = await agon(
    ['ledger', 'audit', '--checkpoint', at('kept.json'), '--ledger', at('restored.sqlite')],
    other,
  );
  expect(audited).toMatchObject({ code: 0, stdout: expect.stringContaining('The ledger is valid.') });
  const show = (given: object) => agon(['signing-key', 'show'], { cwd: at('.'), ...given });
  expect((await show(other)).stdout).toBe((await show({ environment })).stdout);
  expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringMatching(/\(ledger-not-empty\)\n$/) });
  const third = { cwd: at('.'), environment: { AGON_HOME: at('third-home') } };
  await show(third);
  const clash = await agon(
    [
      'ledger',
      'restore',
      at('all.backup'),
      '--with-key',
      '--passphrase-file',
      at('passphrase'),
      '--ledger',
      at('y.sqlite'),
    ],
    third,
  );
  expect(clash).toMatchObject({ code: 1, stderr: expect.stringMatching(/\(other-signing-key\)\n$/) });
});

test('a ledger that is up to date says so, and none is made unless that is asked for', async () => {
  const { at, run } = await makePlace();
  const ledger = ['--ledger', at('ledger.sqlite')];
  expect(await run('ledger', 'upgrade', ...ledger)).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine) });
  expect((await run('ledger', 'upgrade', '--create', ...ledger)).stdout).toBe(
    'The ledger was made, with this schema.\n',
  );
  expect((await run('ledger', 'upgrade', ...ledger)).stdout).toBe('The ledger is up to date: it has schema 1.\n');
});

test('a proof is written, and checked offline with the public key', async () => {
  const { at, run } = await makePlace();
  await makeLedger(at('ledger.sqlite'));
  const ledger = ['--ledger', at('ledger.sqlite')];
  expect(await run('ledger', 'prove', 'case-1', '--out', at('proof.json'), ...ledger)).toMatchObject({
    code: 0,
    stderr: `Proved 3 records of case-1 in ${at('proof.json')}.\n`,
  });
  await writeFile(at('issuer.pem'), (await run('signing-key', 'export')).stdout);
  const verified = await run('verify', at('proof.json'), '--key', at('issuer.pem'));
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('The proof is valid.') });
  const proof = await readFile(at('proof.json'), 'utf8');
  await writeFile(at('forged.json'), proof.replace('"label\\":\\"unsafe', '"label\\":\\"safe'));
  const forged = await run('verify', at('forged.json'), '--key', at('issuer.pem'));
  expect(forged).toMatchObject({ code: 1, stdout: expect.stringContaining('The proof is not valid.') });
  await writeFile(at('broken.json'), proof.slice(0, -200));
  expect(await run('verify', at('broken.json'))).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine) });
});

test('holds, authors, statements and figures at the command line', async () => {
  const { at, run } = await makePlace();
  await makeLedger(at('ledger.sqlite'));
  const ledger = ['--ledger', at('ledger.sqlite')];
  const placed = await run(
    'holds',
    'place',
    '--author',
    'user-1',
    '--reason',
    'Lawsuit',
    '--by',
    'mara',
    '--json',
    ...ledger,
  );
  const { id } = JSON.parse(placed.stdout) as { id: string };
  expect((await run('holds', 'list', ...ledger)).stdout).toContain(id);
  for (const refused of [
    await run('ledger', 'forget', 'case-1', '--yes', ...ledger),
    await run('authors', 'forget', 'user-1', '--yes', ...ledger),
  ])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`${id}.*\\(legal-hold\\)\\n$`)),
    });
  expect(
    (await run('ledger', 'prune', '--before', '2100-01-01', '--what', 'cases', '--yes', ...ledger)).stdout,
  ).toMatch(/^Deleted 1 subject, 1 case, .*\n1 case stays: legal holds/);
  expect(await run('authors', 'export', 'user-1', '--out', at('a.zip'), ...ledger)).toMatchObject({ code: 0 });
  expect(await run('holds', 'lift', id, '--why', 'Settled.', ...ledger)).toMatchObject({ code: 0 });
  expect((await run('holds', 'list', ...ledger)).stdout).toBe('No hold is in force.\n');
  const figures = await run('transparency', '--from', '2020-01-01', '--json', ...ledger);
  expect(JSON.parse(figures.stdout)).toMatchObject({ version: 1, decided: 0, waiting: 1 });
  expect(await run('transparency', '--from', '1d', '--out', at('figures.doc'), ...ledger)).toMatchObject({ code: 2 });
  expect(await run('statements', 'show', 'case-1', ...ledger)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\(no-statement\)\n$/),
  });
  const exported = await run(
    'statements',
    'export',
    '--from',
    '1d',
    '--format',
    'files',
    '--out',
    at('all'),
    ...ledger,
  );
  expect(exported.stderr).toBe(`Wrote 0 statements to ${at('all')}.\n`);
  expect((await run('authors', 'forget', 'user-1', '--yes', ...ledger)).stdout).toBe(
    'Forgot 1 content in 1 case. Verdicts, seals and decisions stay.\n',
  );
});
