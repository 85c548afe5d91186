import { chooseCalibration, listDigests, samplePrompts, sampleTurn, type Role } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { ModerationCase } from './case-file.ts';
import type { ModerationSetup } from './moderate.ts';
import type { ModerationProvenance } from './moderation-answer.ts';
import { calibratedWith, describeModerationPlan, methodOf, type DebatePlan } from './plan.ts';
import { preprocessor } from './preprocess.ts';
import { planModerationSeats } from './protocol.ts';
import { arbiter } from './roles/arbiter.ts';
import { looseDebater, strictDebater } from './roles/debaters.ts';
import { judge, judges, renderShots, type Shot } from './roles/judges.ts';
import { supporter } from './roles/supporter.ts';
import type { ObservationsSetting } from './settings.ts';

/** What every answer of a setup says it was made by; refuses a calibration that was fitted on something else. */
export function buildModerationProvenance(setup: ModerationSetup): ModerationProvenance {
  const { policy, plan, vision, ocr, observations, calibration, reasoners } = setup;
  const seats = planModerationSeats(plan, reasoners);
  const shots = listShownShots(setup);
  const prompts = hashPrompts(plan, shots);
  const method = methodOf(plan);
  const precedents = (method === 'debate' ? setup.library?.version : null) ?? null;
  const fingerprints = Object.fromEntries(seats.map(({ id, reasoner }) => [id, reasoner.fingerprint]));
  const made: MadeBy = {
    plan,
    policy: policy.hash,
    prompts,
    fingerprints,
    vision: vision?.fingerprint ?? null,
    ocr,
    // The usual is left unsaid, so that texts stay the cases that they were before there were image models.
    ...(observations === 'auto' ? {} : { observations }),
    ...(setup.context.length === 0 ? {} : { context: setup.context.toSorted() }),
  };
  const { configuration, setupHash } = hashSetup(made, precedents);
  const digests = listDigests(seats.map(({ reasoner }) => reasoner));
  const scorer = method === 'debate' ? reasoners.arbiter : method === 'judge' ? reasoners.judge : null;
  return {
    agon: setup.version,
    protocol: describeModerationPlan(plan, shots.length),
    ...(plan.method ? { method: plan.method } : {}),
    policy: { name: policy.name, version: policy.version, hash: policy.hash },
    prompts,
    models: Object.fromEntries([
      ...(vision ? [['preprocessor', vision.id]] : []),
      ...seats.map(({ id, reasoner }) => [id, reasoner.id]),
    ]),
    ...digests,
    precedents,
    configuration,
    setup: setupHash,
    ...chooseCalibration(
      { job: 'moderation', configuration: setupHash, calibratedWith, ...digests },
      calibration,
      scorer,
    ),
  };
}

/** The examples that the judge is shown. */
export function listShownShots({ plan, shots = [] }: Pick<ModerationSetup, 'plan' | 'shots'>): readonly Shot[] {
  return plan.method === 'judge' ? shots : [];
}

interface MadeBy {
  plan: DebatePlan;
  policy: string;
  prompts: string;
  fingerprints: Record<string, string>;
  vision: string | null;
  ocr: boolean;
  observations?: ObservationsSetting;
  context?: readonly string[];
}

/** Every item has a setup of its own, and nearly all of them are made of the same. */
function hashSetup(made: MadeBy, library: string | null) {
  const parts = [
    made.policy,
    made.prompts,
    made.vision,
    made.ocr,
    made.observations,
    made.context?.join(),
    library,
    ...Object.entries(made.fingerprints).flat(),
  ];
  const last = lastHashes.get(made.plan);
  if (last?.parts.length === parts.length && last.parts.every((part, index) => part === parts[index])) return last;
  const hashes = { parts, configuration: hashOf({ ...made, library }), setupHash: hashOf(made) };
  lastHashes.set(made.plan, hashes);
  return hashes;
}

const lastHashes = new WeakMap<DebatePlan, { parts: readonly unknown[]; configuration: string; setupHash: string }>();

const argument = { statement: '', concession: '', evidence: [], clauses: [], score: 0 };
const opinion = { statement: '', evidence: [], clauses: [], score: 0 };

/** The words of the debate are not those of the methods beside it. */
const spoken = {
  debate: {
    roles: [supporter, strictDebater, looseDebater, arbiter, preprocessor],
    said: [sampleTurn(strictDebater, argument), sampleTurn(looseDebater, argument)],
  },
  others: {
    roles: [judges.judge, judges.vote, judges['role-free'], judges.control, preprocessor],
    said: ['judge', 'peer'].map((seat) => sampleTurn(judge, opinion, seat)),
  },
};

const known = new Map<object, string>();

/**
 * Hash of the roles' own words: their prompts over an empty case, in every modality and both kinds of round; and of the
 * examples that a judge is shown.
 */
function hashPrompts(plan: DebatePlan, shots: readonly Shot[]): string {
  const words = methodOf(plan) === 'debate' ? spoken.debate : spoken.others;
  const roles: readonly Role<unknown, ModerationCase>[] = words.roles;
  let hash = known.get(words);
  if (hash === undefined) {
    const samples = (['text', 'image', 'text+image'] as const).flatMap((modality) =>
      [[], words.said].map((transcript, index) =>
        samplePrompts(roles, { caseFile: { ...emptyCase, modality }, transcript, round: index + 1 }),
      ),
    );
    known.set(words, (hash = hashOf(samples)));
  }
  if (shots.length === 0) return hash;
  const shown = { ...emptyCase, examples: renderShots(shots, '') };
  return hashOf([hash, ...samplePrompts([judges.judge], { caseFile: shown, transcript: [], round: null })]);
}

const emptyCase: ModerationCase = { sources: [], modality: 'text', images: [], policy: '', examples: '' };
