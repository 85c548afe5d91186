import { expect, test } from 'vitest';
import type { Case } from '@agonhq/ledger';
import { audit, type AuditedCase, type JudgeWithout } from './audit-precedents.ts';

const caseOf = (id: string, truth: 'safe' | 'unsafe'): AuditedCase => ({ record: { id } as Case, truth });

/** A judge that counts what it is shown: more votes for unsafe than for safe. */
function judgeBy(shown: Record<string, readonly string[]>): JudgeWithout {
  return async ({ id }, without) => {
    const seen = shown[id]!.filter((precedent) => !without.includes(precedent));
    const votes =
      seen.filter((precedent) => precedent.startsWith('unsafe')).length -
      seen.filter((precedent) => precedent.startsWith('safe')).length;
    return { label: votes > 0 ? 'unsafe' : 'safe', shown: seen };
  };
}

test('a precedent whose removal puts more verdicts right than wrong is named, with the cases', async () => {
  const cases = [caseOf('a', 'safe'), caseOf('b', 'safe'), caseOf('c', 'unsafe'), caseOf('d', 'unsafe')];
  const judge = judgeBy({ a: ['unsafe-1'], b: ['unsafe-1'], c: ['unsafe-1'], d: ['unsafe-2'] });
  expect(await audit(cases, judge)).toEqual({
    version: 1,
    cases: 4,
    right: 2,
    rightWithout: 3,
    audited: 2,
    harmful: [{ id: 'unsafe-1', shown: 3, hurt: ['a', 'b'], helped: ['c'] }],
  });
});

test('nobody is named where removal changes nothing, or as much for the worse', async () => {
  const cases = [caseOf('a', 'safe'), caseOf('c', 'unsafe')];
  expect((await audit(cases, judgeBy({ a: ['unsafe-1'], c: ['unsafe-1'] }))).harmful).toEqual([]);
});

test('when all suspects together do more good than each for itself, only the worst is named', async () => {
  // Each unsafe precedent hurts a case of its own; together they carry the others.
  const cases = [caseOf('a', 'safe'), caseOf('b', 'safe'), ...['c', 'd', 'e'].map((id) => caseOf(id, 'unsafe'))];
  const both = ['unsafe-1', 'unsafe-2'];
  const judge = judgeBy({ a: ['unsafe-1'], b: ['unsafe-2'], c: both, d: both, e: both });
  expect(await audit(cases, judge)).toMatchObject({ right: 3, rightWithout: 4, harmful: [{ id: 'unsafe-1' }] });
});
