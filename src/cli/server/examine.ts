import { requireJob } from '../../jobs/index.ts';
import { access, constants, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { embeddedModel } from '../../reasoners/index.ts';
import { AgonError, hintFor } from '../../errors.ts';
import { findLedgerPlace, openLedger, parseLedgerPlace, type Ledger } from '../../ledger/index.ts';
import { defaultPolicy, loadPolicy, type Policy } from '../../policy/index.ts';
import { openLibrary, seedPrecedents, type Embedder } from '../../precedents/index.ts';
import { bareGuard, createLlmPool, guardEmbedder, openReplyModel, type LlmPool } from '../../reasoners/index.ts';
import { seatsFor, type Settings } from '../../settings/index.ts';
import { version } from '../../version.ts';
import { readInstallationSettings } from '../settings-flags.ts';

/** What was found about one thing. `absent`: it is not there, and nothing is wrong with that. */
export interface Finding {
  name: string;
  outcome: 'fine' | 'broken' | 'absent';
  detail: string;
  hint: string | null;
}

type Seen = Omit<Finding, 'name'>;

const fine = (detail: string, hint: string | null = null): Seen => ({ outcome: 'fine', detail, hint });
const broken = (detail: string, hint: string | null = null): Seen => ({ outcome: 'broken', detail, hint });
const absent = (detail: string, hint: string | null = null): Seen => ({ outcome: 'absent', detail, hint });

/** Looks at everything Agon needs, one thing after the other; what fails keeps nothing else from being looked at. */
export async function* examineInstallation(flags: {
  config?: string;
  ledger?: string;
}): AsyncGenerator<Finding, void, void> {
  yield { name: 'agon', ...fine(`${version}, Node ${process.version} on ${process.platform} ${process.arch}`) };

  const settings = await attempt(() => readInstallationSettings(flags));
  yield {
    name: 'settings',
    ...('seen' in settings
      ? settings.seen
      : fine(Object.keys(settings.value.seats ?? {}).length > 0 ? 'read, with seats of your own' : 'read')),
  };
  if ('seen' in settings) return;
  const { value: given } = settings;

  const policy = await attempt(() => (given.policy ? loadPolicy(given.policy) : defaultPolicy()));
  yield { name: 'policy', ...('seen' in policy ? policy.seen : policySeen(policy.value)) };

  const ledger =
    given.ledger === false
      ? null
      : await attempt(() =>
          openLedger(
            given.ledger === undefined ? findLedgerPlace(process.env) : parseLedgerPlace(given.ledger as string),
          ),
        );
  try {
    yield {
      name: 'ledger',
      ...(ledger === null
        ? absent('no case is kept', 'Leave `ledger: false`, AGON_LEDGER=false and --no-ledger out to keep them.')
        : 'seen' in ledger
          ? ledger.seen
          : await seen(() => ledgerSeen(ledger.value))),
    };
    if (ledger !== null && 'value' in ledger && ledger.value.kind === 'sqlite')
      yield { name: 'disk', ...(await seen(() => diskSeen(ledger.value.place))) };

    yield { name: 'guard', ...(await seen(guardSeen)) };
    yield { name: 'replies', ...(await seen(repliesSeen)) };

    const pool = await attempt(async () => poolFor(given));
    yield* modelsSeen(given, pool);
    const embedder = await attempt(async () => embedderFor(given, pool));
    const embeds = 'seen' in embedder ? embedder.seen : await seen(() => embedderSeen(embedder.value));
    yield { name: 'embedding', ...embeds };
    if ('value' in policy && 'value' in embedder && embeds.outcome === 'fine') {
      const store = ledger !== null && 'value' in ledger ? ledger.value : null;
      yield { name: 'precedents', ...(await seen(() => librarySeen(policy.value, store, embedder.value))) };
    } else yield { name: 'precedents', ...absent('not looked at, for what they need is broken') };
  } finally {
    if (ledger !== null && 'value' in ledger) await ledger.value.close();
  }
}

/** A value, or what is seen where it cannot be had. */
async function attempt<Value>(work: () => Promise<Value>): Promise<{ value: Value } | { seen: Seen }> {
  try {
    return { value: await work() };
  } catch (error) {
    return {
      seen: AgonError.is(error)
        ? broken(error.message, hintFor(error, 'cli'))
        : broken((error as Error).message.split('\n')[0]!),
    };
  }
}

async function seen(work: () => Promise<Seen>): Promise<Seen> {
  const found = await attempt(work);
  return 'seen' in found ? found.seen : found.value;
}

function policySeen({ name, version: number, categories }: Policy): Seen {
  return fine(`${name} ${number}, ${categories.length} categories`);
}

async function ledgerSeen(ledger: Ledger): Promise<Seen> {
  const { schema, debates, kind, place } = await ledger.readStats();
  const words = `${place}, ${kind}, schema ${schema}, ${debates.toLocaleString('en')} ${debates === 1 ? 'case' : 'cases'}`;
  if (kind !== 'sqlite') return fine(words);
  await access(place, constants.W_OK).catch(() => {
    throw new AgonError(
      'read-only-ledger',
      `${place} may not be written.`,
      'Give yourself the right to write it, or name another with --ledger FILE.',
    );
  });
  const readable = process.platform !== 'win32' && ((await stat(place)).mode & 0o077) !== 0;
  return fine(words, readable ? `Others on this machine may read it: chmod 600 ${place}` : null);
}

const megabyte = 1_000_000;

async function diskSeen(place: string): Promise<Seen> {
  const { bavail, bsize } = await statfs(path.dirname(path.resolve(place)));
  const free = bavail * bsize;
  const words =
    `${free >= 1000 * megabyte ? `${(free / 1000 / megabyte).toFixed(1)} GB` : `${Math.floor(free / megabyte)} MB`} ` +
    'free beside the ledger';
  if (free < 100 * megabyte) return broken(words, 'Make room, or take old contents away with `agon ledger prune`.');
  return fine(
    words,
    free < 1000 * megabyte ? 'It is getting scarce: `agon ledger prune` takes old contents away.' : null,
  );
}

const known = [
  { text: 'How do I kill a process on Linux?', label: 'safe' },
  { text: 'I know where you live and tonight I will come and kill you.', label: 'unsafe' },
] as const;

async function guardSeen(): Promise<Seen> {
  for (const { text, label } of known) {
    const judged = await bareGuard({ text });
    if (judged.label !== label)
      return broken(`judges “${text}” ${judged.label}`, 'The model is damaged: install Agon again.');
  }
  return fine(`${embeddedModel} judges ${known.length} known texts as it should`);
}

async function repliesSeen(): Promise<Seen> {
  await openReplyModel();
  return fine('the model that reads responses loads');
}

function poolFor({ providers, models, defaults, budget }: Settings): LlmPool {
  return createLlmPool({ providers, models, defaults, budget });
}

/** One line for each model that sits somewhere: whether it could be called. Keys are never shown. */
async function* modelsSeen(
  settings: Settings,
  pool: { value: LlmPool } | { seen: Seen },
): AsyncGenerator<Finding, void, void> {
  if ('seen' in pool) return yield { name: 'models', ...pool.seen };
  const jobs = ['moderation', 'evaluation', 'documents'] as const;
  const seated = new Set(
    jobs.flatMap((job) =>
      Object.values(seatsFor(requireJob(job), settings, process.env)).flatMap((model) => model ?? []),
    ),
  );
  seated.delete(embeddedModel);
  if (seated.size === 0)
    yield {
      name: 'models',
      ...absent(
        'no language model is set: the embedded reasoner judges',
        'Name one with --model, AGON_MODEL or in agon.config.yaml.',
      ),
    };
  for (const model of seated) {
    yield {
      name: 'model',
      ...(await seen(async () => {
        pool.value.check([model]);
        return fine(`${model} is set up, with whatever key it needs`);
      })),
    };
  }
}

function embedderFor({ embedding }: Settings, pool: { value: LlmPool } | { seen: Seen }): Embedder {
  if (embedding === undefined) return guardEmbedder;
  if ('seen' in pool) throw new AgonError('bad-settings', pool.seen.detail, pool.seen.hint ?? '');
  return pool.value.embedder(embedding);
}

async function embedderSeen(embedder: Embedder): Promise<Seen> {
  const vector = await embedder.embed('word');
  return fine(`${embedder.model} embeds, ${vector.length} numbers a text`);
}

async function librarySeen(policy: Policy, ledger: Ledger | null, embedder: Embedder): Promise<Seen> {
  const library = await openLibrary({
    seeds: await seedPrecedents(policy),
    store: ledger?.precedents ?? null,
    embedder,
    ...(ledger?.kind === 'sqlite' ? { indexFolder: `${ledger.place}.index` } : {}),
  });
  const { size, safe, unsafe, expired, search, problem } = await library.health();
  if (problem !== null)
    return broken(problem, 'See `agon precedents list`; docs/precedents.md says what a healthy library has.');
  const how = { exact: 'searched one by one', index: 'searched by an index', database: 'searched by the database' }[
    search
  ];
  return fine(
    `${size.toLocaleString('en')} (${safe.toLocaleString('en')} safe, ${unsafe.toLocaleString('en')} unsafe), ${how}${expired > 0 ? `; ${expired.toLocaleString('en')} expired` : ''}`,
  );
}
