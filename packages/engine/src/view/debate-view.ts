import type { Answer, SafetyLabel, Turn } from '../debate/index.ts';
import { anchorTurn, type Quotation, type Side } from './citations.ts';
import { deciders, describeLabel, findWords, formatPlural, nameSpeaker, stops, type Phrase } from './describe.ts';
import { readRuleFindings, viewRules, type Ladder } from './ladder.ts';
import { readStance, type ReadFinding, type Stance } from './read-turn.ts';
import { viewScore, viewVerdictRisk, type RiskView } from './risk.ts';

/** A rule that code applies to what the arbiter found, in our words. */
export interface RuleTerms {
  readonly ids: readonly string[];
  readonly title: string;
  readonly question: string;
  readonly applied: string;
  readonly passed: string;
  /** The arbiter's finding that it is applied to, and what its evidence is for; null where there is none. */
  readonly finding: { name: string; holds: Exclude<Side, 'neutral'>; fails: Exclude<Side, 'neutral'> } | null;
}

/** What the ids of a job's debates mean, in plain words. An id that is not listed is shown as it is. */
export interface DebateTerms {
  /** Whether scores say how risky something is; else they are shown as they are. */
  readonly isRisk: boolean;
  /** What is judged, as a word in a sentence: `content`. */
  readonly subject: string;
  readonly methods: Readonly<Record<string, { title: string; how: string }>>;
  /** The rules of a debate, the first that applies decides. */
  readonly rules: readonly RuleTerms[];
  /** Why a rule was not applied though the arbiter was heard. */
  readonly notApplied: string;
  /** Who or what decided. */
  readonly deciders: Readonly<Record<string, string>>;
  /** What a decision outside the rules means. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly stops: Readonly<Record<string, string>>;
  /** What each role does. */
  readonly parts: Readonly<Record<string, string>>;
  /** What a role's quotations are for, whatever it says. */
  readonly sides: Readonly<Record<string, Side>>;
}

/** One turn as a reader sees it. */
export interface TurnView {
  turn: Turn;
  /** Where it is on a page. */
  anchor: string;
  /** `Auditor 2`. */
  name: string;
  /** `Auditor 2, round 1`. */
  title: string;
  stance: Stance;
  /** How risky it finds what is judged, on the scale of the verdict; null where it says no risk. */
  risk: RiskView | null;
  /** What it votes for; null when it has no vote, or was not heard. */
  vote: string | null;
  /** What it quotes for. */
  side: Side | undefined;
  /** The seat's last turn before this one that was heard. */
  previous: TurnView | undefined;
}

/** A round of the debate; votes that are not taken in rounds are one without a number. */
export interface RoundView {
  round: number | null;
  title: string;
  turns: readonly TurnView[];
  stop: Phrase | null;
}

/** A debate as a reader sees it: terminal, reports and console render it. */
export interface DebateView {
  method: { id: string; title: string; how: string };
  isDebate: boolean;
  /** What the verdict's label is called, and as which one it is drawn. */
  label: { label: SafetyLabel; title: string; isKnown: boolean };
  meaning: string;
  /** The one number that stands for the risk, beside its bar; null when nobody was heard, or it is no risk. */
  risk: RiskView | null;
  /** At which sensitivity the bar was picked; null for the default, and where the judge knows none. */
  sensitivity: string | null;
  decidedBy: Phrase;
  /** The rules in the order of their priority; null where votes decided instead. */
  ladder: Ladder | null;
  /** Whose votes count, where votes decided. */
  votes: readonly TurnView[];
  /** `4 votes: 2 unsafe, 1 safe, 1 not heard.`; null of a single one. */
  tally: string | null;
  /** Why judges without a role did not decide. */
  outcome: string | null;
  turns: readonly TurnView[];
  /** Without those who speak before or after them. */
  rounds: readonly RoundView[];
  arbiter: TurnView | undefined;
  /** Who quotes what, for what. */
  quotations: readonly Quotation[];
}

/** Roles that speak before the rounds or after them. */
const outsideRounds = new Set(['preprocessor', 'supporter', 'arbiter']);

type DebateAnswer = Pick<Answer, 'transcript' | 'verdict'> & Partial<Pick<Answer, 'provenance'>>;

/** Reads a debate about one subject. `method` is how it was judged, as far as the record says so. */
export function viewDebate(
  answer: DebateAnswer,
  terms: DebateTerms,
  given: { method?: string | undefined; meaning?: string; verdictSide: Side },
): DebateView {
  const { transcript, verdict } = answer;
  const method = findMethod(answer, terms, given.method);
  const isDebate = method === 'debate';
  const turns = viewTurns(answer, terms, method);
  const arbiter = turns.findLast(({ turn }) => turn.role === 'arbiter');
  const findings = readRuleFindings(terms, arbiter?.turn);
  const rounds = listRounds(transcript, turns, method, terms);
  // Debaters who argue a given side have scores, not votes.
  const isVoted = !isDebate || (arbiter?.turn.fallback !== undefined && Object.keys(terms.sides).length === 0);
  const votes = isVoted ? countingVotes(rounds, method) : [];
  const { label, title, meaning } = describeLabel(verdict.label);
  return {
    method: { id: method, ...(findWords(terms.methods, method) ?? { title: method, how: '' }) },
    isDebate,
    label: { label, title, isKnown: meaning !== '' },
    meaning: given.meaning ?? meaning,
    risk: terms.isRisk ? viewVerdictRisk(verdict) : null,
    sensitivity: answer.provenance?.sensitivity ?? null,
    decidedBy: { id: verdict.rule.id, words: findWords({ ...deciders, ...terms.deciders }, verdict.rule.id) ?? null },
    ladder: isDebate && terms.rules.length > 0 ? viewRules(verdict, terms, findings) : null,
    votes,
    tally: votes.length > 1 ? tallyVotes(votes) : null,
    outcome: isDebate || verdict.label !== 'undecided' ? null : (findWords(terms.outcomes, verdict.rule.id) ?? null),
    turns,
    rounds,
    arbiter,
    quotations: listQuotations(answer, terms, turns, findings, given.verdictSide),
  };
}

/** Which method judged: what the record says, or else what its seats tell. */
function findMethod({ transcript }: DebateAnswer, { methods }: DebateTerms, given: string | undefined): string {
  if (given !== undefined && Object.hasOwn(methods, given)) return given;
  const judge = transcript.find((entry) => entry.kind === 'turn' && entry.role === 'judge');
  if (judge?.kind !== 'turn') return 'debate';
  const seat = judge.seat.split('#')[0]!;
  return { vote: 'vote', peer: 'role-free', control: 'control' }[seat] ?? 'judge';
}

function viewTurns(answer: DebateAnswer, terms: DebateTerms, method: string): TurnView[] {
  const views: TurnView[] = [];
  for (const turn of answer.transcript) {
    if (turn.kind !== 'turn') continue;
    const stance = readStance(turn);
    const vote = findVote(turn, stance);
    views.push({
      turn,
      anchor: anchorTurn(answer, turn),
      name: nameSpeaker(turn.seat === 'control' ? turn : { ...turn, round: null }),
      title: nameSpeaker(turn),
      stance,
      risk: terms.isRisk ? viewScore(turn.score, answer.provenance?.calibration ?? null) : null,
      vote,
      side: findWords(terms.sides, turn.role) ?? findSide(turn, stance, vote),
      previous:
        method === 'control'
          ? undefined
          : views.findLast(({ turn: other }) => other.seat === turn.seat && !other.fallback),
    });
  }
  return views;
}

/** A judge who states no label says it by the score: unsafe from one half. */
function findVote({ fallback, role, score }: Turn, { label }: Stance): string | null {
  if (fallback) return null;
  return label ?? (role === 'judge' && score !== null ? (score >= 0.5 ? 'unsafe' : 'safe') : null);
}

function findSide({ role }: Turn, { distribution }: Stance, vote: string | null): Side | undefined {
  if (outsideRounds.has(role)) return undefined;
  if (vote === 'safe') return 'exoneration';
  if (vote !== 'unsafe') return 'neutral';
  return distribution && distribution.implicit > distribution.explicit ? 'implicit' : 'risk';
}

function listRounds(
  transcript: DebateAnswer['transcript'],
  turns: readonly TurnView[],
  method: string,
  terms: DebateTerms,
): RoundView[] {
  const ends = transcript.filter((entry) => entry.kind === 'stop');
  const findStop = (reason: string | undefined): Phrase | null =>
    reason === undefined ? null : { id: reason, words: findWords({ ...stops, ...terms.stops }, reason) ?? null };
  const spoken = turns.filter(({ turn }) => !outsideRounds.has(turn.role));
  const readRound = (view: TurnView) => (method === 'control' ? null : view.turn.round);
  const groups: TurnView[][] = [];
  for (const view of spoken) {
    const last = groups.at(-1);
    if (last && readRound(last[0]!) === readRound(view)) last.push(view);
    else groups.push([view]);
  }
  return groups.map((inRound) => {
    const round = readRound(inRound[0]!);
    // Turns outside the rounds of a debate ended no rounds; votes are all there is.
    const end = groups.length === 1 ? ends[0] : ends.find((stop) => stop.round === round);
    return {
      round,
      title: round === null ? 'Votes' : `Round ${round}`,
      turns: inRound,
      stop: findStop(end?.reason),
    };
  });
}

/**
 * The votes that count: the last that was heard of each seat, all of them where every turn is a vote of its own. A
 * critic has none.
 */
function countingVotes(rounds: readonly RoundView[], method: string): TurnView[] {
  const turns = rounds.flatMap((round) => round.turns).filter(({ turn }) => turn.role !== 'critic');
  if (method === 'control') return turns;
  const last = new Map(turns.map((view) => [view.turn.seat, view]));
  for (const view of turns.filter(({ turn }) => !turn.fallback)) last.set(view.turn.seat, view);
  return [...last.values()];
}

function tallyVotes(votes: readonly TurnView[]): string {
  const count = (label: string) => votes.filter(({ vote }) => vote === label).length;
  const [unsafe, safe] = [count('unsafe'), count('safe')];
  const others = votes.length - unsafe - safe;
  const unheard = others > 0 ? `, ${others} without an answer` : '';
  return `${formatPlural(votes.length, 'vote')}: ${unsafe} unsafe, ${safe} safe${unheard}.`;
}

function listQuotations(
  { verdict }: DebateAnswer,
  { rules }: DebateTerms,
  turns: readonly TurnView[],
  findings: Map<string, ReadFinding> | null,
  verdictSide: Side,
): Quotation[] {
  const said = turns.flatMap(({ turn, anchor, title, side }) =>
    side ? turn.evidence.map((evidence) => ({ evidence, quoter: { anchor, speaker: title, side } })) : [],
  );
  const found = rules.flatMap(({ finding }, index) => {
    const read = finding && findings?.get(finding.name);
    if (!read) return [];
    const quoter = {
      anchor: `rule-${index + 1}`,
      speaker: 'Arbiter',
      side: read.holds ? finding.holds : finding.fails,
    };
    return read.evidence.map((evidence) => ({ evidence, quoter }));
  });
  const quoter = { anchor: 'verdict', speaker: 'Verdict', side: verdictSide };
  return [...said, ...found, ...verdict.evidence.map((evidence) => ({ evidence, quoter }))];
}
