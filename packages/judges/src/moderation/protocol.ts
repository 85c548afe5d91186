import {
  baselineProtocol,
  compute,
  findLastTurn,
  findPlainForm,
  findTurns,
  inOrder,
  isBaseline,
  requireReasoner,
  retrievalStep,
  rounds,
  seatBaseline,
  together,
  turn,
  type Calibration,
  type PastDecision,
  type CaseFile,
  type FilledSeat,
  type PrecedentLibrary,
  type Protocol,
  type Reasoner,
  type Role,
  type Transcript,
  type Unseen,
} from '@agonhq/engine/debate';
import type { Policy } from '@agonhq/engine/policy';
import { partSeparator } from '@agonhq/engine/text';
import { adjudicateContent, adjudicationStep } from './adjudicate.ts';
import { listOwnSources, type ModerationCase } from './case-file.ts';
import { recordKnownImages, type ListedImage } from './known-images.ts';
import { countModerationTurns, methodOf, seatsOf, type DebatePlan, type ModerationSeat } from './plan.ts';
import { arbiter } from './roles/arbiter.ts';
import { looseDebater, strictDebater } from './roles/debaters.ts';
import { judge, judges } from './roles/judges.ts';
import { recordPastDecision } from './past-decision.ts';
import { preprocessor } from './preprocess.ts';
import { supporter } from './roles/supporter.ts';

/** Every role of moderation. */
export const moderationRoles = {
  preprocessor,
  supporter,
  strictDebater,
  looseDebater,
  arbiter,
  judge: judges.judge,
};

/** Who fills the seats that a plan asks. */
export type ModerationReasoners = Readonly<Partial<Record<ModerationSeat, Reasoner>>>;

export interface ProtocolParts {
  plan: DebatePlan;
  policy: Policy;
  reasoners: ModerationReasoners;
  library: PrecedentLibrary | null;
  /** Hash of what is judged, and what the library must not show. */
  subject: string;
  unseen: Unseen;
  calibration: Calibration | null;
  /** What a person decided of the same content; null where nobody did, or it is not to be told. */
  past: PastDecision | null;
  /** What the control may spend; as many votes as the debate has turns when it is not said. */
  tokens?: number;
}

/** Every seat of a plan with its reasoner, for the record and for the protocol. */
export function planModerationSeats(plan: DebatePlan, reasoners: ModerationReasoners): FilledSeat[] {
  const method = methodOf(plan);
  const seats = seatsOf(plan).map((id) => ({ id, reasoner: requireReasoner(id, reasoners[id]) }));
  if (!isBaseline(method)) return seats;
  return seatBaseline(
    method,
    seats.map(({ reasoner }) => reasoner),
  );
}

/** Who speaks when, by the plan's method; code decides at the end. */
export function moderationProtocol(parts: ProtocolParts): Protocol<ModerationCase> {
  const { plan, reasoners, tokens } = parts;
  const method = methodOf(plan);
  const decide = [...(parts.past ? [recordPastDecision(parts.past)] : []), adjudication(parts)];
  if (method === 'refusal-match') return inOrder(...decide);
  if (!isBaseline(method)) return inOrder(...debate(parts), ...decide);
  const until = plan.earlyStop ? findPeerConsensus : undefined;
  const votes = { rounds: plan.rounds, until, turns: countModerationTurns(plan), tokens };
  return inOrder(baselineProtocol(method, planModerationSeats(plan, reasoners), judges[method], votes), ...decide);
}

/** The protocol of a case in which nothing could be seen: nobody is asked. */
export function unseenProtocol(parts: AdjudicationParts): Protocol<ModerationCase> {
  return adjudication(parts);
}

/** The protocol of a case with images that are on a list: the list decides, and nobody is asked. */
export function knownImageProtocol(parts: AdjudicationParts, known: readonly ListedImage[]): Protocol<ModerationCase> {
  return inOrder(recordKnownImages(known), adjudication(parts));
}

/** Aetheria's online phases: grounding, the debate arena, the arbiter. */
function debate(parts: ProtocolParts): Protocol<ModerationCase>[] {
  const { plan, library, reasoners } = parts;
  const present = seatsOf(plan);
  const speak = (seat: ModerationSeat, role: Role<unknown, ModerationCase>) =>
    present.includes(seat) ? [turn({ id: seat, role, reasoner: requireReasoner(seat, reasoners[seat]) })] : [];
  const grounding = speak('supporter', supporter);
  const retrieval =
    grounding.length > 0 && library && !plan.without.includes('retrieval') ? [retrieve(library, parts)] : [];
  const debaters = [...speak('strict-debater', strictDebater), ...speak('loose-debater', looseDebater)];
  const combine = plan.turns === 'together' ? together : inOrder;
  const until = plan.earlyStop ? findSidesAgreement : undefined;
  const arena = debaters.length === 0 ? [] : [rounds({ max: plan.rounds, until }, combine(...debaters))];
  return [...retrieval, ...grounding, ...arena, ...speak('arbiter', arbiter)];
}

function retrieve(library: PrecedentLibrary, parts: ProtocolParts): Protocol<ModerationCase> {
  const {
    plan: { precedents: limit },
    subject,
    unseen,
  } = parts;
  return compute(
    retrievalStep,
    ({ caseFile, signal }) => {
      const pictures = caseFile.images.flatMap(({ fingerprint }) => fingerprint ?? []);
      const query = { text: buildQuery(caseFile), subject, modality: caseFile.modality, pictures, limit, signal };
      return library.search({ ...unseen, ...query });
    },
    { library: library.version, limit, ...unseen },
  );
}

/** What a whole book is like is told by its beginning. */
const longestQuery = 4_000;

/** What stands for the case in a search: what it says in plain letters; of a long text the beginning. */
export function buildQuery(caseFile: CaseFile): string {
  return listOwnSources(caseFile)
    .map((source) => findPlainForm(source, caseFile.sources).text)
    .join(partSeparator)
    .slice(0, longestQuery)
    .toWellFormed();
}

type AdjudicationParts = Pick<ProtocolParts, 'policy' | 'plan' | 'calibration'>;

function adjudication({ policy, plan, calibration }: AdjudicationParts): Protocol<ModerationCase> {
  return compute(
    adjudicationStep,
    ({ caseFile, transcript }) =>
      adjudicateContent(transcript, caseFile, { policy, calibration, method: methodOf(plan) }),
    { policy: policy.hash, ...(plan.method ? { method: plan.method } : {}), ...(calibration ? { calibration } : {}) },
  );
}

/** Scores this near to each other leave nothing to argue. */
const near = 0.2;

/** Nothing is left to argue: both sides were heard, lean the same way and stand close together. */
export function findSidesAgreement(transcript: Transcript): string | undefined {
  const strict = findLastTurn(transcript, strictDebater);
  const loose = findLastTurn(transcript, looseDebater);
  if (!strict || !loose || strict.fallback || loose.fallback) return undefined;
  return areNear([strict.answer.score, loose.answer.score]) ? 'sides-agree' : undefined;
}

/** The same among peers: all of this round. */
export function findPeerConsensus(transcript: Transcript): string | undefined {
  const turns = findTurns(transcript, judge);
  const round = turns.filter((peer) => peer.round === turns.at(-1)?.round);
  const wereHeard = round.every(({ fallback }) => !fallback);
  return wereHeard && areNear(round.map(({ answer }) => answer.score)) ? 'consensus' : undefined;
}

/** Whether scores are on the same side of one half, and near to each other. */
function areNear(scores: readonly number[]): boolean {
  const sides = new Set(scores.map((score) => score >= 0.5));
  return sides.size === 1 && Math.max(...scores) - Math.min(...scores) <= near;
}
