import type { Observation, SafetyLabel, Turn } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import {
  collectCitations,
  findWords,
  nameSeat,
  readDistribution,
  readStance,
  toRecord,
  toText,
  viewDebate,
  type Citations,
  type DebateView,
  type ShownDistribution,
  type Phrase,
  type RoundView,
  type Side,
} from '@agonhq/engine/view';
import type { EvaluationAnswer } from './evaluation-answer.ts';
import { evaluationTerms, explainVerdict, nameBehaviour, nameConcept, nameWarning } from './evaluation-terms.ts';

/* An evaluation as its readers see it: what terminal, reports and console show of an answer. Runs in a browser. */

/** Equation 5 of a round, as far as it can be read. */
export interface Mixing {
  reference: { distribution: ShownDistribution | null; from: string } | null;
  alpha: number | null;
  mixture: ShownDistribution | null;
  divergence: number | null;
  breach: boolean;
}

/** A round with the arithmetic that follows it. */
export interface EvaluationRound extends RoundView {
  mixing: Mixing | null;
  /** Equation 6: by seat, what it starts the next round from. */
  priors: readonly (readonly [name: string, prior: ShownDistribution])[];
}

const shapes = ['circle', 'square', 'diamond', 'hexagon'] as const;

/** Somebody whose view of the case is drawn: a seat, or the mixture of equation 5. */
export interface Speaker {
  name: string;
  /** Whose colour it has. */
  tone: 'auditor' | 'detector' | 'critic' | 'judge' | 'mixture';
  shape: (typeof shapes)[number];
  /** Tells the seats of one role apart: the first is filled, the others are not. */
  variant: 1 | 2 | 3;
  /** Whether its points are one path: votes that do not know of each other are not. */
  joined: boolean;
  points: readonly SpeakerPoint[];
}

export interface SpeakerPoint {
  round: number | null;
  distribution: ShownDistribution | null;
  label: string | null;
  /** A fallback stands in for what was not said. */
  isStandIn: boolean;
}

/** One message of the exchange, with what tools found in it. */
export interface SaidByRole {
  speaker: string;
  source: Source;
  observations: readonly Observation[];
}

export interface EvaluationView extends DebateView {
  citations: Citations;
  concept: Phrase;
  behaviour: Phrase;
  warnings: readonly { title: Phrase; seat: string; detail: string }[];
  rounds: readonly EvaluationRound[];
  speakers: readonly Speaker[];
  exchange: readonly SaidByRole[];
  /** What tools found and belongs to no message. */
  observations: readonly Observation[];
  /** What the equations were computed with. */
  parameters: string;
}

/** What a reader is shown of an evaluation. */
export function viewEvaluation(answer: EvaluationAnswer): EvaluationView {
  const { verdict, provenance } = answer;
  const { plan } = provenance;
  const debate = viewDebate(answer, evaluationTerms, {
    method: plan.method,
    meaning: explainVerdict(verdict),
    verdictSide: findSide(verdict),
  });
  const rounds = debate.rounds.map((round) => addArithmetic(round, answer));
  const { exchange, observations } = readConversation(answer);
  const parameters = [
    ['δ', plan.delta],
    ['γ', plan.gamma],
    ['ε', plan.smoothing],
    ['λ of the auditors', plan.stubbornness.auditor],
    ['λ of the detectors', plan.stubbornness.detector],
    ['consensus bound', plan.consensusBound],
  ] as const;
  return {
    ...debate,
    // In the order in which a reader meets them.
    citations: collectCitations(
      [...exchange.flatMap((said) => [said.source, ...said.observations]), ...observations],
      debate.quotations,
    ),
    concept: nameConcept(verdict.concept),
    behaviour: nameBehaviour(verdict.behaviour),
    warnings: answer.warnings.map(({ kind, ...warning }) => ({ title: nameWarning(kind), ...warning })),
    rounds,
    speakers: listSpeakers(rounds),
    exchange,
    observations,
    parameters: parameters.map(([name, value]) => `${name} = ${value}`).join(', '),
  };
}

function findSide({ label, concept }: { label: SafetyLabel; concept: string | null }): Side {
  if (label === 'safe') return 'exoneration';
  if (label !== 'unsafe') return 'neutral';
  return concept === 'implicit' ? 'implicit' : 'risk';
}

function addArithmetic(round: RoundView, { transcript }: EvaluationAnswer): EvaluationRound {
  const find = (name: string) => {
    const entry = transcript.find(
      (step) => step.kind === 'computed' && step.name === name && step.round === round.round,
    );
    return entry?.kind === 'computed' ? entry.value : undefined;
  };
  const mixture = round.round === null ? undefined : find('mixture');
  return {
    ...round,
    mixing: mixture === undefined ? null : readMixing(toRecord(mixture)),
    priors: Object.entries(toRecord(find('priors'))).flatMap(([seat, value]) => {
      const prior = readDistribution(value);
      return prior ? [[nameSeat(seat), prior] as const] : [];
    }),
  };
}

function readMixing({ reference, alpha, mixture, divergence, breach }: Record<string, unknown>): Mixing {
  const from = toText(toRecord(reference)['from']);
  const toNumber = (value: unknown) => (typeof value === 'number' ? value : null);
  return {
    reference: from === null ? null : { distribution: readDistribution(toRecord(reference)['distribution']), from },
    alpha: toNumber(alpha),
    mixture: readDistribution(mixture),
    divergence: toNumber(divergence),
    breach: breach === true,
  };
}

const roleShapes: Record<string, Pick<Speaker, 'tone' | 'shape'>> = {
  auditor: { tone: 'auditor', shape: 'circle' },
  detector: { tone: 'detector', shape: 'square' },
  critic: { tone: 'critic', shape: 'diamond' },
};

/** Every seat's path through the rounds, then the mixture's. */
function listSpeakers(rounds: readonly EvaluationRound[]): Speaker[] {
  const turns = rounds.flatMap((round) => round.turns.map(({ turn }) => turn));
  const seats = [...new Map(turns.map((turn) => [turn.seat, turn.role]))];
  const speakers = seats.map(([seat, role]): Speaker => {
    const number = seats.filter((other) => other[1] === role).findIndex(([name]) => name === seat);
    const known = findWords(roleShapes, role);
    return {
      name: nameSeat(seat),
      ...(known ?? { tone: 'judge', shape: shapes[number % shapes.length]! }),
      variant: findVariant(known ? number : Math.floor(number / shapes.length)),
      joined: rounds.every(({ round }) => round !== null),
      points: turns.filter((turn) => turn.seat === seat).map(readPoint),
    };
  });
  const mixture = rounds.flatMap(({ round, mixing }): SpeakerPoint[] =>
    mixing ? [{ round, distribution: mixing.mixture, label: null, isStandIn: false }] : [],
  );
  return mixture.length === 0
    ? speakers
    : [...speakers, { name: 'Mixture', tone: 'mixture', shape: 'hexagon', variant: 1, joined: true, points: mixture }];
}

function readPoint(turn: Turn): SpeakerPoint {
  const { distribution, label } = readStance(turn);
  return { round: turn.round, distribution, label, isStandIn: turn.fallback !== undefined };
}

function findVariant(number: number): Speaker['variant'] {
  if (number === 0) return 1;
  return number === 1 ? 2 : 3;
}

/** What a speaker says at a point: its label; for the mixture, which says none, the concept that is likeliest. */
export function describeStanding({ label, isStandIn, distribution }: SpeakerPoint): string {
  if (isStandIn) return 'no answer';
  if (label !== null || distribution === null) return label ?? '';
  return Object.entries(distribution).toSorted(([, a], [, b]) => b - a)[0]![0];
}

function readConversation({
  sources,
  subject: { turns },
}: EvaluationAnswer): Pick<EvaluationView, 'exchange' | 'observations'> {
  const found = sources.filter((source): source is Observation => 'tool' in source);
  const order = turns.map(({ source }) => source);
  const findPosition = ({ id }: Source) => (order.includes(id) ? order.indexOf(id) : order.length);
  const exchange = sources
    .filter((source) => !('tool' in source))
    .toSorted((a, b) => findPosition(a) - findPosition(b))
    .map((source): SaidByRole => ({
      source,
      speaker: turns.find((turn) => turn.source === source.id)?.speaker ?? '',
      observations: found.filter(({ of }) => of === source.id || of.startsWith(`${source.id}/`)),
    }));
  const placed = new Set(exchange.flatMap((said) => said.observations));
  return { exchange, observations: found.filter((observation) => !placed.has(observation)) };
}
