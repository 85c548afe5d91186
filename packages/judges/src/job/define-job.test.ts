import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  createFence,
  findLastTurn,
  findTurns,
  memoryJournal,
  noUsage,
  resultOf,
  together,
  turn,
} from '@agonhq/engine/debate';
import { scriptedReasoner, type ScriptedReasoner } from '@agonhq/test/support/scripted.ts';
import { defineJob, type JobDefinition } from './define-job.ts';
import { argumentSchema, defineRole } from './define-role.ts';
import type { JobKit, SubjectKit } from './job-kit.ts';

const reader = defineRole({
  id: 'reader',
  instructions: 'Read it.',
  schema: argumentSchema,
  fallback: () => ({ statement: 'No answer.', evidence: [], score: 0.5 }),
  program: ({ caseFile }) => ({ statement: 'Read.', evidence: [caseFile.sources[0]!.text], score: 0.2 }),
});
const critic = defineRole({ ...reader, id: 'critic', instructions: 'Find what is wrong.', program: undefined });

const roles = { reader, critic };
type Definition = JobDefinition<{ title: string; lines?: string[] | undefined }, typeof roles>;
const definition: Definition = {
  id: 'reading',
  version: '1',
  title: 'Reading',
  subject: 'text',
  labels: ['good', 'bad'],
  input: z.object({ title: z.string(), lines: z.array(z.string()).optional() }),
  sources: ({ title, lines = [] }) => [
    { id: 'title', text: title },
    ...lines.map((text, index) => ({ id: `line-${index + 1}`, text })),
  ],
  roles,
  protocol: (seats) => together(turn(seats.reader), turn(seats.critic)),
  decide: (transcript) => ({
    label: (findLastTurn(transcript, reader)?.score ?? 0) < 0.5 ? 'good' : 'bad',
    score: 0.2,
    rule: { id: 'score', why: 'By its score.' },
  }),
};

interface Seated {
  models?: Record<string, string | null>;
  given?: Record<string, ScriptedReasoner>;
  subject?: Partial<SubjectKit>;
}

function kitOf({ models = {}, given = {}, subject = {} }: Seated = {}) {
  const required: string[][] = [];
  const reasoner = scriptedReasoner();
  const kit = {
    secret: 'secret',
    version: '9.9.9',
    seats: {
      modelOf: (seat: string) => models[seat] ?? 'embedded:guard',
      given: (seat: string) => given[seat],
      isEmbedded: (model: string | null) => model === 'embedded:guard',
      require: (seats: readonly string[]) => (required.push([...seats]), new Map()),
    },
    forSubject: () => ({
      reasonerFor: (seat: string) => given[seat] ?? reasoner,
      journal: memoryJournal(),
      ...subject,
    }),
  } as unknown as JobKit;
  return { kit, required, reasoner };
}

const judge = (
  changes: Partial<Definition> = {},
  seated: Seated = {},
  input: { title: string; lines?: string[] } = { title: 'A text.' },
  options = {},
) =>
  resultOf(
    defineJob({ ...definition, ...changes })
      .open(kitOf(seated).kit)
      .judge(input, options),
  );

describe('a job of your own', () => {
  test('gives an answer that its rules decided, and that stands every check', async () => {
    const answer = await judge();
    expect(answer).toMatchObject({
      job: 'reading',
      id: expect.stringMatching(/^reading-[0-9a-f]{16}$/),
      sources: [{ id: 'title', text: 'A text.' }],
      verdict: {
        label: 'good',
        score: 0.2,
        risk: null,
        bar: null,
        escalate: false,
        confidence: null,
        rule: { id: 'score' },
        categories: [],
        evidence: [],
      },
      provenance: {
        agon: '9.9.9',
        protocol: 'Reading 1: reader, critic',
        policy: { name: 'reading', version: '1' },
        models: { reader: 'program:reader', critic: 'test:scripted' },
        precedents: null,
      },
    });
    const checks = await defineJob(definition).verify(answer, {} as never);
    expect(checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['seal', 'ok'],
      ['quotations', 'ok'],
      ['rules', 'ok'],
    ]);
    expect(findTurns(answer.transcript)[0]).toMatchObject({
      seat: 'reader',
      evidence: [{ quote: 'A text.', source: 'title', verified: true }],
    });
  });

  test('sends what its rules leave undecided to a person, and whatever they ask for', async () => {
    const rule = { id: 'r', why: 'So.' };
    const decided = async (more: object) =>
      (await judge({ decide: () => ({ label: 'undecided', score: null, rule, ...more }) })).verdict;
    expect(await decided({})).toMatchObject({ label: 'undecided', escalate: true });
    expect(await decided({ escalate: false })).toMatchObject({ escalate: false });
    expect(await decided({ label: 'bad' })).toMatchObject({ label: 'bad', escalate: false });
    expect(await decided({ label: 'bad', escalate: true, confidence: 0.7 })).toMatchObject({
      escalate: true,
      confidence: 0.7,
    });
  });

  test('where no seat was heard its rules are not asked, and nothing is decided', async () => {
    const silent = { ...scriptedReasoner(), answer: async () => failed } as never;
    const failed = {
      outcome: 'failed',
      reason: 'timeout',
      detail: 'late',
      usage: noUsage,
      latencyMs: 0,
      model: 'm',
      raw: '',
    };
    const answer = await judge(
      { decide: () => expect.unreachable('asked') },
      { given: { reader: silent, critic: silent } },
    );
    expect(answer.verdict).toMatchObject({
      label: 'undecided',
      escalate: true,
      score: null,
      rule: { id: 'nobody-heard' },
      degraded: [{ kind: 'fallback' }, { kind: 'fallback' }],
    });
  });

  test('a program speaks in a seat of Agon’s own model, unless a model or reasoner is named for it', async () => {
    const models = async (seated: Seated) => (await judge({}, seated)).provenance.models;
    expect(await models({})).toEqual({ reader: 'program:reader', critic: 'test:scripted' });
    expect(await models({ models: { reader: 'openai:x' } })).toMatchObject({ reader: 'test:scripted' });
    expect(await models({ given: { reader: scriptedReasoner() } })).toMatchObject({ reader: 'test:scripted' });
  });

  test('needs models for the seats that no program speaks in', () => {
    const [embedded, named] = [kitOf(), kitOf({ models: { reader: 'openai:x' } })];
    for (const { kit } of [embedded, named]) defineJob(definition).open(kit);
    expect(embedded.required).toEqual([['critic']]);
    expect(named.required).toEqual([['reader', 'critic']]);
  });

  test('is another configuration with another version, instruction, seat or reasoner, and another case with another input', async () => {
    const louder = { ...reader, instructions: 'Read it aloud.' };
    const other = { ...scriptedReasoner(), fingerprint: 'test:other' };
    const configurations = await Promise.all([
      judge(),
      judge({ version: '2' }),
      judge({ id: 'reading-2' }),
      judge({ roles: { ...roles, reader: louder } }),
      judge({}, { given: { critic: other } }),
    ]);
    const hashes = configurations.map(({ provenance }) => provenance.configuration);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(new Set(configurations.map(({ id }) => id)).size).toBe(hashes.length);

    const cases = await Promise.all([
      judge(),
      judge({}, {}, { title: 'Another.' }),
      judge({}, {}, { title: 'A text.', lines: [] }),
      judge({}, {}, { title: 'A text.' }, { statement: 'I meant well.' }),
    ]);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    expect((await judge()).id).toBe(cases[0].id);
    expect((await judge({}, {}, { title: 'A text.' }, { debate: 'mine' })).id).toBe('mine');
  });

  test('what the person concerned says is a source of its own', async () => {
    const { sources } = await judge({}, {}, { title: 'A text.' }, { statement: 'I meant well.' });
    expect(sources).toMatchObject([{ id: 'title' }, { id: 'statement', text: 'I meant well.', tool: 'statement' }]);
  });

  test('is opened on record before anybody is asked, and the answer on record stands', async () => {
    const told: string[] = [];
    const kept = { id: 'kept', job: 'reading', seal: 'sha256:1' };
    const recorder = {
      openCase: async (entry: { subject: { content: unknown } }) =>
        void told.push(JSON.stringify(entry.subject.content)),
      closeCase: async () => (told.push('closed'), kept),
    };
    const critic = scriptedReasoner({ say: () => (told.push('asked'), {}) });
    const answer = await judge({}, { given: { critic }, subject: { recorder: recorder as never } });
    expect(told).toEqual(['{"title":"A text."}', 'asked', 'closed']);
    expect(answer).toBe(kept);
  });

  test('a mistake in its parts is told as one of its author’s', async () => {
    const thrown = () => {
      throw new Error('oops\nat line 3');
    };
    const failing = { code: 'failed-job', message: expect.stringContaining('oops') };
    for (const part of ['sources', 'protocol', 'decide'])
      await expect(judge({ [part]: thrown })).rejects.toMatchObject({
        ...failing,
        message: expect.stringContaining(part),
      });
    const program = defineRole({ ...reader, program: thrown } as never) as typeof reader;
    await expect(judge({ roles: { ...roles, reader: program } })).rejects.toMatchObject(failing);
    const decide = () => ({ label: 'great', score: null, rule: { id: 'r', why: '' } });
    await expect(judge({ decide })).rejects.toMatchObject({
      code: 'failed-job',
      message: expect.stringContaining('"great"'),
    });
  });

  test('what does not fit its input is refused before anything is opened', async () => {
    const recorder = { openCase: () => expect.unreachable('opened') };
    await expect(judge({}, { subject: { recorder: recorder as never } }, { name: 'x' } as never)).rejects.toMatchObject(
      { code: 'broken-line', hint: 'An item has "title", "lines".' },
    );
  });
});

describe('its answer from outside', () => {
  test('is wrong where its verdict does not follow, where a turn is not readable, and where it was changed', async () => {
    const job = defineJob(definition);
    const answer = await judge();
    const outcomes = async (changed: object) =>
      (await job.verify({ ...answer, ...changed }, {} as never)).map(({ name, outcome }) => `${name} ${outcome}`);
    expect(await outcomes({ verdict: { ...answer.verdict, label: 'bad' } })).toEqual([
      'seal wrong',
      'quotations ok',
      'rules wrong',
    ]);
    const [first, ...rest] = answer.transcript;
    expect(await outcomes({ transcript: [{ ...first, answer: { statement: 1 } }, ...rest] })).toContain('rules wrong');
    expect(await outcomes({ transcript: [{ ...first, seat: 'stranger' }, ...rest] })).toContain('rules wrong');
    expect(await outcomes({ sources: [{ id: 'title', text: 'Another.' }] })).toContain('quotations wrong');
  });
});

describe('its items', () => {
  const { items } = defineJob(definition);

  test('have the fields of its input, of which some are needed and some are lists', () => {
    expect(items).toMatchObject({
      fields: ['id', 'label', 'title', 'lines'],
      parts: [['title']],
      lists: ['lines'],
      example: '{"id":"…","title":"…"}',
    });
    expect([items.readLabel('good'), items.readLabel('great')]).toEqual(['good', undefined]);
  });

  test('are read, kept and read again; their hash is of what they say and not of what they are called', async () => {
    const keepFile = () => expect.unreachable('a file');
    const read = await items.readItem({ id: 7, title: 'T', note: 'x' }, keepFile);
    expect(read).toMatchObject({ id: '7', input: { id: '7', item: { title: 'T' } } });
    expect(read.hash).toBe((await items.readItem({ title: 'T' }, keepFile)).hash);
    expect(read.hash).not.toBe((await items.readItem({ title: 'U' }, keepFile)).hash);
    expect(await items.openItem(read.input, {} as never, { evaluatedModel: null })).toEqual({
      input: { title: 'T' },
      options: {},
    });
    await expect(
      items.openItem({ id: '7', item: { name: 'T' } }, {} as never, { evaluatedModel: null }),
    ).rejects.toMatchObject({
      code: 'damaged-item',
    });
    await expect(items.readItem({ lines: [] }, keepFile)).rejects.toMatchObject({ code: 'broken-line' });
  });
});

describe('a role of your own', () => {
  const caseFile = { sources: [{ id: 'title', text: 'A text.' }] };
  const fence = createFence(caseFile, 'secret');
  const turnOf = (seat: string, more: object) =>
    ({
      kind: 'turn',
      key: seat,
      seat,
      role: seat,
      round: null,
      statement: 'Well,\nit is.',
      score: null,
      ...more,
    }) as never;

  test('sees the sources and what was said, each behind fences, and its instructions last', () => {
    const {
      task,
      caseFile: shown,
      transcript,
    } = reader.prompt({
      caseFile,
      transcript: [
        turnOf('critic', { round: 2, score: 0.4 }),
        turnOf('judge', {}),
        turnOf('mute', { fallback: { reason: 'timeout', detail: '' } }),
      ],
      round: null,
      seat: 'reader',
      fence,
    });
    expect(task).toBe('Your seat: reader. Read it.');
    expect(shown).toBe(fence('title', 'A text.'));
    expect(transcript).toBe(
      fence('debate', 'critic, round 2, score 0.4: Well, it is.\njudge: Well, it is.\nmute: gave no answer.'),
    );
  });

  test('reads a statement, quotes and a score where it has them, and else as it says', () => {
    expect(reader.read({ statement: 'S', evidence: ['q'], score: 0.3 })).toEqual({
      statement: 'S',
      quotes: ['q'],
      score: 0.3,
    });
    expect(reader.read({} as never)).toEqual({ statement: '', quotes: [], score: null });
    const own = defineRole({ ...reader, read: () => ({ statement: 'own', quotes: [], score: 1 }) } as never);
    expect(own.read({}).statement).toBe('own');
  });

  test('may be as warm and as long as it says', () => {
    expect(reader).toMatchObject({ maxOutputTokens: 800 });
    expect('temperature' in reader).toBe(false);
    expect(defineRole({ ...reader, temperature: 0, maxOutputTokens: 5 } as never)).toMatchObject({
      temperature: 0,
      maxOutputTokens: 5,
    });
  });
});
