import { expect, test } from 'vitest';
import { defaultPolicy } from '@agonhq/engine/policy';
import { scriptedReasoner } from '@agonhq/test/support/scripted.ts';
import type { EvaluationSetup } from './evaluate.ts';
import type { EvaluationPlan } from './plan.ts';
import { buildEvaluationProvenance, listExchangeShots } from './provenance.ts';

const policy = await defaultPolicy();
const reasonerOf = (id: string, more: object = {}) => ({
  ...scriptedReasoner(),
  id,
  fingerprint: `print of ${id}`,
  ...more,
});
const plan: EvaluationPlan = {
  method: 'debate',
  rounds: 3,
  agents: 1,
  consensus: true,
  stubbornness: { auditor: 0.5, detector: 0.4 },
  consensusBound: 0.05,
  smoothing: 0.01,
  delta: 0.5,
  gamma: 0.2,
};
const seated = (change: object = {}) => ({
  auditor: [reasonerOf('a')],
  detector: [reasonerOf('b')],
  critic: reasonerOf('c'),
  arbiter: reasonerOf('d'),
  judge: reasonerOf('e'),
  ...change,
});
const shots = [{ exchange: { turns: [] }, prompt: 'P', response: 'R', label: 'unsafe', clauses: [], why: 'So.' }];

function provenanceOf(change: object = {}) {
  const setup = {
    policy,
    plan,
    reasoners: seated(),
    reference: null,
    context: [],
    calibration: null,
    version: '9.9.9',
  };
  return buildEvaluationProvenance({ ...setup, ...change } as unknown as EvaluationSetup);
}

const planned = (change: Partial<EvaluationPlan>) => ({ plan: { ...plan, ...change } });
const reference = { version: 1, items: 2, risk: 0.5 };

test('a configuration is another wherever something else could be said, and the same for the same', () => {
  const changes: Record<string, object> = {
    'the usual': {},
    'another policy': { policy: { ...policy, hash: 'sha256:other' } },
    'fewer rounds': planned({ rounds: 2 }),
    'no consensus': planned({ consensus: false }),
    'stubborn auditors': planned({ stubbornness: { auditor: 0.4, detector: 0.4 } }),
    'stubborn detectors': planned({ stubbornness: { auditor: 0.5, detector: 0.5 } }),
    'another bound': planned({ consensusBound: 0.06 }),
    'another smoothing': planned({ smoothing: 0.02 }),
    'another delta': planned({ delta: 0.6 }),
    'another gamma': planned({ gamma: 0.3 }),
    votes: planned({ method: 'vote' }),
    'one judge': planned({ method: 'judge' }),
    'a reference': { reference },
    'another reference': { reference: { ...reference, risk: 0.6 } },
    'a member of the context': { context: ['author'] },
    'another critic': { reasoners: seated({ critic: reasonerOf('x') }) },
    'two auditors': { ...planned({ agents: 2 }), reasoners: seated({ auditor: [reasonerOf('a'), reasonerOf('x')] }) },
    'auditor and detector in each other’s seats': {
      reasoners: seated({ auditor: [reasonerOf('b')], detector: [reasonerOf('a')] }),
    },
  };
  const known = new Map<string, string>();
  for (const [what, change] of Object.entries(changes)) {
    const { configuration } = provenanceOf(change);
    expect(known.get(configuration), what).toBeUndefined();
    known.set(configuration, what);
    expect(provenanceOf(change).configuration).toBe(configuration);
  }
  expect(known.get(provenanceOf({ reasoners: seated({ judge: reasonerOf('x') }) }).configuration)).toBe('the usual');
});

test('an answer says by whom, by which rules, plan and reference it was made', () => {
  const answer = provenanceOf({ reference, reasoners: seated({ critic: reasonerOf('c', { digest: 'c-1' }) }) });
  expect(answer).toMatchObject({
    agon: '9.9.9',
    protocol: '3 rounds of auditor, detector and critic with consensus stop, arbiter',
    policy: { name: policy.name, version: policy.version, hash: policy.hash },
    models: { auditor: 'a', detector: 'b', critic: 'c', arbiter: 'd' },
    digests: { c: 'c-1' },
    precedents: null,
    plan,
    reference,
  });
});

test('examples are shown to one judge alone', () => {
  const shown = (method: string) => listExchangeShots({ plan: { ...plan, method }, shots } as never);
  expect([shown('debate'), shown('vote'), shown('judge')]).toEqual([[], [], shots]);
});

test('a calibration is that of whose score it is, or the one that was fitted on this very configuration', () => {
  const curve = { a: 1, b: 0, band: null };
  const own = reasonerOf('d', { calibrations: { evaluation: curve } });
  expect(provenanceOf({ reasoners: seated({ arbiter: own }) }).calibration).toEqual(curve);
  expect(provenanceOf({ reasoners: seated({ judge: own }) }).calibration).toBeUndefined();
  expect(provenanceOf({ ...planned({ method: 'judge' }), reasoners: seated({ judge: own }) }).calibration).toEqual(
    curve,
  );
  expect(
    provenanceOf({ ...planned({ method: 'vote' }), reasoners: seated({ arbiter: own }) }).calibration,
  ).toBeUndefined();
  const calibration = { ...curve, a: 2, configuration: provenanceOf().configuration };
  expect(provenanceOf({ calibration }).calibration).toEqual({ ...curve, a: 2 });
  expect(() => provenanceOf({ calibration, reference })).toThrow(
    expect.objectContaining({ code: 'calibration-mismatch' }),
  );
});
