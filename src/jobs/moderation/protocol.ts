import {
  compute,
  inOrder,
  findLastTurn,
  mostVotes,
  retrievalStep,
  rounds,
  together,
  turn,
  votesCast,
  type Calibration,
  type CaseFile,
  type ComputeInput,
  type PrecedentLibrary,
  type Protocol,
  type Role,
  type Transcript,
  type Unseen,
} from '../../debate/index.ts';
import type { Policy } from '../../policy/index.ts';
import { adjudicate, adjudicationStep } from './adjudicate.ts';
import { ownSources, type ModerationCaseFile } from './case-file.ts';
import { judgesIn, labelOf } from './opinions.ts';
import { methodOf, seatsOf, turnsOfDebate, type DebatePlan, type ModerationSeat } from './plan.ts';
import { arbiter } from './roles/arbiter.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { controlVote, judge, peer, voter } from './roles/judge.ts';
import { looseDebater } from './roles/loose-debater.ts';
import { strictDebater } from './roles/strict-debater.ts';
import { supporter } from './roles/supporter.ts';
import { reasonerFor, seatingOf, type ModerationReasoners } from './seating.ts';
import { partSeparator } from '../../text/index.ts';

export interface ProtocolParts {
  plan: DebatePlan;
  policy: Policy;
  context: RoleContext;
  reasoners: ModerationReasoners;
  library: PrecedentLibrary | null;
  /** Hash of what is judged, and what the library must not show. */
  subject: string;
  unseen: Unseen;
  calibration: Calibration | null;
  /** What the control may spend; as many votes as the debate has turns when it is not said. */
  tokens?: number;
}

type AdjudicationParts = Pick<ProtocolParts, 'policy' | 'plan' | 'calibration'>;

/** Who speaks when, by the plan's method; code decides at the end. */
export function moderationProtocol(parts: ProtocolParts): Protocol<ModerationCaseFile> {
  return inOrder(...hearing(parts), adjudication(parts));
}

function hearing(parts: ProtocolParts): Protocol<ModerationCaseFile>[] {
  const { plan } = parts;
  switch (methodOf(plan)) {
    case 'debate':
      return debate(parts);
    case 'judge':
      return judges(parts, judge);
    case 'vote':
      return [together(...judges(parts, voter))];
    case 'role-free':
      return [
        rounds({ max: plan.rounds, until: plan.earlyStop ? peersAgree : undefined }, together(...judges(parts, peer))),
      ];
    case 'control':
      return [
        rounds(
          { max: mostVotes, until: votesCast({ tokens: parts.tokens, turns: turnsOfDebate(parts.plan) }) },
          inOrder(...judges(parts, controlVote)),
        ),
      ];
    case 'refusal-match':
      return [];
  }
}

/** Aetheria's online phases: grounding, the debate arena, the arbiter. */
function debate(parts: ProtocolParts): Protocol<ModerationCaseFile>[] {
  return [...grounding(parts), ...arena(parts), seated(parts, 'arbiter', arbiter)];
}

/** Judges without a role, in every seat of the plan. */
function judges(
  { plan, context, reasoners }: ProtocolParts,
  role: (context: RoleContext) => Role<unknown, ModerationCaseFile>,
): Protocol<ModerationCaseFile>[] {
  const part = role(context);
  return seatingOf(plan, reasoners).map(({ id, reasoner }) => turn({ id, role: part, reasoner }));
}

/** The protocol of a case in which nothing could be seen: nobody is asked. */
export function unseenProtocol(parts: AdjudicationParts): Protocol<ModerationCaseFile> {
  return adjudication(parts);
}

function grounding(parts: ProtocolParts): Protocol<ModerationCaseFile>[] {
  const { plan, library } = parts;
  if (!seatsOf(plan).includes('supporter')) return [];
  const retrieval = library && !plan.without.includes('retrieval') ? [retrieve(library, parts)] : [];
  return [...retrieval, seated(parts, 'supporter', supporter)];
}

function retrieve(
  library: PrecedentLibrary,
  { plan: { precedents: limit }, subject, unseen }: ProtocolParts,
): Protocol<ModerationCaseFile> {
  return compute(
    retrievalStep,
    ({ caseFile, signal }: ComputeInput<ModerationCaseFile>) =>
      library.search({
        ...unseen,
        text: queryOf(caseFile),
        subject,
        modality: caseFile.modality,
        limit,
        signal,
      }),
    { library: library.version, limit, ...unseen },
  );
}

/** What a whole book is like is told by its beginning. */
const longestQuery = 20_000;

/** What stands for the case in a search. */
export function queryOf(caseFile: CaseFile): string {
  return ownSources(caseFile)
    .map((source) => source.text)
    .join(partSeparator)
    .slice(0, longestQuery)
    .toWellFormed();
}

function arena(parts: ProtocolParts): Protocol<ModerationCaseFile>[] {
  const { plan } = parts;
  const present = seatsOf(plan);
  const debaters = [
    ...(present.includes('strict-debater') ? [seated(parts, 'strict-debater', strictDebater)] : []),
    ...(present.includes('loose-debater') ? [seated(parts, 'loose-debater', looseDebater)] : []),
  ];
  if (debaters.length === 0) return [];
  const combine = plan.turns === 'together' ? together : inOrder;
  return [rounds({ max: plan.rounds, until: plan.earlyStop ? sidesAgree : undefined }, combine(...debaters))];
}

function seated(
  parts: ProtocolParts,
  seat: ModerationSeat,
  role: (context: RoleContext) => Role<unknown, ModerationCaseFile>,
): Protocol<ModerationCaseFile> {
  return turn({ id: seat, role: role(parts.context), reasoner: reasonerFor(seat, parts.reasoners) });
}

function adjudication({ policy, plan, calibration }: AdjudicationParts): Protocol<ModerationCaseFile> {
  return compute(
    adjudicationStep,
    ({ caseFile, transcript }: ComputeInput<ModerationCaseFile>) =>
      adjudicate(transcript, caseFile, policy, calibration, methodOf(plan)),
    { policy: policy.hash, ...(plan.method ? { method: plan.method } : {}), ...(calibration ? { calibration } : {}) },
  );
}

/** Scores this near to each other leave nothing to argue. */
const near = 0.2;

/** Nothing is left to argue: both sides were heard, lean the same way and stand close together. */
export function sidesAgree(transcript: Transcript): string | undefined {
  const strict = findLastTurn(transcript, 'strict-debater');
  const loose = findLastTurn(transcript, 'loose-debater');
  if (!strict || !loose || strict.fallback || loose.fallback || strict.score === null || loose.score === null)
    return undefined;
  const sameSide = strict.score >= 0.5 === loose.score >= 0.5;
  return sameSide && Math.abs(strict.score - loose.score) <= near ? 'sides-agree' : undefined;
}

/** The same among peers: all of this round. */
export function peersAgree(transcript: Transcript): string | undefined {
  const turns = judgesIn(transcript);
  const round = turns.filter((peer) => peer.round === turns.at(-1)?.round);
  const scores = round.map(({ score, fallback }) => (fallback ? null : score)).filter((score) => score !== null);
  const unanimous = scores.length === round.length && new Set(scores.map(labelOf)).size === 1;
  return unanimous && Math.max(...scores) - Math.min(...scores) <= near ? 'consensus' : undefined;
}
