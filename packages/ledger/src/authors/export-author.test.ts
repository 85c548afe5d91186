import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdCase, openedCase, precedentOf } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { itemAt, startRun } from '@agonhq/test/support/run-items.ts';
import { sha256 } from '@agonhq/engine/hash';
import { openLedger, type Ledger } from '../index.ts';
import { exportAuthor } from './export-author.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-authors-'));
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const picture = Buffer.from([137, 80, 78, 71]);

/** Two cases of user-1, one of them appealed, decided and audited, and one of user-2 about other words. */
async function fill(ledger: Ledger): Promise<void> {
  const context = { author: 'user-1', thread: 'thread-1' };
  const image = { hash: sha256(picture), mediaType: 'image/png', data: picture };
  const subject = { hash: sha256('with a picture'), content: { text: 'with a picture' }, attachments: [image] };
  await holdCase(ledger, openedCase('mod-0000000000000001', { text: 'Mine, the first.', context }));
  await holdCase(ledger, openedCase('mod-0000000000000002', { subject, context }));
  await holdCase(
    ledger,
    openedCase('mod-0000000000000003', { text: 'Another one wrote this.', context: { author: 'user-2' } }),
  );
  await holdCase(
    ledger,
    openedCase('mod-0000000000000004', {
      text: 'Mine, the first.',
      again: { of: 'mod-0000000000000001', how: 'appeal' },
    }),
  );
  await ledger.decisions.recordDecision({ case: 'mod-0000000000000001', label: 'safe', by: 'mara', why: 'A joke.' });
  await ledger.decisions.recordDecision({ case: 'mod-0000000000000002', label: 'unsafe', by: 'mara' });
  await ledger.decisions.recordDecision({ case: 'mod-0000000000000003', label: 'unsafe', by: 'jo' });
  await ledger.precedents.keepPrecedents([
    precedentOf('learnt-1', {
      confirmedBy: 'mara',
      provenance: { kind: 'learnt', subject: sha256('Mine, the first.') },
    }),
  ]);
  const entry = { at: new Date(), who: 'mara', key: 'key-1', what: { label: 'safe' }, status: 200, request: 'r' };
  await ledger.audit.keepEntries([
    { ...entry, id: '1', operation: 'queue.decide', target: 'mod-0000000000000001' },
    { ...entry, id: '2', operation: 'queue.decide', target: 'mod-0000000000000003' },
  ]);
  await startRun(ledger, 'run-1', [
    itemAt(1, { input: { text: 'I wait.', context: { author: 'user-1' } } }),
    itemAt(2, { input: { text: 'So do I.', context: { author: 'user-2' } } }),
  ]);
  await ledger.webhooks.keepWebhook({
    id: 'hook-1',
    url: 'https://hooks.example.org/agon?token=1',
    events: ['verdict'],
    secret: 'well kept',
    createdAt: new Date(),
  });
  const told = (id: string, about: string) => ({
    id,
    webhook: 'hook-1',
    event: 'verdict',
    payload: { data: { id: about } },
  });
  await ledger.webhooks.enqueueDeliveries([told('d-1', 'mod-0000000000000001'), told('d-2', 'mod-0000000000000003')]);
}

async function readArchive(ledger: Ledger, author: string, options = {}) {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportAuthor(ledger, author, options)) pieces.push(piece);
  const files = unzipSync(Buffer.concat(pieces));
  const text = (name: string) => Buffer.from(files[name] ?? []).toString('utf8');
  const lines = (name: string) =>
    text(`${name}-0001.jsonl`)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, never>);
  return { files, text, lines };
}

describe.each([
  ['SQLite', async () => openLedger({ file: path.join(folder, `${Math.random()}.sqlite`) })],
  ['PostgreSQL', async () => openLedger({ url: await server.newLedger() })],
] as const)('the archive of an author on %s', (_, open) => {
  test('holds all that is on record of them, and nothing of others', async () => {
    const ledger = await open();
    await fill(ledger);
    const { files, text, lines } = await readArchive(ledger, 'user-1');
    expect(Object.keys(files)).toEqual([
      'README.txt',
      'audit-0001.jsonl',
      'cases-0001.jsonl',
      'deliveries-0001.jsonl',
      `files/${sha256(picture).slice(7)}.png`,
      'items-0001.jsonl',
      'learnt-0001.jsonl',
      'manifest.json',
    ]);
    const cases = lines('cases');
    expect(cases.map((one) => one['case'])).toEqual([
      'mod-0000000000000001',
      'mod-0000000000000002',
      'mod-0000000000000004',
    ]);
    expect(cases[0]).toMatchObject({
      content: { text: 'Mine, the first.' },
      context: { author: 'user-1' },
      verdict: { label: 'unsafe' },
      decisions: [{ label: 'safe', why: 'A joke.', by: 'reviewer 1' }],
      answer: { id: 'mod-0000000000000001' },
    });
    expect(cases[2]).toMatchObject({ again: { how: 'appeal' } });
    expect(lines('audit')).toMatchObject([
      { operation: 'queue.decide', target: 'mod-0000000000000001', who: 'reviewer 1' },
    ]);
    expect(lines('deliveries')).toMatchObject([{ cases: ['mod-0000000000000001'], to: 'hooks.example.org' }]);
    expect(lines('items')).toMatchObject([{ run: 'run-1', input: { text: 'I wait.' } }]);
    expect(lines('learnt')).toMatchObject([{ id: 'learnt-1', confirmedBy: 'reviewer 1' }]);
    const everything = Object.keys(files).map(text).join('');
    expect(everything).not.toMatch(/mara|jo"|user-2|Another one|So do I|token=1|key-1/);
    const { files: listed } = JSON.parse(text('manifest.json')) as { files: { name: string; sha256: string }[] };
    for (const { name, sha256: hash } of listed)
      expect(createHash('sha256').update(files[name]!).digest('hex')).toBe(hash);
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(files).slice(0, -1));
    await ledger.close();
  });

  test('can go without files, and is not there for an author whom nobody knows', async () => {
    const ledger = await open();
    await fill(ledger);
    const { files } = await readArchive(ledger, 'user-1', { files: false });
    expect(Object.keys(files).filter((name) => name.startsWith('files/'))).toEqual([]);
    await expect(readArchive(ledger, 'user-3')).rejects.toMatchObject({ code: 'unknown-author' });
    await ledger.close();
  });

  test('shrinks when they are forgotten, and a hold on one of their cases keeps all of it', async () => {
    const ledger = await open();
    await fill(ledger);
    const hold = await ledger.holds.placeHold({ case: 'mod-0000000000000002', reason: 'A lawsuit.' }, { by: 'mara' });
    await expect(ledger.authors.forget('user-1')).rejects.toMatchObject({ code: 'legal-hold' });
    expect((await ledger.cases.findCase('mod-0000000000000001'))!.content).not.toBeNull();
    await ledger.holds.liftHold(hold.id, 'It was settled.', { by: 'mara' });
    expect(await ledger.authors.forget('user-1')).toEqual({ subjects: 2, cases: 3, othersCases: 0, items: 1 });
    expect((await ledger.cases.findCase('mod-0000000000000001'))!.content).toBeNull();
    expect((await ledger.cases.findCase('mod-0000000000000003'))!.content).not.toBeNull();
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ waiting: 1, failed: 1 });
    await expect(readArchive(ledger, 'user-1')).rejects.toMatchObject({ code: 'unknown-author' });
    expect((await ledger.records.audit()).problems).toEqual([]);
    await ledger.close();
  });
});

test('forgetting an author leaves alone what another author wrote in the same words, until they are forgotten', async () => {
  for (const place of [{ file: path.join(folder, 'shared.sqlite') }, { url: await server.newLedger() }]) {
    const ledger = await openLedger(place);
    for (const author of ['user-1', 'user-2'])
      await holdCase(ledger, openedCase(`case-of-${author}`, { text: 'First!', context: { author } }));
    await holdCase(
      ledger,
      openedCase('case-again', { text: 'First!', again: { of: 'case-of-user-1', how: 'appeal' } }),
    );
    expect(await ledger.authors.planForgetting('user-1')).toEqual({ subjects: 1, cases: 2, othersCases: 1, items: 0 });
    expect(await ledger.authors.forget('user-1')).toEqual({ subjects: 1, cases: 2, othersCases: 1, items: 0 });
    for (const id of ['case-of-user-1', 'case-again'])
      expect(await ledger.cases.findCase(id)).toMatchObject({ content: null, answer: null, excerpt: null });
    const others = await ledger.cases.findCase('case-of-user-2');
    expect(others).toMatchObject({ content: { text: 'First!' }, context: { author: 'user-2' } });
    expect(others!.answer).not.toBeNull();
    const { rows } = await ledger.cases.listCases({ search: 'first' });
    expect(rows.map(({ id }) => id)).toEqual(['case-of-user-2']);
    expect((await ledger.records.audit()).problems).toEqual([]);
    expect(await ledger.authors.forget('user-2')).toEqual({ subjects: 1, cases: 1, othersCases: 0, items: 0 });
    expect((await ledger.cases.findCase('case-of-user-2'))!.content).toBeNull();
    expect((await ledger.records.audit()).problems).toEqual([]);
    await ledger.close();
  }
});
