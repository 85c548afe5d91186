import { describe, expect, test } from 'vitest';
import { hashOf } from '../hash.ts';
import { checkSeal } from './check-answer.ts';
import { hashAnswer, sealAnswer } from './seal.ts';

const judged = (latencyMs: number, label = 'safe') => ({
  id: 'mod-1',
  verdict: { label },
  transcript: [
    { kind: 'turn', key: 'arbiter', latencyMs },
    { kind: 'computed', value: { latencyMs: 7 } },
  ],
  usage: { calls: 1, latencyMs },
});

describe('a seal', () => {
  test('is the same for the same judgement, however long it took', () => {
    expect(sealAnswer(judged(12)).seal).toBe(sealAnswer(judged(3_400)).seal);
    expect(sealAnswer(judged(12)).seal).not.toBe(sealAnswer(judged(12, 'unsafe')).seal);
  });

  test('leaves out timing alone: what a step made is not how long it took', () => {
    const answer = sealAnswer(judged(12));
    const changed = structuredClone(answer);
    changed.transcript[1]!.value = { latencyMs: 8 };
    expect(hashAnswer(changed)).not.toBe(answer.seal);
  });

  test('of an answer with parts is the same when only a part took longer', () => {
    const whole = (latencyMs: number) => sealAnswer({ ...judged(5), claims: [sealAnswer(judged(latencyMs))] });
    expect(whole(1).seal).toBe(whole(2).seal);
  });

  test('by a rule that this release does not know is not taken for a good one', () => {
    const newer = { ...sealAnswer(judged(12)), sealVersion: 3 };
    expect(checkSeal({ ...newer, seal: hashAnswer(newer) })).toMatchObject({ outcome: 'wrong' });
  });

  test('that counts timing in is a wrong one', () => {
    const { seal: _, ...content } = sealAnswer(judged(12));
    expect(checkSeal({ ...content, seal: hashOf(content) }).outcome).toBe('wrong');
  });
});
