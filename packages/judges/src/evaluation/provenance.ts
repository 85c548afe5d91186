import {
  chooseCalibration,
  listDigests,
  sampleComputed,
  samplePrompts,
  sampleTurn,
  type Entry,
} from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { EvaluationCase } from './case-file.ts';
import { mixtureStep, priorsStep, type EvaluationProvenance } from './evaluation-answer.ts';
import type { EvaluationSetup } from './evaluate.ts';
import { calibratedWith, describeEvaluationPlan } from './plan.ts';
import { planEvaluationSeats } from './protocol.ts';
import { uniform } from './risk-concepts/distribution.ts';
import { arbiter } from './roles/arbiter.ts';
import { critic } from './roles/critic.ts';
import { auditor, detector } from './roles/debaters.ts';
import { judges, renderExchangeShots, type ExchangeShot } from './roles/judges.ts';

/** What every answer of a setup says it was made by; refuses a calibration that was fitted on something else. */
export function buildEvaluationProvenance(setup: EvaluationSetup): EvaluationProvenance {
  const { policy, plan, reasoners, reference, calibration } = setup;
  const seats = planEvaluationSeats(plan, reasoners);
  const shots = listExchangeShots(setup);
  const prompts = hashPrompts(shots);
  const fingerprints = Object.fromEntries(seats.map(({ id, reasoner }) => [id, reasoner.fingerprint]));
  const configuration = hashOf({
    plan,
    policy: policy.hash,
    prompts,
    fingerprints,
    reference,
    // Where nothing is shown, a case is what it was before there was a context.
    ...(setup.context.length === 0 ? {} : { context: setup.context.toSorted() }),
  });
  const digests = listDigests(seats.map(({ reasoner }) => reasoner));
  const scorer = plan.method === 'debate' ? reasoners.arbiter : plan.method === 'judge' ? reasoners.judge : null;
  return {
    agon: setup.version,
    protocol: describeEvaluationPlan(plan, shots.length),
    policy: { name: policy.name, version: policy.version, hash: policy.hash },
    prompts,
    models: Object.fromEntries(seats.map(({ id, reasoner }) => [id, reasoner.id])),
    ...digests,
    precedents: null,
    configuration,
    plan,
    reference,
    ...chooseCalibration({ job: 'evaluation', configuration, calibratedWith, ...digests }, calibration, scorer),
  };
}

/** The examples that the judge is shown. */
export function listExchangeShots({
  plan,
  shots = [],
}: Pick<EvaluationSetup, 'plan' | 'shots'>): readonly ExchangeShot[] {
  return plan.method === 'judge' ? shots : [];
}

let known: string | undefined;

/**
 * Hash of the roles' own words: their prompts over an empty case, at the start and after a round; and of the examples
 * that a judge is shown.
 */
function hashPrompts(shots: readonly ExchangeShot[]): string {
  const roles = [auditor, detector, critic, arbiter, judges.judge, judges.vote, judges['role-free'], judges.control];
  known ??= hashOf(
    [[], sampleRound()].map((transcript) => samplePrompts(roles, { caseFile: emptyCase, transcript, round: 2 })),
  );
  if (shots.length === 0) return known;
  const shown = { ...emptyCase, examples: renderExchangeShots(shots, '') };
  return hashOf([known, ...samplePrompts([judges.judge], { caseFile: shown, transcript: [], round: null })]);
}

const emptyCase: EvaluationCase = { sources: [], turns: [], model: null, policy: '', examples: '' };

function sampleRound(): Entry[] {
  const said = { statement: '', evidence: [], label: 'safe' as const, distribution: uniform };
  const opinion = { ...said, clauses: [], behaviour: 'complied' as const };
  const objections = [{ to: 'auditor' as const, kind: 'logical-flaw' as const, point: '', material: true }];
  return [
    sampleTurn(auditor, opinion),
    sampleTurn(detector, opinion),
    sampleTurn(judges.judge, opinion),
    sampleTurn(critic, { ...said, objections }),
    sampleComputed(mixtureStep, {
      auditor: null,
      detector: null,
      reference: null,
      alpha: 0,
      mixture: uniform,
      divergence: null,
      breach: false,
    }),
    sampleComputed(priorsStep, { auditor: uniform, detector: uniform }),
  ];
}
