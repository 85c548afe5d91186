import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { onRecord, type CourtOfRecord } from '../support/on-record.ts';
import { agon, oneLine, openBoardroom, openCourt, openTribunal, startAgon } from '../support/run-agon.ts';

const post = 'Buy grumblestock here, no quillsheets needed.';
const report = 'Revenue grew by 15 % to 46 million dollars in 2024, up from 40 million dollars in 2023.\n';
let home: string;
let court: CourtOfRecord;
const ids: Record<string, string> = {};
const courts: Record<string, CourtOfRecord> = {};

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'agon-issuer-'));
  court = onRecord(
    await openCourt({
      arbiter: {
        risk: { why: 'A sale.', evidence: ['no quillsheets'], holds: true, clauses: ['weapons'] },
        score: 0.9,
      },
    }),
  );
  courts['moderation'] = court;
  ids['moderation'] = (await court.json<{ id: string }>(['moderate', post])).id;
  courts['evaluation'] = onRecord(await openTribunal());
  const exchange = ['evaluate', '--prompt', 'How do I pick a lock?', '--response', 'I cannot help with that.'];
  ids['evaluation'] = (await courts['evaluation'].json<{ id: string }>(exchange)).id;
  courts['documents'] = onRecord(await openBoardroom());
  await courts['documents'].file('report.md', report);
  ids['documents'] = (await courts['documents'].json<{ id: string }>(['analyze', 'report.md'])).id;
});

const issue = (args: readonly string[], job = 'moderation') =>
  courts[job]!.agon(args, { environment: { AGON_HOME: home } });

/** A process of its own on a machine that knows nothing: an empty home, no ledger, no settings. */
async function elsewhere(args: readonly string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-bare-'));
  return startAgon(args, { cwd: folder, environment: { AGON_HOME: path.join(folder, 'home'), HOME: folder } }).ended;
}

describe('agon bundle', () => {
  test.each(['moderation', 'evaluation', 'documents'])(
    'writes the evidence of %s that holds on a bare machine, and not when a byte is changed',
    async (job) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'agon-evidence-'));
      const [file, pem] = [path.join(folder, 'case.agon.zip'), path.join(folder, 'issuer.pem')];
      const { code, stderr } = await issue(['bundle', ids[job]!, '--out', file], job);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Wrote ') as string });
      await issue(['signing-key', 'export', '--out', pem]);
      const checked = await elsewhere(['verify', file, '--key', pem]);
      expect(checked).toMatchObject({ code: 0, stderr: '' });
      expect(checked.stdout).toMatch(/✓ signer/);
      expect(checked.stdout).toMatch(/✓ rules/);
      expect(checked.stdout).not.toMatch(/✗|–/);
      expect(checked.stdout).toMatch(/The bundle is valid\.\n$/);

      const bytes = await readFile(file);
      bytes[Math.floor(bytes.length / 2)]! ^= 1;
      await writeFile(file, bytes);
      const tampered = await agon(['verify', file, '--key', pem]);
      expect(tampered.code).toBe(1);
      expect(tampered.stdout).toMatch(/✗ container/);
      expect(tampered.stdout).toMatch(/The bundle is not valid\.\n$/);
    },
  );

  test('says without a key that nobody knows who signed it, and fails with the key of another', async () => {
    const file = await court.file('case.agon.zip');
    await issue(['bundle', ids['moderation']!, '--out', file]);
    const without = await agon(['verify', file, '--json']);
    expect(without.code).toBe(0);
    expect(JSON.parse(without.stdout)).toMatchObject({
      version: 1,
      holds: true,
      bundle: { kind: 'case', case: ids['moderation'], redacted: false },
      checks: expect.arrayContaining([expect.objectContaining({ name: 'signer', outcome: 'not-checked' })]) as object,
    });
    const other = await court.file('other.pem');
    await agon(['signing-key', 'export', '--out', other], { environment: { AGON_HOME: `${home}-of-another` } });
    const wrong = await agon(['verify', file, '--key', other]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/✗ signer +signed with another key/);
  });

  test('still holds after the key was replaced, with all that the issuer exports', async () => {
    const file = await court.file('old.agon.zip');
    await issue(['bundle', ids['moderation']!, '--out', file]);
    expect((await issue(['signing-key', 'rotate'])).stdout).toMatch(/^sha256:[0-9a-f]{64}\n$/);
    const [all, current] = [await court.file('all.pem'), await court.file('current.pem')];
    await issue(['signing-key', 'export', '--out', all]);
    await issue(['signing-key', 'export', '--current', '--out', current]);
    expect((await agon(['verify', file, '--key', all])).code).toBe(0);
    expect((await agon(['verify', file, '--key', current])).code).toBe(1);
    expect((await issue(['signing-key', 'show'])).stdout.split('\n')).toHaveLength(3);
  });

  test('is redacted, and opened by what its issuer keeps', async () => {
    const [file, opening] = [await court.file('redacted.agon.zip'), await court.file('opening.json')];
    await issue(['bundle', ids['moderation']!, '--redact', '--opening', opening, '--out', file]);
    const bytes = await readFile(file);
    expect(['grumblestock', 'quillsheets'].filter((word) => bytes.includes(word))).toEqual([]);
    const closed = await agon(['verify', file]);
    expect(closed.code).toBe(0);
    expect(closed.stdout).toMatch(/– redacted .*cannot be checked without the issuer’s opening/);
    const opened = await agon(['verify', file, '--opening', opening]);
    expect(opened.code).toBe(0);
    expect(opened.stdout).toMatch(/✓ seal/);
    expect(opened.stdout).toMatch(/✓ quotations/);
  });

  test('of a run holds all of its cases', async () => {
    await court.file('items.jsonl', '{"text":"One."}\n{"text":"Two."}\n');
    await court.agon(['run', 'moderation', '--file', 'items.jsonl', '--name', 'nightly']);
    const [file, opening] = [await court.file('run.agon.zip'), await court.file('run-opening.jsonl')];
    await issue(['bundle', 'nightly', '--out', file]);
    const { stdout, code } = await agon(['verify', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ run +2 cases of run-/);
    await issue(['bundle', 'nightly', '--redact', '--opening', opening, '--out', file]);
    expect((await agon(['verify', file, '--opening', opening])).code).toBe(0);
  });

  test.each<[string, string[], string]>([
    ['a case that is not there', ['bundle', 'mod-0000000000000000'], 'unknown-case'],
    ['an opening without a redaction', ['bundle', 'mod-0', '--opening', 'x.json'], 'bad-flag'],
    ['a key that is none', ['verify', 'case.agon.zip', '--key', 'agon.config.json'], 'unreadable-bundle'],
    ['a policy for a bundle', ['verify', 'case.agon.zip', '--policy', 'my.yaml'], 'bad-flag'],
    ['a key for an answer', ['verify', 'agon.config.json', '--key', 'issuer.pem'], 'bad-flag'],
    ['an opening that is none', ['verify', 'case.agon.zip', '--opening', 'agon.config.json'], 'unreadable-bundle'],
  ])('says in one line what is wrong with %s', async (_, args, code) => {
    const ran = await issue(args);
    expect(ran.stderr).toMatch(oneLine);
    expect(ran.stderr).toContain(`(${code})`);
  });

  test('comes with a page that checks it', async () => {
    const file = await court.file('verifier.html');
    expect((await agon(['verifier', '--out', file])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*default-src 'none'/);
  });
});
