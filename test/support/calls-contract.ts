import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelCall } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '@agonhq/ledger';
import { answerTo, collect, exportedText, holdCase, openedCase, recordAnswer } from './ledger-cases.ts';
import { inThreeDays } from './wrong-clock.ts';

const paragraphs = (word: string) =>
  Array.from({ length: 40 }, (_, index) => `${word} ${index}: ${'so it is written here. '.repeat(6)}`).join('\n\n');

const policy = paragraphs('Clause');

export function callOf(words: string, more: Partial<ModelCall> = {}): ModelCall {
  const content = `${policy}\n\n${words}`;
  return {
    model: 'openai:gpt-4o',
    why: 'answer',
    attempt: 1,
    instructions: policy,
    messages: [{ role: 'user', content }],
    schema: null,
    request: {
      url: 'https://api.openai.com/v1/chat/completions',
      headers: { authorization: 'Bearer $OPENAI_API_KEY' },
      body: { messages: [{ role: 'user', content }], schema: { long: Array.from({ length: 400 }, (_, n) => n) } },
    },
    reply: { text: `{"statement":"${words}"}`, finish: 'stop' },
    problem: null,
    cached: false,
    usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 0, costUsd: 0.01 },
    latencyMs: 12.5,
    ...more,
  };
}

const place = (key: string) => ({ key, inputHash: sha256(key) });

/** What every ledger keeps of what models were sent and said. */
export function callsContract({ make }: { make(): Promise<Ledger> }): void {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await make();
  });
  afterEach(async () => {
    await ledger.close();
  });

  const keep = (debate: string, key: string, ...calls: ModelCall[]) =>
    ledger.journal.keepCalls!(debate, place(key), calls);
  const said = async (debate: string, key?: string) =>
    (await ledger.calls.listCalls(debate, key)).map(({ call }) => call);

  test('calls are given back as they were, turn by turn, behind those of an earlier attempt', async () => {
    await holdCase(ledger, openedCase('one'));
    const [first, second, third] = [callOf('First.', { problem: 'HTTP 429' }), callOf('Second.'), callOf('Third.')];
    await keep('one', 'round-1/strict-debater', first);
    await keep('one', 'round-1/strict-debater', second);
    await keep('one', 'arbiter', third);
    expect(await said('one', 'round-1/strict-debater')).toEqual([first, second]);
    expect(await said('one', 'arbiter')).toEqual([third]);
    expect(await said('one')).toEqual(expect.arrayContaining([first, second, third]));
    expect(await said('two')).toEqual([]);
  });

  test('what prompts have in common is kept once', async () => {
    await holdCase(ledger, openedCase('one'));
    const sizes: number[] = [];
    for (const turn of ['a', 'b', 'c']) {
      await keep('one', turn, callOf(`Something new at ${turn}.`));
      const lines = await collect(ledger.export());
      sizes.push(lines.filter(({ kind }) => kind === 'call-text').length);
    }
    expect(sizes[0]).toBeGreaterThan(4);
    // Of each further prompt, its last paragraph alone, and what was answered to it.
    expect(sizes[1]! - sizes[0]!).toBeLessThanOrEqual(2);
    expect(sizes[2]! - sizes[1]!).toBe(sizes[1]! - sizes[0]!);
  });

  test('they are forgotten with their case, and what another case was sent stays', async () => {
    await holdCase(ledger, openedCase('one'));
    await holdCase(ledger, openedCase('two'));
    const secret = 'the words of one '.repeat(30);
    const kept = callOf('What was said of two.');
    await keep('one', 'arbiter', callOf(secret));
    await keep('two', 'arbiter', kept);
    await ledger.cases.forgetSubject(openedCase('one').subject.hash);
    expect(await said('one')).toEqual([]);
    expect(await exportedText(ledger)).not.toContain('the words of one');
    expect(await said('two')).toEqual([kept]);
    // One that is still running says nothing any more.
    await keep('one', 'arbiter', callOf(secret));
    expect(await said('one')).toEqual([]);
    await ledger.prune({ before: new Date(Date.now() + 60_000), what: 'cases' });
    expect(await said('two')).toEqual([]);
    expect((await collect(ledger.export())).filter(({ kind }) => kind.startsWith('call'))).toEqual([]);
  });

  test('an export takes them along', async () => {
    await holdCase(ledger, openedCase('one'));
    const call = callOf('It goes along.', {
      disclosure: {
        host: 'api.openai.com',
        here: false,
        at: '2026-01-01T00:00:00.000Z',
        bytes: 1234,
        masked: { mail: 2 },
        unmasked: {},
        images: 1,
        withheldImages: 0,
        recordings: 0,
      },
    });
    await keep('one', 'arbiter', call);
    const exported = await exportedText(ledger);
    expect(exported).toContain('It goes along.');
    expect(exported).toContain(JSON.stringify(call.disclosure));
  });

  test('a case is being judged while somebody holds it, and interrupted once it stopped', async () => {
    await ledger.cases.openCase(openedCase('running'));
    await holdCase(ledger, openedCase('judged'));
    const stateOf = async (id: string) => (await ledger.cases.findCase(id))!;
    expect(await stateOf('running')).toMatchObject({ state: 'judging', problem: null });
    expect(await stateOf('judged')).toMatchObject({ state: 'judged', problem: null });
    const problem = { code: 'wrong-key', message: 'openai does not accept the key.', hint: 'Set another.' };
    await ledger.cases.interruptCase('running', problem);
    await ledger.cases.interruptCase('judged', problem);
    expect(await stateOf('running')).toMatchObject({ state: 'interrupted', problem });
    expect(await stateOf('judged')).toMatchObject({ state: 'judged', problem: null });
    const listed = async (state: 'judged' | 'judging' | 'interrupted') =>
      (await ledger.cases.listCases({ state })).rows.map(({ id }) => id);
    expect([await listed('judged'), await listed('judging'), await listed('interrupted')]).toEqual([
      ['judged'],
      [],
      ['running'],
    ]);
    await ledger.cases.openCase(openedCase('running'));
    expect(await stateOf('running')).toMatchObject({ state: 'judging', problem: null });
  });

  test('a case that a process with a wrong clock left is not said to be judged for as long as that', async () => {
    await inThreeDays(() => ledger.cases.openCase(openedCase('running')));
    const stateOf = async (id: string) => (await ledger.cases.findCase(id))!.state;
    const listed = async () => (await ledger.cases.listCases({ state: 'judging' })).rows.map(({ id }) => id);
    expect([await stateOf('running'), await listed()]).toEqual(['interrupted', []]);
    // One that still holds it says so by the ledger's clock.
    await inThreeDays(() => ledger.cases.holdCases(['running']));
    expect([await stateOf('running'), await listed()]).toEqual(['judging', ['running']]);
  });

  test('an image is listed by the words that were read off it', async () => {
    const image = { hash: sha256('image'), mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) };
    const subject = {
      hash: sha256('subject'),
      content: { images: [{ attachment: image.hash }] },
      attachments: [image],
    };
    const sources = [{ id: 'image-1/ocr', of: 'image-1', tool: 'ocr', text: 'I will come for you' }];
    await ledger.cases.openCase(openedCase('read', { subject }));
    await recordAnswer(ledger, answerTo('read', {}, { sources }));
    expect(await ledger.cases.findCase('read')).toMatchObject({ excerpt: 'I will come for you' });
    expect((await ledger.cases.listCases({ search: 'come for' })).rows.map(({ id }) => id)).toEqual(['read']);
  });
}
