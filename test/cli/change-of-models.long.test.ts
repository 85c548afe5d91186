import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import { openLedger, parseLedgerPlace } from '@agonhq/ledger';
import type { PrecedentStore } from '@agonhq/models/precedents';
import { embeddedModel, guardEmbedder } from '@agonhq/models/reasoners';
import type { Retrial } from '@agonhq/core/retrials';
import { installAgon } from '../support/other-installation.ts';
import { describeSlow, slowTest } from '../support/slow.ts';
import { startPostgres, type PostgresServer } from '../support/postgres.ts';
import { until, type Ran } from '../support/run-agon.ts';

/* Two installations on one ledger: before a change of the guard model, and after it. */

const before = installAgon();
const after = installAgon({ id: 'guard-of-tomorrow' });
const retrained = installAgon({ hash: `sha256:${'5'.repeat(64)}` });

const guard = embeddedModel.replace('embedded:', '');
/** The part of the embedder's name that says which weights. */
const weights = guardEmbedder.model.slice(embeddedModel.length);
const patience = { timeout: 240_000 };
const threat = 'I will kill you and your family with a knife.';

function somewhere(): { folder: string; environment: Record<string, string> } {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-models-'));
  return {
    folder,
    environment: { AGON_HOME: folder, AGON_LEDGER: path.join(folder, 'ledger.db'), AGON_SECRET: 'shared' },
  };
}

async function openShared(place: string): Promise<PrecedentStore & AsyncDisposable> {
  const ledger = await openLedger(parseLedgerPlace(place));
  return { ...ledger.precedents, [Symbol.asyncDispose]: () => ledger.close() };
}

function parse({ code, stdout, stderr }: Ran): unknown {
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  return JSON.parse(stdout);
}

describe('a case of a guard that is not installed any more', patience, () => {
  const { folder, environment } = somewhere();
  let id: string;
  const answer = path.join(folder, 'answer.json');

  beforeAll(async () => {
    const judged = await before.agon(['moderate', threat, '--json'], environment);
    id = (parse({ ...judged, code: judged.stdout === '' ? judged.code : 0 }) as ModerationAnswer).id;
    writeFileSync(answer, judged.stdout);
  }, 120_000);

  test('still verifies', async () => {
    expect(await after.agon(['verify', answer], environment)).toMatchObject({ code: 0 });
  });

  test('is not replayed by another, which says whose it was', async () => {
    const { code, stderr } = await after.agon(['replay', id], environment);
    expect(code).not.toBe(0);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Case ${id} was judged by embedded:${guard} (`);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'which is not installed: this Agon has embedded:guard-of-tomorrow (',
    );
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`agon appeal ${id}`);
    expect(stderr).toContain('(model-not-installed)');
  });

  test('nor by one of the same name whose weights are others', async () => {
    const { code, stderr } = await retrained.agon(['replay', id], environment);
    expect(code).not.toBe(0);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Case ${id} was judged by another embedded:${guard} (`);
  });

  slowTest('is replayed by its own', async () => {
    const replayed = parse(await before.agon(['replay', id, '--json'], environment)) as Retrial;
    expect(replayed).toMatchObject({ flipped: false, argued: [], notes: [] });
  });

  test('is heard again by the one that is installed, and the appeal says so', async () => {
    const { notes, after: now } = parse(await after.agon(['appeal', id, '--json'], environment)) as Retrial;
    expect(now.models).toMatchObject({ arbiter: 'embedded:guard-of-tomorrow' });
    expect(notes).toContain(
      `embedded:${guard}, which judged the case first, is not installed: embedded:guard-of-tomorrow took its place.`,
    );
  });
});

describe('what was fitted on another guard is refused, and its name is said', patience, () => {
  const { folder, environment } = somewhere();
  const cascade = path.join(folder, 'cascade.json');
  const calibration = path.join(folder, 'calibration.json');
  const labelled = path.join(folder, 'labelled.jsonl');

  beforeAll(async () => {
    const items = Array.from({ length: 45 }, (_, index) =>
      index % 3 === 0
        ? { id: `l${index}`, text: `I will kill you and your family with a knife on day ${index}.`, label: 'unsafe' }
        : { id: `l${index}`, text: `Thank you for the lovely walk in the garden on day ${index}.`, label: 'safe' },
    );
    writeFileSync(labelled, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    expect(
      await before.agon(['cascade', 'fit', '--data', labelled, '--risk', '0.2', '--out', cascade, '-q'], environment),
    ).toMatchObject({ code: 0, stderr: '' });
    expect(await before.agon(['calibrate', '--data', labelled, '--out', calibration, '-q'], environment)).toMatchObject(
      { code: 0, stderr: '' },
    );
  }, 240_000);

  test('a cascade, before anything of the run is on record', async () => {
    const { code, stderr } = await after.agon(
      ['run', 'moderation', '--file', labelled, '--cascade', cascade, '--name', 'night'],
      environment,
    );
    expect(code).not.toBe(0);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `The cascade was fitted on embedded:${guard} \\(\\w{8}\\), and this Agon has embedded:guard-of-tomorrow`,
      ),
    );
    expect(stderr).toContain('agon cascade fit');
    const ledger = await openLedger(parseLedgerPlace(environment['AGON_LEDGER']!));
    const runs = await ledger.runs.findRunsNamed('night');
    await ledger.close();
    expect(runs).toEqual([]);
  });

  test('a calibration', async () => {
    const { code, stderr } = await retrained.agon(['moderate', threat, '--calibration', calibration], environment);
    expect(code).not.toBe(0);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `The calibration was fitted on embedded:${guard} \\(\\w{8}\\), and this Agon has embedded:${guard} \\(`,
      ),
    );
    expect(stderr).toContain('agon calibrate');
    expect((await before.agon(['moderate', threat, '--calibration', calibration, '--json'], environment)).stderr).toBe(
      '',
    );
  });
});

describeSlow.each(['SQLite', 'PostgreSQL'] as const)('the vectors of precedents in %s', patience, (kind) => {
  const count = 200; // Three batches and a bit: one can be killed between two.
  const { folder, environment: own } = somewhere();
  let server: PostgresServer | undefined;
  let environment = own;

  beforeAll(async () => {
    if (kind === 'PostgreSQL') {
      server = await startPostgres();
      environment = { ...own, AGON_LEDGER: await server.newLedger() };
    }
    const file = path.join(folder, 'precedents.jsonl');
    writeFileSync(
      file,
      Array.from({ length: count }, (_, index) => ({
        id: `own-${index}`,
        label: index % 2 === 0 ? 'safe' : 'unsafe',
        category: 'violence',
        summary: `Remark number ${index} about a parcel.`,
        cues: [],
        why: 'It was decided so.',
        text: `Remark number ${index}: somebody took parcel ${index} from the porch of house ${index * 7}.`,
        confirmedBy: 'Ada',
      }))
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    expect(await before.agon(['precedents', 'import', file], environment)).toMatchObject({ code: 0 });
    expect(await before.agon(['precedents', 'search', 'a parcel', '--json'], environment)).toMatchObject({ code: 0 });
  }, 240_000);
  afterAll(() => server?.stop());

  test('are rebuilt once when the model changes, whoever is killed meanwhile and however many do it', async () => {
    await using ledger = await openShared(environment['AGON_LEDGER']!);
    const countVectors = async () => (await ledger.listEmbedded!(`embedded:guard-of-tomorrow${weights}`)).size;
    const search = ['precedents', 'search', 'Somebody took a parcel from the porch of my house.', '--json'];
    const killed = after.start(search, environment);
    await until(async () => (await countVectors()) > 0, 60);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await pause(100);
    const left = await countVectors();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(count);

    const both = await Promise.all([after.agon(search, environment), after.agon(search, environment)]);
    for (const ran of both) expect(ran).toMatchObject({ code: 0 });
    expect(await countVectors()).toBe(count);
    // What the killed one had kept was not made again, and both said how far they were.
    for (const { stderr } of both) expect(stderr).toContain(`of ${count - left} precedents.`);

    const again = await after.agon(search, environment);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect((JSON.parse(again.stdout) as { precedents: unknown[] }).precedents.length).toBeGreaterThan(0);
  });
});

describeSlow('a worker with another guard than the run was started with', patience, () => {
  test('leaves its items to others, says why, and goes on', async () => {
    const server = await startPostgres();
    try {
      const { folder, environment: own } = somewhere();
      const environment = { ...own, AGON_LEDGER: await server.newLedger() };
      const file = path.join(folder, 'items.jsonl');
      writeFileSync(
        file,
        Array.from(
          { length: 6 },
          (_, index) => `${JSON.stringify({ id: `i${index}`, text: `Note ${index}.` })}\n`,
        ).join(''),
      );
      const started = await before.agon(
        ['run', 'moderation', '--file', file, '--detach', '--json', '--name', 'theirs'],
        environment,
      );
      const { run } = parse(started) as { run: string };
      const other = after.start(['worker'], environment);
      const same = retrained.start(['worker'], environment);
      const said = { other: '', same: '' };
      other.child.stderr!.on('data', (text) => (said.other += String(text)));
      same.child.stderr!.on('data', (text) => (said.same += String(text)));
      await until(
        () => said.other.includes('left to other workers') && said.same.includes('left to other workers'),
        60,
      );
      expect(said.other).toContain(`The run was started with embedded:${guard} (`);
      expect(said.other).toContain('model-not-installed');
      expect(said.same).toContain('other-configuration');
      const ledger = await openLedger(parseLedgerPlace(environment.AGON_LEDGER));
      expect((await ledger.runs.countItems(run)).waiting).toBe(6);

      // A run of its own it judges all the same.
      const mine = parse(
        await after.agon(['run', 'moderation', '--file', file, '--detach', '--json', '--name', 'mine'], environment),
      ) as { run: string };
      await until(async () => (await ledger.runs.findRun(mine.run))?.state === 'finished', 60);
      expect((await ledger.runs.countItems(run)).done).toBe(0);

      expect(await before.agon(['worker', '--until-idle'], environment)).toMatchObject({ code: 0 });
      expect((await ledger.runs.countItems(run)).done).toBe(6);
      await ledger.close();
      for (const { child, ended } of [other, same]) {
        child.kill('SIGTERM');
        await ended;
      }
    } finally {
      await server.stop();
    }
  });
});
