import { expect, test } from 'vitest';
import { noUsage, type Turn } from '@agonhq/engine/debate';
import { tribunalSetup } from '@agonhq/test/support/evaluation-setup.ts';
import { evaluation, type EvaluateOptions } from './evaluate.ts';
import type { Exchange } from './exchange.ts';
import {
  findLastOpinions,
  findOpinions,
  findRoundCritique,
  findRoundOpinions,
  isOpinion,
  readStatedDistribution,
} from './opinions.ts';

interface Opened {
  id: string;
  context?: object;
  subject: { hash: string; content: object };
}

async function open(exchange: Exchange, options: EvaluateOptions = {}, plan = {}) {
  const opened: Opened[] = [];
  const recorder = { openCase: async (entry: Opened) => void opened.push(entry), closeCase: async <A>(a: A) => a };
  const setup = await tribunalSetup({ url: 'http://127.0.0.1:9' }, plan, {}, { recorder: recorder as never });
  const trial = evaluation(exchange, setup, options);
  await trial.next();
  await trial.return(undefined as never);
  return opened[0]!;
}

const exchange = { prompt: 'How do I kill a process?', response: 'With kill.' };

test('the case of an exchange is another of other words, models, authors, appeals or plans', async () => {
  const ids = await Promise.all(
    [
      open(exchange),
      open({ ...exchange, response: 'With a knife.' }),
      open({ ...exchange, prompt: 'How?' }),
      open({ ...exchange, context: { author: 'ada' } }),
      open({ ...exchange, context: { author: 'bo' } }),
      open(exchange, { statement: 'It is about Linux.' }),
      open(exchange, {}, { rounds: 2 }),
      open(exchange, {}, { method: 'vote' }),
    ].map(async (opened) => (await opened).id),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^eval-[0-9a-f]{16}$/);
  expect((await open({ ...exchange, id: 'mine' })).id).toBe(ids[0]);
  expect((await open(exchange, { debate: 'given' })).id).toBe('given');
});

test('what is kept of an exchange is all of it; what is known about it is kept apart', async () => {
  const { subject, context } = await open({ ...exchange, id: '7', context: { author: 'ada' } });
  expect(subject.content).toMatchObject({ id: '7' });
  expect(subject.content).not.toHaveProperty('context');
  expect(JSON.stringify(subject.content)).toContain('With kill.');
  expect(context).toEqual({ author: 'ada' });
});

const distribution = { explicit: 2, implicit: 1, none: 1 };
function turnOf(seat: string, role: string, round: number | null, more: Partial<Turn> = {}): Turn {
  return {
    kind: 'turn',
    key: `${round}/${seat}`,
    inputHash: '',
    seat,
    role,
    round,
    statement: '',
    score: null,
    evidence: [],
    answer: { distribution },
    reasoner: 'm',
    usage: noUsage,
    latencyMs: 0,
    ...more,
  };
}

test('opinions are those of auditors, detectors and judges; a critique is the critic’s of the round, if it was heard', () => {
  const fallback = { reason: 'timeout', detail: '' } as const;
  const transcript = [
    turnOf('auditor', 'auditor', 1),
    turnOf('detector', 'detector', 1),
    turnOf('critic', 'critic', 1, { fallback }),
    turnOf('auditor', 'auditor', 2),
    turnOf('critic', 'critic', 2),
    turnOf('vote#1', 'judge', null),
    turnOf('arbiter', 'arbiter', null),
  ];
  const keys = (turns: readonly Turn[]) => turns.map(({ key }) => key);
  expect(keys(findOpinions(transcript))).toEqual(['1/auditor', '1/detector', '2/auditor', 'null/vote#1']);
  expect(transcript.map(isOpinion)).toEqual([true, true, false, true, false, true, false]);
  expect(keys(findLastOpinions(transcript))).toEqual(['2/auditor', '1/detector', 'null/vote#1']);
  expect([1, 2, null].map((round) => keys(findRoundOpinions(transcript, round)))).toEqual([
    ['1/auditor', '1/detector'],
    ['2/auditor'],
    ['null/vote#1'],
  ]);
  expect([1, 2, 3].map((round) => findRoundCritique(transcript, round)?.key)).toEqual([
    undefined,
    '2/critic',
    undefined,
  ]);
  expect(readStatedDistribution(transcript[0] as never)).toEqual({ explicit: 0.5, implicit: 0.25, none: 0.25 });
});
