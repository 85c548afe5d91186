import {
  compute, inOrder, isObservation, lastTurnOf, rounds, together, turn,
  type Calibration, type CaseFile, type PrecedentLibrary, type Protocol, type Reasoner, type Role, type Transcript, type Unseen,
} from '../debate/index.ts';
import type { Policy } from '../policy/index.ts';
import { adjudicate } from './adjudicate.ts';
import { isPlaceholder, type ModerationCaseFile } from './case-file.ts';
import { arbiter } from './roles/arbiter.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { looseDebater } from './roles/loose-debater.ts';
import { strictDebater } from './roles/strict-debater.ts';
import { supporter } from './roles/supporter.ts';

/** The seats of moderation that speak in the debate itself. */
export type ModerationSeat = 'supporter' | 'strict-debater' | 'loose-debater' | 'arbiter';

/** What the paper's Table 3 takes away. */
export const removableParts = ['retrieval', 'supporter', 'strict', 'loose', 'debate'] as const;
export type RemovablePart = (typeof removableParts)[number];

export interface DebatePlan {
  rounds: number;
  turns: 'together' | 'alternate';
  earlyStop: boolean;
  without: readonly RemovablePart[];
  /** Top-K of retrieval. */
  precedents: number;
}

export interface ProtocolParts {
  plan: DebatePlan;
  policy: Policy;
  context: RoleContext;
  reasoners: Record<ModerationSeat, Reasoner>;
  library: PrecedentLibrary | null;
  /** Hash of what is judged, and what the library must not show. */
  subject: string;
  unseen: Unseen;
  calibration: Calibration | null;
}

type AdjudicationParts = Pick<ProtocolParts, 'policy' | 'calibration'>;

/** Aetheria's online phases: grounding, the debate arena, adjudication. */
export function moderationProtocol(parts: ProtocolParts): Protocol {
  return inOrder(...grounding(parts), ...arena(parts), seated(parts, 'arbiter', arbiter), adjudication(parts));
}

/** The protocol of a case in which nothing could be seen: nobody is asked. */
export function unseenProtocol(parts: AdjudicationParts): Protocol {
  return adjudication(parts);
}

/** Which seats a plan asks, in the order of the protocol. */
export function seatsOf({ without }: DebatePlan): ModerationSeat[] {
  const absent = new Set<string>(without);
  return [
    ...(absent.has('supporter') ? [] : (['supporter'] as const)),
    ...(absent.has('debate') || absent.has('strict') ? [] : (['strict-debater'] as const)),
    ...(absent.has('debate') || absent.has('loose') ? [] : (['loose-debater'] as const)),
    'arbiter',
  ];
}

/** The plan in words, for the record: `supporter, 2 rounds together with early stop, arbiter`. */
export function describePlan(plan: DebatePlan): string {
  const debaters = seatsOf(plan).filter((seat) => seat.endsWith('-debater'));
  const order = debaters.length < 2 ? ` of ${debaters[0]}` : ` ${plan.turns}`;
  return [
    seatsOf(plan).includes('supporter') && (plan.without.includes('retrieval') ? 'supporter without retrieval' : 'supporter'),
    debaters.length > 0 && `${plan.rounds} ${plan.rounds === 1 ? 'round' : 'rounds'}${order}${plan.earlyStop ? ' with early stop' : ''}`,
    'arbiter',
  ]
    .filter(Boolean)
    .join(', ');
}

function grounding(parts: ProtocolParts): Protocol[] {
  const { plan, library } = parts;
  if (!seatsOf(plan).includes('supporter')) return [];
  const retrieval = library && !plan.without.includes('retrieval') ? [retrieve(library, parts)] : [];
  return [...retrieval, seated(parts, 'supporter', supporter)];
}

function retrieve(library: PrecedentLibrary, { plan: { precedents: limit }, subject, unseen }: ProtocolParts): Protocol {
  return compute(
    'precedents',
    ({ caseFile, signal }) => library.search({ ...unseen, text: queryOf(caseFile), subject, modality: (caseFile as ModerationCaseFile).modality, limit, signal }),
    { library: library.version, limit, ...unseen },
  );
}

/** What a whole book is like is told by its beginning. */
const longestQuery = 20_000;

/** What stands for the case in a search: its own text and what its images show, not what tools found hidden in them. */
export function queryOf(caseFile: CaseFile): string {
  const own = caseFile.sources.filter((source) => !isObservation(source) || ['vision', 'given'].includes(source.tool));
  const chosen = own.length > 0 ? own : caseFile.sources.filter((source) => !isPlaceholder(source));
  return chosen.map((source) => source.text).join(' || ').slice(0, longestQuery).toWellFormed();
}

function arena(parts: ProtocolParts): Protocol[] {
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

function seated(parts: ProtocolParts, seat: ModerationSeat, role: (context: RoleContext) => Role): Protocol {
  return turn({ id: seat, role: role(parts.context), reasoner: parts.reasoners[seat] });
}

function adjudication({ policy, calibration }: AdjudicationParts): Protocol {
  return compute(
    'adjudication',
    ({ caseFile, transcript }) => adjudicate(transcript, caseFile as ModerationCaseFile, policy, calibration),
    { policy: policy.hash, ...(calibration ? { calibration } : {}) },
  );
}

/** Nothing is left to argue: both sides were heard, lean the same way and stand close together. */
export function sidesAgree(transcript: Transcript): string | undefined {
  const strict = lastTurnOf(transcript, 'strict-debater');
  const loose = lastTurnOf(transcript, 'loose-debater');
  if (!strict || !loose || strict.fallback || loose.fallback || strict.score === null || loose.score === null) return undefined;
  const sameSide = strict.score >= 0.5 === loose.score >= 0.5;
  return sameSide && Math.abs(strict.score - loose.score) <= 0.2 ? 'sides-agree' : undefined;
}
