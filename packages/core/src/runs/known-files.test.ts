import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { ownJobs } from '../own-jobs.ts';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { createAgon } from '../app/index.ts';
import { sha256 } from '@agonhq/engine/hash';
import { moderationJob } from '@agonhq/judges/moderation';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { inspectImage } from '@agonhq/models/senses';
import { conductRun, openRunItems, planRun, startRun } from './index.ts';

/* On PostgreSQL the files of a run lie in the ledger: one that is on a list goes with the first item that names it. */

const environment = { AGON_SECRET: 'for tests only, thirty-two characters' };
let folder: string;
let postgres: PostgresServer;
let ledger: Ledger;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-known-files-'));
  postgres = await startPostgres();
  ledger = await openLedger({ url: await postgres.newLedger() });
}, 120_000);
afterAll(async () => {
  await ledger.close();
  await postgres.stop();
  await rm(folder, { recursive: true });
}, 60_000);

test('every item that names a known file is told by the list, and what came with one is judged elsewhere', async () => {
  const [listed, other] = await Promise.all([1, 2].map((seed) => drawPicture(seed).png().toBuffer()));
  const { pdq } = (await inspectImage(listed!, 'listed')).fingerprint;
  await writeFile(path.join(folder, 'stop.txt'), `${pdq}\n`);
  await writeFile(path.join(folder, 'listed.png'), listed!);
  await writeFile(path.join(folder, 'other.png'), other!);
  const items = [
    { id: 'a', text: 'first', image: ['listed.png', 'other.png'] },
    { id: 'b', text: 'second', image: 'listed.png' },
    { id: 'c', text: 'third', image: 'other.png' },
  ];
  const input = path.join(folder, 'items.jsonl');
  await writeFile(input, items.map((item) => `${JSON.stringify(item)}\n`).join(''));

  const knownImages = [path.join(folder, 'stop.txt')];
  const settings = {
    knownImages,
    moderation: { method: 'judge' as const, ocr: false },
  };
  const agon = await createAgon(settings, { only: ['moderation'], environment, ledger });
  const plan = await planRun({ job: 'moderation', settings, agon, environment });
  const { configuration } = agon.provenanceOf(moderationJob);
  const run = await startRun(ledger, { input, plan, configuration });
  const read = openRunItems(ledger, moderationJob, input, { root: folder });
  const { signal } = new AbortController();
  await conductRun({
    jobs: ownJobs,
    ledger,
    run,
    own: { knownImages },
    environment,
    items: read({ signal }),
    concurrency: 1,
  });

  const rows = await ledger.runs.listItems(run.id, { order: 'input', limit: 10 });
  expect(rows.map(({ state, error }) => [state, error?.message ?? null])).toEqual([
    ['done', null],
    ['done', null],
    ['done', null],
  ]);
  const cases = await Promise.all(rows.map(({ result }) => ledger.cases.findCase(result!.case)));
  expect(cases.map((one) => one!.rule)).toEqual(['known-image', 'known-image', expect.not.stringContaining('known')]);
  expect(await ledger.attachments.findAttachment(sha256(listed!))).toBeUndefined();
  expect(await ledger.attachments.findAttachment(sha256(other!))).toBeDefined();
  const { rows: found } = await ledger.knownImages.listFound({});
  expect(found.map(({ file, item }) => [file, item])).toEqual(
    expect.arrayContaining(['a', 'b'].map((item) => [sha256(listed!), item])),
  );
}, 120_000);
