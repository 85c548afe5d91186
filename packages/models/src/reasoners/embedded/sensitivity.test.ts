import { ownJobs } from '@agonhq/core/own-jobs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAgon } from '@agonhq/core/app';
import { resultOf } from '@agonhq/engine/debate';
import { openLedger } from '@agonhq/ledger';
import { replay } from '@agonhq/core/retrials';
import { moderationJob, verifyAnswer, type ModerationAnswer } from '@agonhq/judges/moderation';
import { evaluationJob } from '@agonhq/judges/evaluation';
import { defaultPolicy, parsePolicy, writePolicy } from '@agonhq/engine/policy';
import { sensitivities } from '@agonhq/engine/policy/sensitivity';
import { createEmbeddedReasoner } from './embedded-reasoner.ts';
import { computeLogit, exchangeWeights, moveBar, shippedWeights } from './weights.ts';

const environment = {};
const secret = 'of the tests';

describe('the bar of a sensitivity', () => {
  test.each([
    ['moderation', shippedWeights],
    ['evaluation', exchangeWeights],
  ])('of %s falls as the sensitivity rises, and the band of doubt moves with it', (_, weights) => {
    const [low, balanced, high] = sensitivities.map((sensitivity) => moveBar(weights, sensitivity));
    expect(low!.threshold).toBeGreaterThan(balanced!.threshold);
    expect(balanced!.threshold).toBeGreaterThan(high!.threshold);
    expect(balanced!.band).toEqual(weights.band);
    for (const moved of [low!, high!])
      for (const end of [0, 1] as const)
        expect(computeLogit(moved.band[end]) - computeLogit(moved.threshold)).toBeCloseTo(
          computeLogit(weights.band[end]) - computeLogit(weights.threshold),
          2,
        );
  });

  test('leaves the configuration as it was where nobody chose another', async () => {
    const policy = await defaultPolicy();
    const [low, balanced, high] = sensitivities.map((sensitivity) => createEmbeddedReasoner(policy, [], sensitivity));
    expect(balanced!.fingerprint).toBe(createEmbeddedReasoner(policy).fingerprint);
    expect(balanced!.fingerprint).not.toContain('sensitivity');
    expect(new Set([low, balanced, high].map((one) => one!.fingerprint)).size).toBe(3);
  });
});

describe('a sensitivity', () => {
  const text = 'Ich liebe dich. I love you and the garden that you planted.';

  async function moderate(sensitivity?: 'low' | 'high'): Promise<ModerationAnswer> {
    const agon = await createAgon({ ledger: false, sensitivity }, { environment, secret, only: ['moderation'] });
    try {
      return await agon.moderate(text);
    } finally {
      await agon.close();
    }
  }

  test('moves the bar and not the risk, and the answer says which', async () => {
    const [low, balanced, high] = await Promise.all([moderate('low'), moderate(), moderate('high')]);
    expect([low, balanced, high].map(({ provenance }) => provenance.sensitivity)).toEqual(['low', undefined, 'high']);
    expect(low.verdict.bar).toBe(shippedWeights.sensitivity!.low);
    expect(balanced.verdict.bar).toBe(shippedWeights.threshold);
    expect(high.verdict.bar).toBe(shippedWeights.sensitivity!.high);
    for (const answer of [low, balanced, high]) {
      const { verdict } = answer;
      expect(verdict.risk).toBeCloseTo(balanced.verdict.risk!, 2);
      expect(verdict.label).toBe(verdict.risk! >= verdict.bar! ? 'unsafe' : 'safe');
      expect(verdict.rule.why).toContain(`the bar of ${verdict.bar!.toFixed(2)}`);
      const checks = verifyAnswer(answer, { policy: await defaultPolicy() });
      expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    }
  });

  test('is kept by a replay, whatever is set by then', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agon-sensitivity-'));
    const ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
    const agon = await createAgon({ sensitivity: 'high' }, { environment, secret, ledger, only: ['moderation'] });
    const first = await agon.moderate(text);
    const { answer, argued } = await resultOf(
      replay(
        ledger,
        first.id,
        {},
        {
          jobs: ownJobs,
          settings: { sensitivity: 'low' },
          parts: { environment: { AGON_SENSITIVITY: 'low' }, secret },
        },
      ),
    );
    expect(argued).toEqual([]);
    expect(answer.provenance.configuration).toBe(first.provenance.configuration);
    expect((answer as ModerationAnswer).verdict).toEqual(first.verdict);
    await agon.close();
    await ledger.close();
    await rm(folder, { recursive: true });
  });

  test('of a policy holds unless a setting says otherwise', async () => {
    const policy = parsePolicy(`sensitivity: high\n${writePolicy(await defaultPolicy())}`, 'strict.yaml');
    expect(policy.sensitivity).toBe('high');
    const parts = { environment, secret, policy, only: ['moderation', 'evaluation'] };
    const [own, set] = await Promise.all([
      createAgon({ ledger: false }, parts),
      createAgon({ ledger: false, sensitivity: 'low' }, parts),
    ]);
    expect(own.provenanceOf(moderationJob).sensitivity).toBe('high');
    expect(set.provenanceOf(evaluationJob).sensitivity).toBe('low');
    await Promise.all([own.close(), set.close()]);
  });
});
