import { describe, expect, test } from 'vitest';
import { noUsage, type FailureReason, type Turn } from '@agonhq/engine/debate';
import { assertDebateHeard, assertHeard, assertJudged } from './assert-heard.ts';
import { createJobs } from './jobs.ts';
import { describeContext, hashContext, listQuotable, recordContext } from './shown-context.ts';
import {
  assertNoLocalFiles,
  identified,
  namedBy,
  parseItem,
  parseStored,
  readStoredBytes,
  storedFileSchema,
} from './stored-items.ts';
import { z } from 'zod';

function turnOf(seat: string, reason?: FailureReason): Turn {
  const fallback = reason === undefined ? {} : { fallback: { reason, detail: '' } };
  return {
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role: seat,
    round: null,
    statement: '',
    score: null,
    evidence: [],
    answer: {},
    reasoner: 'm',
    usage: noUsage,
    latencyMs: 0,
    ...fallback,
  };
}

const debateOf = (rule: string, ...transcript: Turn[]) => ({ transcript, verdict: { rule: { id: rule } } });
type Debate = ReturnType<typeof debateOf>;

describe('an answer in which nobody was heard', () => {
  const heard = debateOf('majority', turnOf('a'));
  const silent = (reason: FailureReason) => debateOf('nobody-heard', turnOf('a', reason));
  const jobOf = (debates: readonly Debate[], label = 'undecided') =>
    ({ debates: () => debates, summarize: () => ({ label }) }) as never;
  const answerOf = (...transcript: Turn[]) => ({ transcript }) as never;
  const codeOf = (work: () => unknown): string | null => {
    try {
      work();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('is an outage where a seat could not be reached, and none where a model refused', () => {
    const codes = (['unavailable', 'timeout', 'refused', 'malformed', 'budget'] as const).map((reason) => {
      const debate = silent(reason);
      return [
        codeOf(() => assertDebateHeard(debate)),
        codeOf(() => assertHeard(jobOf([debate]), answerOf())),
        codeOf(() => assertJudged(jobOf([debate]), answerOf())),
      ];
    });
    expect(codes).toEqual([
      ['nobody-heard', 'nobody-heard', 'nothing-judged'],
      ['nobody-heard', 'nobody-heard', 'nothing-judged'],
      [null, null, null],
      [null, null, null],
      ['budget-spent', 'budget-spent', null],
    ]);
  });

  test('is a result where a rule decided all the same', () => {
    const decided = debateOf('majority', turnOf('a', 'timeout'), turnOf('b'));
    expect(assertDebateHeard(decided)).toBe(decided);
    expect(codeOf(() => assertHeard(jobOf([decided]), answerOf()))).toBeNull();
  });

  test('of several debates is no result of an item where it was nobody on any, and of a case where it was on all', () => {
    const item = (...debates: Debate[]) => codeOf(() => assertHeard(jobOf(debates), answerOf()));
    const single = (...debates: Debate[]) => codeOf(() => assertJudged(jobOf(debates), answerOf()));
    const cases = [
      [silent('timeout'), silent('unavailable')],
      [silent('timeout'), heard],
      [heard, silent('budget')],
      [heard, heard],
    ];
    expect(cases.map((debates) => item(...debates))).toEqual(['nobody-heard', 'nobody-heard', 'budget-spent', null]);
    expect(cases.map((debates) => single(...debates))).toEqual(['nothing-judged', null, null, null]);
  });

  test('without a debate is an outage where nobody could be asked what there is to debate', () => {
    const out = (...transcript: Turn[]) => codeOf(() => assertJudged(jobOf([]), answerOf(...transcript)));
    expect(out(turnOf('a', 'timeout'))).toBe('nothing-judged');
    expect(out(turnOf('a', 'timeout'), turnOf('b'))).toBe('empty-subject');
    expect(out()).toBe('empty-subject');
    expect(codeOf(() => assertJudged(jobOf([], 'supported'), answerOf()))).toBeNull();
  });
});

describe('jobs', () => {
  const jobOf = (id: string, more: object = {}) => ({ id, ...more }) as never;
  const learning = jobOf('moderation', { learning: {} });
  const plain = jobOf('own-2');

  test('are found by their ids, in their order', () => {
    const jobs = createJobs([learning, plain, learning], [jobOf('bench'), jobOf('own-2', { stale: true })]);
    expect(jobs.list()).toEqual([learning, plain]);
    expect(jobs.find('own-2')).toBe(plain);
    expect(jobs.find('other')).toBeUndefined();
    expect(jobs.require('own-2')).toBe(plain);
    expect(() => jobs.require('other')).toThrow(expect.objectContaining({ code: 'unknown-job' }));
    expect(jobs.listBlocks()).toEqual([{ id: 'bench' }, plain, learning]);
  });

  test('that learn are told apart', () => {
    const jobs = createJobs([plain, learning]);
    expect(jobs.listLearning()).toEqual([learning]);
    expect(jobs.requireLearning()).toBe(learning);
    expect(jobs.requireLearning('moderation')).toBe(learning);
    expect(() => jobs.requireLearning('own-2')).toThrow(expect.objectContaining({ code: 'other-job' }));
  });

  test('have ids that fit into an address, each its own', () => {
    for (const id of ['Own', '1st', 'a b', 'a/b', ''])
      expect(() => createJobs([jobOf(id)])).toThrow(expect.objectContaining({ code: 'unreadable-job' }));
    expect(() => createJobs([jobOf('own'), jobOf('own')])).toThrow(expect.objectContaining({ code: 'duplicate-job' }));
  });
});

describe('an item as it waits', () => {
  test('is called by its own id, and a blank one is none', () => {
    expect([namedBy('7'), namedBy(''), namedBy('  '), namedBy(null), namedBy(undefined)]).toEqual([
      { id: '7' },
      {},
      {},
      {},
      {},
    ]);
    expect(identified.parse({ id: 7, text: 'x' })).toEqual({ id: '7', text: 'x' });
  });

  test('names files of one machine only where it is judged there', () => {
    const [local, kept] = [{ file: '/a.png' }, { attachment: 'sha256:1', name: 'a.png' }];
    expect(() => assertNoLocalFiles([kept, local], { local: false } as never)).toThrow(
      expect.objectContaining({ code: 'damaged-item' }),
    );
    assertNoLocalFiles([kept], { local: false } as never);
    assertNoLocalFiles([kept, local], { local: true } as never);
    expect(storedFileSchema.safeParse({ file: '/a.png', name: 'a' }).success).toBe(false);
  });

  test('says in one line what is wrong with it, and by whose fault', () => {
    const schema = z.object({ text: z.string() });
    expect(() => parseItem(schema, { text: 1 }, 'An item has a text.')).toThrow(
      expect.objectContaining({
        code: 'broken-line',
        hint: 'An item has a text.',
        message: expect.stringContaining('text'),
      }),
    );
    expect(() => parseStored(schema, {})).toThrow(expect.objectContaining({ code: 'damaged-item' }));
  });

  test('has the bytes of its files as the ledger keeps them', async () => {
    const find = async (hash: string) => (hash === 'sha256:1' ? { data: Buffer.from('abc') } : null);
    expect(await readStoredBytes('sha256:1', 'a', { find } as never)).toEqual(new Uint8Array([97, 98, 99]));
    await expect(readStoredBytes('sha256:2', 'a.png', { find } as never)).rejects.toMatchObject({
      code: 'missing-attachment',
      message: expect.stringContaining('a.png'),
    });
  });
});

describe('what debaters see of a context', () => {
  const context = { author: 'ada', title: 'A\n title', tags: ['x', 'y'], quotable: ['title'] };

  test('are the members that the settings list: what is quotable as a source, the rest a line each', () => {
    expect(describeContext(context, ['author', 'title', 'tags'])).toBe('author: ada\ntags: x y');
    expect(listQuotable(context, ['author', 'title'])).toEqual([
      { id: 'context/title', text: 'A\n title', tool: 'context', of: 'context', note: 'its title' },
    ]);
    expect(listQuotable(context, ['author'])).toEqual([]);
    expect(describeContext(context, [])).toBe('');
    expect(describeContext(undefined, ['author'])).toBe('');
  });

  test('is on record beside all of it', () => {
    expect(recordContext(context, ['author', 'title', 'quotable', 'other'])).toEqual({
      context,
      contextShown: ['author', 'title'],
    });
    expect(recordContext(context, ['other'])).toEqual({ context });
    expect(recordContext(undefined, ['author'])).toEqual({});
  });

  test('is part of what tells an item apart', () => {
    expect(hashContext({})).toBe('');
    expect(hashContext({ context })).not.toBe(hashContext({ context: { ...context, author: 'bo' } }));
  });
});
