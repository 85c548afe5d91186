import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeProvider, type FakeProvider } from '../fake-provider/index.ts';
import {
  askedOf,
  difference,
  inOrder,
  linesOf,
  moveRuns,
  proxied,
  readCases,
  readContinuations,
  readLedger,
  readReadings,
  releaseFolder,
  replay,
  replayNearest,
  somewhere,
  timeless,
  withoutNews,
  type Answered,
  type Asked,
  type Continuation,
  type Exchanged,
  type JudgedCase,
} from '../support/earlier-release.ts';
import { agon, startAgon, until, type Ran } from '../support/run-agon.ts';
import { sampleCases } from '../support/slow.ts';

/*
 * Answers, half-done trials and ledgers of the release 6a0e44e: what they meant then, they mean now. Nothing here calls
 * the code but through its commands, so that it can be rebuilt; what the models were asked and answered is on record.
 */

let folder: string;
let provider: FakeProvider;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'agon-release-'));
  cpSync(path.join(releaseFolder, 'files'), folder, { recursive: true });
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

/** Runs a command where the release ran it; `ledger` is a file in the folder, or false for none. */
async function run(args: readonly string[], ledger: string, settings: object = {}, stdin = ''): Promise<Ran> {
  writeFileSync(path.join(folder, 'agon.config.json'), JSON.stringify(settings));
  return agon(args, {
    cwd: folder,
    stdin,
    environment: { AGON_HOME: folder, AGON_LEDGER: ledger, ...proxied(provider) },
  });
}

async function printed(...command: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...command);
  if (code !== 0) throw new Error(`agon ${command[0].join(' ')}: ${code} ${stderr}`);
  return stdout;
}

/** What is asked of models while something is done, which say what they said then. */
async function asking<Value>(
  then: readonly Exchanged[],
  work: () => Promise<Value>,
): Promise<{ value: Value; asked: Asked[] }> {
  const { script, unknown } = replay(then);
  const before = provider.requests.length;
  provider.script = script;
  const value = await work();
  if (unknown[0]) expect.fail(`The models are asked what they were not asked then.\n${difference(unknown[0], then)}`);
  return { value, asked: inOrder(provider.requests.slice(before).map(askedOf)) };
}

function restored(name: string): string {
  const file = path.join(folder, `${name}-${(copies += 1)}.sqlite`);
  writeFileSync(file, readLedger(name));
  return file;
}
let copies = 0;

const keysOf = ({ transcript, claims = [] }: Answered): string[] =>
  [transcript, ...claims.map((claim) => claim.transcript)].flat().map(({ key }) => key);
/** Of a claim, whichever it is: there may be more of them by now. */
const lastStepOf = (answer: Answered) =>
  keysOf(answer)
    .at(-1)!
    .replace(/^claim-\d+\//, '');
const verdictsOf = ({ verdict, claims = [] }: Answered) =>
  [verdict, ...claims.map((claim) => claim.verdict)].map((one) => [one?.label, one?.rule.id]);
const outcomesOf = ({ id, holds, checks }: JudgedCase['verified']) => ({
  id,
  holds,
  checks: checks.map(({ name, outcome }) => [name, outcome]),
});

/** All but how long it took this time, and the seal over that. */
function withoutClock({ claims, ...answer }: Answered): object {
  const usage = { ...answer.usage, latencyMs: null };
  return { ...answer, seal: null, usage, ...(claims ? { claims: claims.map(withoutClock) } : {}) };
}

/** Whether a seat could not be reached or paid: its stand-in is not for the record, and it is asked again. */
const isPassing = (answer: unknown) => /"reason":"(?:timeout|unavailable|budget)"/.test(JSON.stringify(answer));

const cases = readCases();
const isEmbedded = ({ settings }: JudgedCase) => !('seats' in settings);
/** Since then statements are read as programs, and claims decided by what code has shown of them. */
const isOfDocuments = ({ name }: { name: string }) => /^documents: |documents$|dossier$/.test(name);
/** Since then other eyes read what is written in images, and say what they show where no model does. */
const isLookedAtAnew = ({ name }: { name: string }) =>
  [
    'moderation: image and text',
    'moderation: image unseen',
    'moderation: method judge, image',
    'moderation: debate about an image',
  ].includes(name);
/** Since then their case files say more: what is disguised has a plain form, and precedents are about the case. */
const isReadAnew = (one: { name: string }) =>
  isOfDocuments(one) ||
  isLookedAtAnew(one) ||
  [
    'moderation: debate with precedents',
    'moderation: what hides in a text',
    'evaluation: a conversation',
    'a bench of moderation',
  ].includes(one.name);
const isReadAlike = (one: JudgedCase) => !isEmbedded(one) && !isReadAnew(one);
const isAnotherCase = (one: JudgedCase) => !isEmbedded(one) && (isOfDocuments(one) || isLookedAtAnew(one));

/** An answer of today that says by which reader or eyes it was made, and verifies. */
async function expectOfToday({ provenance, ...answer }: Answered, settings: object): Promise<void> {
  expect(provenance.edition ?? provenance.eyes).toBeDefined();
  const { code, stdout } = await run(['verify', '-'], 'false', settings, JSON.stringify({ ...answer, provenance }));
  expect({ code, stdout }).toMatchObject({ code: 0 });
}

describe('an answer of 6a0e44e', () => {
  test.each(sampleCases(cases, 6))('$name: verifies as it did', async ({ answer, verified, source, settings }) => {
    const verify = async (flags: readonly string[]) => {
      const { stdout } = await run(['verify', '-', '--json', ...flags], 'false', settings, JSON.stringify(answer));
      return outcomesOf(JSON.parse(stdout) as JudgedCase['verified']);
    };
    expect(await verify([])).toEqual(outcomesOf(verified));
    if (source) expect(await verify(source.flags)).toEqual(outcomesOf(source.verified));
  });

  test.each(sampleCases(cases.filter(isReadAlike), 9))('$name: is judged anew in the same words', async (one) => {
    const { args, stdin, settings, exchanged } = one;
    const then = one.answer;
    const { value, asked } = await asking(exchanged, () =>
      printed([...args, '--json'], then.retrieval ? 'new.sqlite' : 'false', settings, stdin),
    );
    const now = JSON.parse(value) as Answered;
    expect(asked).toEqual(inOrder(exchanged.map((exchange) => exchange.asked)));
    // How alike precedents are is computed by a model, and differs a little from one processor to another.
    if (then.retrieval)
      expect([now.id, verdictsOf(now), keysOf(now)]).toEqual([then.id, verdictsOf(then), keysOf(then)]);
    else expect(timeless(withoutNews(now))).toEqual(timeless(withoutNews(then)));
  });

  test.each(sampleCases(cases.filter(isAnotherCase), 6))(
    '$name: is judged anew as another case, since it is read otherwise',
    async ({ args, stdin, settings, exchanged, answer }) => {
      provider.script = replayNearest(exchanged);
      const now = JSON.parse(await printed([...args, '--json'], 'false', settings, stdin)) as Answered;
      expect(now.id).not.toBe(answer.id);
      expect(lastStepOf(now)).toBe(lastStepOf(answer));
      await expectOfToday(now, settings);
    },
  );

  const isByWords = ({ name }: JudgedCase) => /-match|refusal-/.test(name);
  const judgeAnew = async ({ args, stdin, settings }: JudgedCase) =>
    JSON.parse(await printed([...args, '--json'], 'false', settings, stdin)) as Answered;

  test.each(
    sampleCases(
      cases.filter((one) => isEmbedded(one) && isByWords(one)),
      6,
    ),
  )('$name: is judged anew with the same verdict', async (one) => {
    const now = await judgeAnew(one);
    expect([now.id, verdictsOf(now), keysOf(now)]).toEqual([one.answer.id, verdictsOf(one.answer), keysOf(one.answer)]);
  });

  test.each(
    sampleCases(
      cases.filter((one) => isEmbedded(one) && !isByWords(one)),
      6,
    ),
  )('$name: is judged anew as another case, since the embedded reasoner is another', async (one) => {
    const now = await judgeAnew(one);
    expect(now.id).not.toBe(one.answer.id);
    expect(lastStepOf(now)).toBe(lastStepOf(one.answer));
  });
});

describe('a ledger of 6a0e44e in which all is judged', () => {
  let ledger: string;
  beforeAll(() => {
    ledger = restored('cases');
  });

  test.each(sampleCases(cases.filter(isReadAlike), 8))(
    '$name: is recalled, and nobody is asked',
    async ({ args, stdin, settings, exchanged, answer, askedAgain }) => {
      const { value, asked } = await asking(exchanged, () => printed([...args, '--json'], ledger, settings, stdin));
      expect(asked).toEqual(inOrder(askedAgain));
      const [now, then] = [JSON.parse(value) as Answered, answer];
      if (isPassing(then)) expect(timeless(withoutNews(now))).toEqual(timeless(withoutNews(then)));
      else expect(withoutNews(withoutClock(now))).toEqual(withoutNews(withoutClock(then)));
    },
  );

  test.each(sampleCases(cases.filter(isAnotherCase), 12))(
    '$name: is not recalled for what is read otherwise, and stays as it is',
    async ({ args, stdin, settings, exchanged, answer }) => {
      const copy = restored('cases');
      provider.script = replayNearest(exchanged);
      const now = JSON.parse(await printed([...args, '--json'], copy, settings, stdin)) as Answered;
      expect(now.id).not.toBe(answer.id);
      await expectOfToday(now, settings);
      const kept = JSON.parse(await printed(['show', answer.id, '--json'], copy, settings)) as Answered;
      if (!isPassing(answer)) expect(kept.seal).toBe(answer.seal);
    },
  );

  test.each(sampleCases(cases, 15))('$name: is reported in every format', async ({ answer, settings }) => {
    const formats = ['html', 'md', 'json', 'txt', ...('claims' in answer ? ['pdf'] : [])];
    await printed(
      // Not from the ledger in which all is judged anew: its answers say of images what they said of none then.
      ['show', answer.id, '-q', ...formats.flatMap((format) => ['--report', `rendered.${format}`])],
      restored('cases'),
      settings,
    );
    const read = (format: string) => readFileSync(path.join(folder, `rendered.${format}`), 'utf8');
    if (!isPassing(answer)) expect(JSON.parse(read('json'))).toEqual(answer);
    for (const format of ['html', 'md']) expect(read(format)).toContain(answer.id);
    for (const format of formats) expect(read(format).length).toBeGreaterThan(100);
  });
});

const continuations = readContinuations();

const hasCascade = ({ name }: { name: string }) => name === 'a run with a cascade';

describe('work that 6a0e44e left half done goes on', () => {
  test('but not a cascade that was fitted to the guard of then', async () => {
    const { ledger: name, left, commands, settings } = continuations.find(hasCascade)!;
    const ledger = restored(name);
    moveRuns(ledger, somewhere, folder);
    for (const [name, content] of Object.entries(left)) writeFileSync(path.join(folder, name), content);
    const ran = await Promise.all(commands.map((command) => run(command, ledger, settings)));
    expect(ran.map(({ stderr }) => stderr).join('')).toMatch(/fitted on another guard.*Fit it anew/s);
  });

  const begin = (one: Continuation) => {
    const ledger = restored(one.ledger);
    moveRuns(ledger, somewhere, folder);
    for (const [name, content] of Object.entries(one.left)) writeFileSync(path.join(folder, name), content);
    provider.script = replayNearest([...cases.flatMap(({ exchanged }) => exchanged), ...one.missing]);
    return ledger;
  };
  const isTrial = ({ name }: Continuation) => /^(?:documents|moderation): /.test(name);

  test.each(continuations.filter((one) => isTrial(one) && (isOfDocuments(one) || isLookedAtAnew(one))))(
    'but not as the same case where it is read otherwise: $name',
    async (one) => {
      const ledger = begin(one);
      const now = JSON.parse(await printed(one.commands[0]!, ledger, one.settings)) as Answered;
      expect(now.id).not.toBe((one.outcome[0] as Answered).id);
      await expectOfToday(now, one.settings);
    },
  );

  test('but not a run of documents: it says that it is to be started anew', async () => {
    const one = continuations.find(({ name }) => name === 'a run of documents')!;
    const ledger = begin(one);
    const { code, stderr } = await run(one.commands[0]!, ledger, one.settings);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/other models, prompts or rules/),
    });
  });

  test('but a bench of documents measures today’s reader alone', async () => {
    const one = continuations.find(({ name }) => name === 'a bench of documents')!;
    const ledger = begin(one);
    const before = provider.requests.length;
    const configurationsOf = (result: unknown) =>
      (result as { systems: { configuration: string }[] }).systems.map(({ configuration }) => configuration);
    const now = configurationsOf(JSON.parse(await printed(one.commands[0]!, ledger, one.settings)));
    for (const then of configurationsOf(one.outcome[0])) expect(now).not.toContain(then);
    expect(provider.requests.length - before).toBeGreaterThanOrEqual(one.missing.length);
  });

  test('and a replay of a dossier says what it could not recall', async () => {
    const one = continuations.find(({ name }) => name === 'a replay of a dossier')!;
    const ledger = begin(one);
    const { notes, argued, answer } = JSON.parse(await printed(one.commands[0]!, ledger, one.settings)) as {
      notes: string[];
      argued: string[];
      answer: Answered;
    };
    expect(notes.join()).toMatch(/not everything could be recalled/);
    expect(argued).toContain('selection');
    await expectOfToday(answer, one.settings);
  });

  test.each(continuations.filter((one) => !hasCascade(one) && !isReadAnew(one)))(
    '$name',
    async ({ ledger: name, left, commands, settings, missing, file, outcome }) => {
      const ledger = restored(name);
      moveRuns(ledger, somewhere, folder);
      for (const [name, content] of Object.entries(left)) writeFileSync(path.join(folder, name), content);
      const { value, asked } = await asking(missing, async () => {
        let stdout = '';
        for (const command of commands) ({ stdout } = await run(command, ledger, settings));
        return stdout;
      });
      expect(asked).toEqual(inOrder(missing.map((exchange) => exchange.asked)));
      const lines = linesOf(file === undefined ? value : readFileSync(path.join(folder, file), 'utf8'));
      expect(timeless(withoutNews(lines))).toEqual(timeless(withoutNews(outcome)));
      for (const answer of lines.filter(isAnswer)) {
        const { code, stdout } = await run(['verify', '-'], 'false', settings, JSON.stringify(answer));
        expect({ code, stdout }).toMatchObject({ code: 0 });
      }
    },
  );
});

/**
 * Without what depends on the moment at which it is read, and without what there was none of then: corrections, legal
 * holds, and whether a case is judged or was interrupted.
 */
const settled = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (name, member: unknown) => {
    const isLaterList = ['corrections', 'disclosures', 'holds'].includes(name);
    if (isLaterList && Array.isArray(member) && member.length === 0) return undefined;
    if (isBench(member)) return withoutConduct(member);
    // Nobody marked anything.
    if (['marking', 'markAgreement', 'finding'].includes(name) && member === null) return undefined;
    if (isQueued(member)) return withoutPlace(member);
    if (isCase(member)) return withoutState(member);
    if (isGrid(member)) return { ...member, total: undefined };
    if (isGridItem(member)) return { ...member, excerpt: undefined, others: undefined };
    // A person then decided on no action.
    if (isDecision(member)) return { ...member, action: undefined };
    return name === 'endedLastMinute' ? null : member;
  }) as unknown;

/** Items of a run tell their content since then, and how many they are. */
const isGridItem = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'position' in value && 'others' in value;
const isGrid = (value: unknown): value is { rows: unknown[] } =>
  typeof value === 'object' && value !== null && 'rows' in value && 'total' in value && 'next' in value;

const isDecision = (value: unknown): value is { action: null } =>
  typeof value === 'object' &&
  value !== null &&
  'by' in value &&
  'case' in value &&
  'action' in value &&
  value.action === null;

/** There was one queue, without a time to decide and without people. */
interface Queued {
  queue: string;
  dueAt: string | null;
  assigned: string | null;
}

const isQueued = (value: unknown): value is Queued =>
  typeof value === 'object' && value !== null && 'queue' in value && 'dueAt' in value && 'assigned' in value;

function withoutPlace({ queue, dueAt, assigned, ...rest }: Queued) {
  expect([queue, dueAt, assigned]).toEqual(['default', null, null]);
  return rest;
}

/** No server conducted a bench. */
interface Bench {
  live: boolean;
  problem?: unknown;
  progress?: unknown;
  resumable?: unknown;
}

const isBench = (value: unknown): value is Bench =>
  typeof value === 'object' && value !== null && 'judged' in value && 'sets' in value && 'live' in value;

function withoutConduct({ live, problem = null, progress = null, resumable = false, ...rest }: Bench) {
  expect([live, problem, progress, resumable]).toEqual([false, null, null, false]);
  return rest;
}

const caseNews = ['action', 'severity', 'author', 'thread', 'context'] as const;
type ListedCase = { state?: unknown; problem?: unknown; label: string | null } & {
  [name in (typeof caseNews)[number]]?: unknown;
};

const isCase = (value: unknown): value is ListedCase =>
  typeof value === 'object' && value !== null && 'openedAt' in value && 'excerpt' in value && 'state' in value;

/** What was not told then is told of no case of then. */
function withoutState({ state, problem, ...rest }: ListedCase) {
  expect([state, problem]).toEqual([rest.label === null ? 'interrupted' : 'judged', null]);
  for (const name of caseNews) {
    expect(rest[name] ?? null).toBeNull();
    delete rest[name];
  }
  return rest;
}

const isAnswer = (line: unknown): line is Answered => typeof line === 'object' && line !== null && 'seal' in line;

describe('a ledger of 6a0e44e with something of everything', () => {
  const readings = readReadings();
  const exported = readings[0]!.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  let ledger: string;
  beforeAll(() => {
    ledger = restored('whole');
  });

  test.each(readings.flatMap(({ args, lines }) => (args ? [{ args, lines, line: args.join(' ') }] : [])))(
    'agon $line says what it said',
    async ({ args, lines }) => {
      expect(settled(linesOf(await printed(args, ledger)))).toEqual(settled(lines));
    },
  );

  test('is taken in by another one, line by line', async () => {
    expect(await printed(['ledger', 'export'], ledger)).toBe(exported);
    writeFileSync(path.join(folder, 'export.jsonl'), exported);
    const other = path.join(folder, 'taken-in.sqlite');
    await printed(['ledger', 'import', 'export.jsonl'], other);
    expect(await printed(['ledger', 'export'], other)).toBe(exported);
    expect(settled(linesOf(await printed(['cases', '--json', '--limit', '100'], other)))).toEqual(readings[1]!.lines);
  });

  test('is served as it was', async () => {
    writeFileSync(path.join(folder, 'agon.config.json'), '{}');
    const { child, ended } = startAgon(['serve', '--port', '0'], {
      cwd: folder,
      environment: { AGON_HOME: folder, AGON_LEDGER: ledger, ...proxied(provider) },
    });
    let said = '';
    child.stdout!.on('data', (text: string) => (said += text));
    await until(() => /http:\S+\d/.test(said), 60);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)![0];
    try {
      for (const { get, lines } of readings) {
        if (get === undefined) continue;
        const response = await fetch(`${url}${get}`);
        expect([get, response.status, settled(await response.json())]).toEqual([get, 200, settled(lines[0])]);
      }
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});
