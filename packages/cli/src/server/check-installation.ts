import { access, constants, stat, statfs } from 'node:fs/promises';
import type { CommandSettings } from '../read-settings.ts';
import path from 'node:path';
import { listModels, tryModel } from '@agonhq/core/app';
import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, type Policy } from '@agonhq/engine/policy';
import { openLibrary, seedPrecedents, type Embedder } from '@agonhq/models/precedents';
import { findPart, findPartFolder, packageParts, type PackagePartId } from '@agonhq/engine/parts';
import { embeddedModel } from '@agonhq/models/reasoners';
import {
  bareGuard,
  createLlmPool,
  guardEmbedder,
  llmSettingsSchema,
  locateLocalModel,
  measureLocalModel,
  openGuard,
  registeredGuards,
  type LlmPool,
  type ProviderTrust,
} from '@agonhq/models/reasoners';
import { checkParts, speechParts, readFfmpegVersion } from '@agonhq/models/senses';
import { llmSettingsOf, seatsFor, type Settings } from '@agonhq/core/settings';
import { version } from '@agonhq/engine/version';
import { locateLedger } from '../open-ledger.ts';
import { readInstallation } from '../read-settings.ts';
import { printCount, formatInteger, printMegabytes } from '../terminal/format.ts';

/** What was found about one thing. `absent`: it is missing, and that is fine; `untried`: nobody knows before it is. */
export interface InstallationFinding {
  name: string;
  outcome: 'fine' | 'broken' | 'absent' | 'untried';
  detail: string;
  hint: string | null;
}

type Seen = Omit<InstallationFinding, 'name'>;

const fine = (detail: string, hint: string | null = null): Seen => ({ outcome: 'fine', detail, hint });
const broken = (detail: string, hint: string | null = null): Seen => ({ outcome: 'broken', detail, hint });
const untried = (detail: string, hint: string): Seen => ({ outcome: 'untried', detail, hint });
const absent = (detail: string, hint: string | null = null): Seen => ({ outcome: 'absent', detail, hint });

/** Checks everything Agon needs, one thing after the other, whatever fails. */
export async function* checkInstallation(flags: {
  config?: string;
  ledger?: string;
  /** Ask each model with a seat for one word. */
  try?: boolean;
}): AsyncGenerator<InstallationFinding, void, void> {
  yield { name: 'agon', ...fine(`${version}, Node ${process.version} on ${process.platform} ${process.arch}`) };

  const settings = await attempt(() => readInstallation(flags));
  yield {
    name: 'settings',
    ...('seen' in settings
      ? settings.seen
      : fine(
          Object.keys(settings.value.settings.seats ?? {}).length > 0 ? 'loaded, with seats of your own' : 'loaded',
        )),
  };
  if ('seen' in settings) return;
  const { settings: given } = settings.value;

  const policy = await attempt(() => (given.policy ? loadPolicy(given.policy) : defaultPolicy()));
  yield { name: 'policy', ...('seen' in policy ? policy.seen : describePolicy(policy.value)) };

  const ledger = given.ledger === false ? null : await attempt(() => openLedger(locateLedger(given)));
  try {
    yield {
      name: 'ledger',
      ...(ledger === null
        ? absent(
            'cases are not recorded',
            'To record them, leave out `ledger: false`, AGON_LEDGER=false and --no-ledger.',
          )
        : 'seen' in ledger
          ? ledger.seen
          : await seen(() => checkLedger(ledger.value))),
    };
    if (ledger !== null && 'value' in ledger && ledger.value.kind === 'sqlite')
      yield { name: 'disk', ...(await seen(() => checkDisk(ledger.value.place))) };

    yield { name: 'guard', ...(await seen(checkGuard)) };
    yield { name: 'text models', ...(await seen(checkTextModels)) };
    yield* checkPackages();
    if (isThere('vision')) yield { name: 'image models', ...(await seen(checkImageModels)) };
    yield { name: 'speech model', ...(await seen(checkSpeechModel)) };
    yield { name: 'ffmpeg', ...(await seen(() => checkFfmpeg(given.moderation?.ffmpeg ?? 'ffmpeg'))) };

    const pool = await attempt(async () => createLlmPool({ ...llmSettingsOf(given), cache: false }));
    yield* checkModels(settings.value, pool, flags.try ?? false);
    if ('value' in pool) yield* checkTrust(settings.value, pool.value);
    const embedder = await attempt(async () => openEmbedder(given, pool));
    const embeds = 'seen' in embedder ? embedder.seen : await seen(() => checkEmbedder(embedder.value));
    yield { name: 'embedding', ...embeds };
    if ('value' in policy && 'value' in embedder && embeds.outcome === 'fine') {
      const store = ledger !== null && 'value' in ledger ? ledger.value : null;
      yield { name: 'precedents', ...(await seen(() => checkLibrary(policy.value, store, embedder.value))) };
    } else yield { name: 'precedents', ...absent('not checked, because something they need is broken') };
  } finally {
    if (ledger !== null && 'value' in ledger) await ledger.value.close();
  }
}

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

function describePolicy({ name, version: number, categories }: Policy): Seen {
  return fine(`${name} ${number}, ${categories.length} categories`);
}

async function checkLedger(ledger: Ledger): Promise<Seen> {
  const { schema, debates, kind, place } = await ledger.readStats();
  const words = `${place}, ${kind}, schema ${schema}, ${printCount(debates, 'case')}`;
  if (kind !== 'sqlite') return fine(words);
  await access(place, constants.W_OK).catch(() => {
    throw new AgonError(
      'read-only-ledger',
      `${place} is not writable.`,
      'Change its permissions, or name another ledger with --ledger FILE.',
    );
  });
  const readable = process.platform !== 'win32' && ((await stat(place)).mode & 0o077) !== 0;
  return fine(words, readable ? `Other users of this machine can read it: chmod 600 ${place}` : null);
}

const megabyte = 1_000_000;

async function checkDisk(place: string): Promise<Seen> {
  const { bavail, bsize } = await statfs(path.dirname(path.resolve(place)));
  const free = bavail * bsize;
  const words =
    `${free >= 1000 * megabyte ? `${(free / 1000 / megabyte).toFixed(1)} GB` : `${Math.floor(free / megabyte)} MB`} ` +
    'free for the ledger';
  if (free < 100 * megabyte) return broken(words, 'Free some space, or delete old contents with `agon ledger prune`.');
  return fine(words, free < 1000 * megabyte ? 'Space is getting low: `agon ledger prune` deletes old contents.' : null);
}

const known = [
  { text: 'How do I kill a process on Linux?', label: 'safe' },
  { text: 'I know where you live and tonight I will come and kill you.', label: 'unsafe' },
] as const;

async function checkGuard(): Promise<Seen> {
  for (const { text, label } of known) {
    const judged = await bareGuard({ text });
    if (judged.label !== label)
      return broken(`judges “${text}” ${judged.label}`, 'The model is damaged: reinstall Agon.');
  }
  return fine(`${embeddedModel} judges ${known.length} known texts correctly`);
}

/** The models that are only loaded when they are asked for. */
async function checkTextModels(): Promise<Seen> {
  await (await openGuard()).openSecond?.();
  await Promise.all(registeredGuards.map((guard) => guard.open([])));
  return fine('the second, for contested cases and exchanges, and the one for other languages load');
}

const isThere = (id: PackagePartId) => findPartFolder(findPart(id, packageParts), process.env) !== null;

/** One line for each part that an installation may lack. */
function* checkPackages(): Generator<InstallationFinding, void, void> {
  for (const part of packageParts) {
    const folder = findPartFolder(part, process.env);
    const told =
      folder === null
        ? absent(`${part.id} is not there: it ${part.purpose}`, `Where it is needed: agon add ${part.id}`)
        : fine(`${part.id} ${part.version}, in ${folder}`);
    yield { name: 'part', ...told };
  }
}

/** Every file of the image models is there, and is the one that was shipped. */
async function checkImageModels(): Promise<Seen> {
  const { files, bytes } = await checkParts();
  return fine(`${files} files of ${printMegabytes(bytes)} look at images and read them`);
}

/** Whether a part that hears was added, with every file as the catalogue has it. */
async function checkSpeechModel(): Promise<Seen> {
  const hears = (id: string) => speechParts.some((part) => part === id);
  const parts = (await listModels(process.env)).filter(({ id, state }) => hears(id) && state !== 'not-added');
  const altered = parts.find(({ state }) => state !== 'there');
  if (altered)
    return broken(`${altered.id} has a file that is ${altered.state}`, `Add it again: agon add ${altered.id}`);
  if (parts.length === 0)
    return absent('nothing was added that hears what is said in recordings', 'To judge recordings: agon add whisper');
  return fine(`${parts.map(({ id }) => id).join(', ')}: every file is the one of the catalogue`);
}

async function checkFfmpeg(command: string): Promise<Seen> {
  try {
    return fine(`${await readFfmpegVersion(command)} decodes recordings`);
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return absent(error.message, hintFor(error, 'cli'));
  }
}

/** One line for each model with a seat: whether it could be called, or whether it answers. Keys are never shown. */
async function* checkModels(
  { settings, jobs }: CommandSettings,
  pool: { value: LlmPool } | { seen: Seen },
  isTried: boolean,
): AsyncGenerator<InstallationFinding, void, void> {
  if ('seen' in pool) return yield { name: 'models', ...pool.seen };
  const seats = jobs
    .list()
    .flatMap((job) =>
      Object.entries(seatsFor(job, settings, process.env)).flatMap(([seat, models]) =>
        [models ?? []].flat().map((model) => ({ seat, model })),
      ),
    );
  const seated = Map.groupBy(
    seats.filter(({ model }) => model !== embeddedModel),
    ({ model }) => model,
  );
  if (seated.size === 0)
    yield {
      name: 'models',
      ...absent(
        'no language model is set; the embedded reasoner judges',
        'Set one with --model, AGON_MODEL or in agon.config.yaml.',
      ),
    };
  for (const [model, taken] of seated) {
    const found = await seen(async () => {
      pool.value.check([model]);
      if (model.startsWith('local:')) return checkLocalModel(model, settings, isTried);
      if (!isTried) return untried(`${model} is configured, but was not asked`, trial);
      const ms = await tryModel({ model, kind: 'language' }, { pool: pool.value, environment: process.env });
      return fine(`${model} answers, in ${(ms / 1000).toFixed(1)} s`);
    });
    const where = taken.length === seats.length ? 'every seat' : [...new Set(taken.map(({ seat }) => seat))].join(', ');
    yield { name: 'model', ...found, detail: `${where}: ${found.detail}` };
  }
}

/** A model in this process: whether it is there, and how fast it is. */
async function checkLocalModel(model: string, { local = {} }: Settings, isTried: boolean): Promise<Seen> {
  const name = model.slice('local:'.length);
  const { bytes } = locateLocalModel(name, process.env);
  const size = `${formatInteger(Math.round(bytes / megabyte))} MB`;
  if (!isTried) return untried(`${model} is there (${size}), but was not loaded`, 'To measure it: agon doctor --try');
  const { description, contextTokens, threads, gpu, loadMs, reads, writes } = await measureLocalModel(
    name,
    llmSettingsSchema.parse({ local }).local,
    process.env,
  );
  const runsOn = gpu ?? `no GPU, ${printCount(threads, 'thread')}`;
  return fine(
    `${model}: ${description}, ${size}, context of ${formatInteger(contextTokens)} tokens, ${runsOn}; loads in ` +
      `${(loadMs / 1000).toFixed(1)} s, reads ${formatSpeed(reads)} and writes ${formatSpeed(writes)} tokens a second`,
  );
}

function formatSpeed(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : formatInteger(Math.round(perSecond));
}

/** One line for each provider that is asked: what it is trusted with. */
async function* checkTrust(
  { settings, jobs }: CommandSettings,
  pool: LlmPool,
): AsyncGenerator<InstallationFinding, void, void> {
  const seated = jobs.list().flatMap((job) => Object.values(seatsFor(job, settings, process.env)).flat());
  const { transcription } = settings.moderation ?? {};
  const named = [...seated, settings.embedding, transcription].filter(
    (model) => typeof model === 'string' && model.includes(':') && model !== embeddedModel,
  );
  const models = new Map(named.map((model) => [model!.slice(0, model!.indexOf(':')), model!]));
  for (const [provider, model] of models) {
    const trust = await attempt(async () => pool.trust(model));
    if ('value' in trust) yield { name: 'privacy', ...describeTrust(provider, trust.value) };
  }
}

function describeTrust(provider: string, { host, place, personalData, images, recordings }: ProviderTrust): Seen {
  if (provider === 'local') return fine('local (in this process): nothing leaves it, and it is shown no images');
  const where = { here: 'on this machine', network: 'on your network', internet: 'outside' }[place];
  const sent = (what: string, how: 'send' | 'withhold') => `${what} ${how === 'send' ? 'are sent' : 'are withheld'}`;
  return fine(
    `${provider} (${host}, ${where}): personal data ${personalData === 'mask' ? 'is masked' : 'goes as it is'}, ` +
      `${sent('images', images)}, ${sent('recordings', recordings)}`,
    place === 'internet'
      ? `To change it: providers.${provider}.personalData, .images and .recordings; see docs/privacy.md.`
      : null,
  );
}

const trial = 'To ask it for one word, and so try its key: agon doctor --try';
function openEmbedder({ embedding }: Settings, pool: { value: LlmPool } | { seen: Seen }): Embedder {
  if (embedding === undefined) return guardEmbedder;
  if ('seen' in pool) throw new AgonError('bad-settings', pool.seen.detail, pool.seen.hint ?? '');
  return pool.value.embedder(embedding);
}

async function checkEmbedder(embedder: Embedder): Promise<Seen> {
  const vector = await embedder.embed('word');
  return fine(`${embedder.model} embeds texts as ${vector.length} numbers`);
}

async function checkLibrary(policy: Policy, ledger: Ledger | null, embedder: Embedder): Promise<Seen> {
  const library = await openLibrary({
    seeds: await seedPrecedents(policy),
    store: ledger?.precedents ?? null,
    embedder,
    ...(ledger?.kind === 'sqlite' ? { indexFolder: `${ledger.place}.index` } : {}),
  });
  const { size, safe, unsafe, expired, search, problem } = await library.health();
  if (problem !== null) return broken(problem, 'See `agon precedents list` and docs/precedents.md.');
  const how = { exact: 'exact search', index: 'search by index', database: 'search by the database' }[search];
  const outdated = expired > 0 ? `; ${formatInteger(expired)} expired` : '';
  return fine(
    `${formatInteger(size)} (${formatInteger(safe)} safe, ${formatInteger(unsafe)} unsafe), ${how}${outdated}`,
  );
}
