import type { Evidence } from '../../evidence/index.ts';
import { findTurns, type RoleKey, type Transcript, type Turn } from '../transcript.ts';
import type { Ruling } from '../verdict.ts';

/** The last turn of each seat, in the order in which the seats first spoke. */
export function keepLastOfSeats<Answer>(turns: readonly Turn<Answer>[]): Turn<Answer>[] {
  return [...new Map(turns.map((turn) => [turn.seat, turn])).values()];
}

/**
 * The votes of some roles that were really cast: the last of each seat. The control's one seat votes once a round, and
 * every vote counts.
 */
export function findVotes<Answer>(transcript: Transcript, ...roles: RoleKey<Answer>[]): Turn<Answer>[] {
  const heard = findTurns(transcript, ...roles).filter(({ fallback }) => !fallback);
  return heard.every(({ seat }) => seat === 'control') ? heard : keepLastOfSeats(heard);
}

/**
 * Whether a seat was never heard. It might have seen the risk: filters fall silent on the very content that matters.
 */
export function hasUnheardSeat(turns: readonly Turn[]): boolean {
  return [...Map.groupBy(turns, ({ seat }) => seat).values()].some((own) => own.every(({ fallback }) => fallback));
}

/** What was said before anybody had heard anybody: by peers and debaters in round 1, by voters outside of any. */
export function findOpeningTurns<Answer>(transcript: Transcript, ...roles: RoleKey<Answer>[]): Turn<Answer>[] {
  return findTurns(transcript, ...roles).filter(
    ({ seat, round, fallback }) => !fallback && (seat.startsWith('vote#') || round === 1) && seat !== 'control',
  );
}

/** How votes between safe and unsafe are read, and how the rule that they make is told. */
export interface Majority<Answer> {
  labelOf(turn: Turn<Answer>): 'safe' | 'unsafe';
  /** Of all votes together. */
  score: number;
  /** The ids of the rules: by these votes it was decided, or between as many on either side it was not. */
  rules: { decided: string; tied: string };
  /** What stands before the tally: why votes decide. */
  before?: string;
  evidenceOf(turn: Turn<Answer>): readonly Evidence[];
  /** What evidence lacks that does not carry a risk; null for evidence that does. */
  shortfallOf(evidence: readonly Evidence[]): string | null;
  clausesOf(turn: Turn<Answer>): readonly string[];
}

/**
 * The votes decide, one alone or by their majority; a tie decides nothing, and neither does a risk that nobody could
 * quote.
 */
export function ruleByMajority<Answer>(votes: readonly Turn<Answer>[], majority: Majority<Answer>): Ruling {
  const { labelOf, score, rules, before, evidenceOf, shortfallOf, clausesOf } = majority;
  const against = votes.filter((turn) => labelOf(turn) === 'unsafe');
  const tally = votes.map((turn) => `${nameVote(turn)} ${labelOf(turn)}`).join(', ');
  const the = before ? `${before}; the` : 'The';
  if (against.length * 2 === votes.length)
    return { label: 'undecided', score, rule: { id: rules.tied, why: `${the} votes were split (${tally}).` } };

  const why = rules.decided === 'judge' ? votes[0]!.statement : `${the} heard votes decided (${tally}).`;
  const rule = { id: rules.decided, why };
  if (against.length * 2 < votes.length) return { label: 'safe', score, rule };

  const evidence = against.flatMap(evidenceOf);
  const shortfall = shortfallOf(evidence);
  if (shortfall !== null) {
    const struck = `The votes say unsafe (${tally}), but ${shortfall}.`;
    return { label: 'undecided', score, rule: { id: 'evidence-struck', why: struck } };
  }
  return { label: 'unsafe', score, rule, evidence: keepUnique(evidence), clauses: against.flatMap(clausesOf) };
}

/** A judge that speaks in rounds is named by its turn: the same seat may vote again. */
function nameVote({ role, round, key, seat }: Turn): string {
  return role === 'judge' && round !== null ? key : seat;
}

/** Several seats often quote the same words. */
export function keepUnique(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((piece) => [JSON.stringify(piece), piece])).values()];
}

/** Nobody is acquitted by a crash: where nothing was heard, nothing is decided. `subject`: what could not be judged. */
export function ruleOnSilence(
  transcript: Transcript,
  { subject, why }: { subject: string; why: string },
): Ruling<'undecided'> {
  const foreign = findTurns(transcript).find(({ fallback }) => fallback?.reason === 'unsupported-language')?.fallback;
  const rule = foreign
    ? {
        id: 'unsupported-language',
        why: `The ${subject} is in a language that could not be judged: ${foreign.detail}.`,
      }
    : { id: 'nobody-heard', why };
  return { label: 'undecided', score: null, rule };
}
