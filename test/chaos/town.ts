import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '../support/find-free-port.ts';
import { openLink, type FaultyLink } from './faulty-proxy.ts';
import { price, startFaultyProvider, type FaultyProvider } from './faulty-provider.ts';
import type { LedgerName, TownRecord } from './record.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { startTownPostgres, type TownPostgres } from './town-postgres.ts';
import { startProcess, type TownProcess } from './town-process.ts';

export const servers = { one: 'postgres', two: 'postgres', three: 'sqlite' } as const satisfies Record<
  string,
  LedgerName
>;
export const workers = ['ann', 'ben'] as const;
export const processNames = [...Object.keys(servers), ...workers];

/** Everything that stands between two processes. */
export const linkNames = [
  ...Object.keys(servers).map((name) => `client>${name}`),
  ...processNames.filter((name) => name !== 'three').map((name) => `${name}>postgres`),
  // One for all of them: a run belongs to the address of its provider, and would be left alone by workers with another.
  'all>provider',
];
export const diskNames = ['postgres', 'three'];

/** Servers, workers, PostgreSQL and a provider, with links between them that can be made to fail. */
export interface Town {
  folder: string;
  processes: ReadonlyMap<string, TownProcess>;
  links: ReadonlyMap<string, FaultyLink>;
  disks: ReadonlyMap<string, SmallDisk>;
  postgres: TownPostgres;
  provider: FaultyProvider;
  /** Where clients reach the servers of a ledger. */
  doors(ledger: LedgerName): readonly string[];
  /** The environment of a command that looks at a ledger, past all links. */
  environmentFor(ledger: LedgerName): Record<string, string>;
  end(): Promise<void>;
}

/** Items of a worker at once. */
export const itemsAtOnce = 6;
const diskMegabytes = 384;

export async function startTown(
  folder: string,
  seed: number,
  record: TownRecord,
  { mayMount, isStruck }: { mayMount: boolean; isStruck: (process: string) => boolean },
): Promise<Town> {
  const onProblem = (problem: TownRecord['problems'][number]) => void record.problems.push(problem);
  const provider = await startFaultyProvider(seed, record.calls);
  const postgres = await startTownPostgres(path.join(folder, 'postgres'), mayMount, onProblem);
  const home = path.join(folder, 'three');
  const disk = mayMount ? await mountSmallDisk(home, diskMegabytes) : null;
  const ports = new Map<string, number>();
  for (const name of Object.keys(servers)) ports.set(name, await findFreePort());
  const links = new Map<string, FaultyLink>();
  for (const name of linkNames) {
    const [, to] = name.split('>') as [string, string];
    const port = to === 'postgres' ? postgres.port : to === 'provider' ? provider.port : ports.get(to)!;
    links.set(name, await openLink(() => port));
  }
  const signingKey = path.join(folder, 'signing-key.pem');

  function databaseUrl(port: number): string {
    const url = new URL(postgres.url);
    url.port = String(port);
    return url.href;
  }

  function ledgerOf(name: string): LedgerName {
    return name in servers ? servers[name as keyof typeof servers] : 'postgres';
  }

  async function begin(name: string): Promise<TownProcess> {
    const own = path.join(folder, name);
    await mkdir(own, { recursive: true });
    const config = path.join(own, 'agon.config.json');
    await writeFile(config, JSON.stringify(settingsFor(name, links.get('all>provider')!.port)));
    const port = ports.get(name);
    return startProcess({
      name,
      args:
        port === undefined
          ? ['worker', '--config', config, '--probe', '0', '--concurrency', String(itemsAtOnce), '--drain-seconds', '8']
          : ['serve', '--config', config, '--port', String(port)],
      folder: own,
      environment: {
        AGON_HOME: own,
        ...(ledgerOf(name) === 'postgres'
          ? { AGON_DATABASE_URL: databaseUrl(links.get(`${name}>postgres`)!.port), AGON_SIGNING_KEY: signingKey }
          : { AGON_LEDGER: path.join(own, 'ledger.sqlite') }),
      },
      ready: port === undefined ? /probes at/ : /listens on/,
      mayFailToStart: () => isStruck(name),
      onProblem,
    });
  }

  await makeSigningKey(signingKey);
  // The tables are made once; all others find them.
  const first = await begin('one');
  await first.whenReady();
  const others = await Promise.all(processNames.filter((name) => name !== 'one').map(begin));
  const processes = new Map([first, ...others].map((each) => [each.name, each]));
  await Promise.all([...processes.values()].map((each) => each.whenReady()));
  const disks = new Map<string, SmallDisk>();
  if (postgres.disk) disks.set('postgres', postgres.disk);
  if (disk) disks.set('three', disk);

  return {
    folder,
    processes,
    links,
    disks,
    postgres,
    provider,
    doors: (ledger) =>
      Object.entries(servers)
        .filter(([, own]) => own === ledger)
        .map(([name]) => `http://127.0.0.1:${links.get(`client>${name}`)!.port}`),
    environmentFor: (ledger): Record<string, string> =>
      ledger === 'postgres'
        ? { AGON_HOME: path.join(folder, 'one'), AGON_DATABASE_URL: postgres.url, AGON_SIGNING_KEY: signingKey }
        : { AGON_HOME: home, AGON_LEDGER: path.join(home, 'ledger.sqlite') },
    async end() {
      await Promise.all([...processes.values()].map((each) => each.end()));
      await provider.close();
      for (const link of links.values()) await link.close();
      await postgres.end();
      await disk?.unmount();
    },
  };
}

/** Servers that share a ledger sign as one. */
async function makeSigningKey(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
}

/** Moderation and evaluation are argued by the provider, documents by the embedded model. */
function settingsFor(name: string, providerPort: number): object {
  const seats = ['supporter', 'strict-debater', 'loose-debater', 'arbiter', 'auditor', 'detector', 'critic'];
  return {
    seats: {
      default: 'embedded:guard-2',
      ...Object.fromEntries(seats.map((seat) => [seat, 'fake:panel'])),
      synthesizer: 'embedded:guard-2',
      curator: 'embedded:guard-2',
    },
    providers: { fake: { baseUrl: `http://127.0.0.1:${providerPort}/v1`, apiKey: name } },
    models: { 'fake:panel': { price, concurrency: 16 } },
    defaults: { retries: 2, retryDelayMs: 100, maxRetryDelayMs: 2_000, timeoutMs: 4_000 },
    moderation: { rounds: 1, without: ['retrieval', 'supporter'] },
    evaluation: { rounds: 1 },
    checkpoints: { minutes: 1 },
    server: { graceSeconds: 5, drainSeconds: 6, timeoutSeconds: 60 },
  };
}
