import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../support/find-free-port.ts';
import { startPostgres, type PostgresServer } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { buildImageFolder, hasDocker, startImage } from './image.ts';

/* docs/deploy: the image judges, and so do the services of the compose file. */

const root = path.join(import.meta.dirname, '..', '..');
const safe = 'How do I kill a process on Linux?';

describe.runIf(hasDocker)('the image, built by Docker', () => {
  test('judges a text', () => {
    execFileSync('docker', ['build', '-f', 'docs/deploy/Dockerfile', '-t', 'agon-release-check', '.'], { cwd: root });
    const stdout = execFileSync('docker', ['run', '--rm', 'agon-release-check', 'moderate', safe, '--json']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ verdict: { label: 'safe' } });
  }, 1_200_000);
});

describe("the image's steps, run in a clean folder", () => {
  let image: string;
  let postgres: PostgresServer;
  let database: string;
  beforeAll(async () => {
    image = await buildImageFolder();
    postgres = await startPostgres();
    database = await postgres.newDatabase();
  }, 900_000);
  afterAll(() => postgres?.stop());

  test('give a command that judges a text, an image and a document', async () => {
    const files = path.join(root, 'test', 'fixtures', 'files');
    const text = await startImage(image, ['moderate', safe, '--json'], {}).ended;
    expect(JSON.parse(text.stdout)).toMatchObject({ verdict: { label: 'safe' } });
    const sign = await startImage(image, ['moderate', '--image', path.join(files, 'sign.png'), '--json'], {}).ended;
    expect(JSON.parse(sign.stdout)).toMatchObject({ verdict: { label: 'unsafe' } });
    const report = await startImage(image, ['analyze', path.join(files, 'report.pdf'), '--json'], {}).ended;
    expect(JSON.parse(report.stdout)).toMatchObject({ documents: [{ kind: 'pdf' }] });
  });

  test('the services of the compose file start, are healthy, and judge', async () => {
    const [serverPort, probePort] = [await findFreePort(), await findFreePort()];
    const key = 'release-check-0123456789';
    const services = readServices({ POSTGRES_PASSWORD: 'secret', AGON_API_KEY: key }, database);
    const server = startImage(
      image,
      [...services['server']!.command, '--port', String(serverPort)],
      services['server']!.environment,
    );
    const worked = services['worker']!.command.map((word) => (word === '8080' ? String(probePort) : word));
    const worker = startImage(image, worked, services['worker']!.environment);
    try {
      const isReady = (port: number) =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(async () => (await isReady(serverPort)) && (await isReady(probePort)), 120);
      const answer = await fetch(`http://127.0.0.1:${serverPort}/api/jobs/moderation/cases`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ text: safe }),
      });
      expect(await answer.json()).toMatchObject({ verdict: { label: 'safe' } });

      const folder = mkdtempSync(path.join(tmpdir(), 'agon-items-'));
      const items = path.join(folder, 'items.jsonl');
      writeFileSync(
        items,
        ['Good morning!', 'I will kill you tonight.'].map((text) => `${JSON.stringify({ text })}\n`).join(''),
      );
      const asked = ['run', 'moderation', '--file', items, '--name', 'composed', '--detach'];
      expect(await startImage(image, asked, services['agon']!.environment).ended).toMatchObject({ code: 0 });
      const show = ['runs', 'show', 'composed', '--json'];
      const readRun = async () =>
        JSON.parse((await startImage(image, show, services['agon']!.environment).ended).stdout) as { state: string };
      await until(async () => (await readRun()).state === 'finished', 120);
      expect(await readRun()).toMatchObject({ counts: { done: 2, byLabel: { safe: 1, unsafe: 1 } } });
    } finally {
      for (const { child } of [server, worker]) child.kill('SIGTERM');
      await Promise.all([server.ended, worker.ended]);
    }
  });
});

interface Service {
  command: string[];
  environment: Record<string, string>;
}

/** The services as the compose file says them, with its variables filled in and the database where ours is. */
function readServices(variables: Record<string, string>, database: string): Record<string, Service> {
  const text = readFileSync(path.join(root, 'docs', 'deploy', 'compose.yaml'), 'utf8').replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest = '') => variables[name] ?? (kind === '-' ? rest : ''),
  );
  const { services } = parse(text, { merge: true }) as { services: Record<string, Partial<Service>> };
  const { hostname } = new URL(services['worker']!.environment!['AGON_DATABASE_URL']!);
  if (!(hostname in services)) throw new Error(`The database is at ${hostname}, which is no service.`);
  return Object.fromEntries(
    Object.entries(services).map(([name, { command = [], environment = {} }]) => {
      // A variable that is filled with nothing is empty.
      const filled = Object.entries(environment).map(([variable, value]) => [variable, value ?? '']);
      return [name, { command, environment: { ...Object.fromEntries(filled), AGON_DATABASE_URL: database } }];
    }),
  );
}
