import { formatPlural, formatScore } from '../../../view/index.ts';
import { findTurns, type Turn } from '../../../debate/index.ts';
import type { ModerationMethod, Opinion } from '../index.ts';
import type { Policy } from '../../../policy/index.ts';
import {
  anchorTurn,
  type Citations,
  nameClauses,
  html,
  inline,
  type Markup,
  type Part,
  code,
  table,
  quoteList,
  turnCard,
} from '../../../reports/index.ts';
import { stopsOf, type ModerationAnswer } from './moderation-answer.ts';
import { isMethod, outcomeOf, seatOfRound, stopOf } from './words.ts';

/** Which method judged: what the record says, or else what its seats tell. */
export function methodOf({
  provenance,
  transcript,
}: Pick<ModerationAnswer, 'provenance' | 'transcript'>): ModerationMethod {
  const { method } = provenance as { method?: unknown };
  if (typeof method === 'string' && isMethod(method)) return method;
  const seat = findTurns(transcript)
    .find(({ role }) => role === 'judge')
    ?.seat.split('#')[0];
  if (seat === undefined) return 'debate';
  return seat === 'vote' ? 'vote' : seat === 'peer' ? 'role-free' : seat === 'control' ? 'control' : 'judge';
}

export function judgeTurns({ transcript }: Pick<ModerationAnswer, 'transcript'>): Turn[] {
  return findTurns(transcript).filter(({ role }) => role === 'judge');
}

/** What a judge says: unsafe from one half; null when it was not heard. */
export function voteOf({ fallback, score: risk }: Turn): 'safe' | 'unsafe' | null {
  if (fallback || risk === null) return null;
  return risk >= 0.5 ? 'unsafe' : 'safe';
}

export function clausesOf({ answer }: Turn): readonly string[] {
  const { clauses } = (answer ?? {}) as Partial<Opinion>;
  return Array.isArray(clauses) ? clauses.filter((clause) => typeof clause === 'string') : [];
}

/** The votes that count: the last that was heard of each judge, all of them where every turn is a vote of its own. */
export function votesOf(answer: ModerationAnswer): Turn[] {
  const turns = judgeTurns(answer);
  if (methodOf(answer) === 'control') return turns;
  const last = new Map(turns.map((turn) => [turn.seat, turn]));
  for (const turn of turns.filter((judge) => voteOf(judge) !== null)) last.set(turn.seat, turn);
  return [...last.values()];
}

/** `4 votes: 2 unsafe, 1 safe, 1 not heard.` */
export function tallyWords(votes: readonly Turn[]): string {
  const count = (label: 'safe' | 'unsafe' | null) => votes.filter((turn) => voteOf(turn) === label).length;
  return (
    `${formatPlural(votes.length, 'vote')}: ${count('unsafe')} unsafe, ${count('safe')} ` +
    `safe${count(null) > 0 ? `, ${count(null)} not heard` : ''}.`
  );
}

/** Who voted how, and what came of it; without judges, the words that were found. */
export function verdictOfJudges(answer: ModerationAnswer, citations: Citations): Markup {
  const votes = votesOf(answer);
  const outcome = answer.verdict.label === 'undecided' ? outcomeOf(answer.verdict.rule.id) : undefined;
  const rows = votes.map((turn): Part[] => {
    const vote = voteOf(turn);
    return [
      inline(seatOfRound(turn)),
      code(turn.reasoner),
      vote === null ? 'not heard' : html`<strong>${vote}</strong>`,
      vote === null ? '' : formatScore(turn.score),
    ];
  });
  return html`${votes.length > 0 ? table('The votes', ['Seat', 'Model', 'Vote', 'Risk'], rows, new Set([3])) : quoteList(answer.verdict.evidence, citations)}
  ${votes.length > 1 && html`<p class="tally">${tallyWords(votes)}</p>`} ${outcome && html`<p>${outcome}</p>`}`;
}

/** What the judges said, side by side, round by round where they answered each other. */
export function judgesView(answer: ModerationAnswer, citations: Citations, policy: Policy | undefined): Markup {
  const turns = judgeTurns(answer);
  const stops = stopsOf(answer.transcript);
  const peers = methodOf(answer) === 'role-free';
  const card = (turn: Turn) =>
    turnCard({
      turn,
      citations,
      anchor: anchorTurn(answer, turn),
      name: peers ? seatOfRound({ seat: turn.seat, round: null }) : seatOfRound(turn),
      tone: voteOf(turn) === null ? undefined : voteOf(turn) === 'unsafe' ? 'risk' : 'exoneration',
      clauses: nameClauses(clausesOf(turn), policy),
      previous: peers
        ? turns.find((other) => other.seat === turn.seat && other.round === (turn.round ?? 1) - 1)?.score
        : undefined,
    });
  const rounds = peers ? [...Map.groupBy(turns, ({ round }) => round)] : [[null, turns] as const];
  return html`${rounds.map(
    ([round, spoken]) =>
      html`${round !== null && html`<h3>Round ${round}</h3>`}
        <div class="sides">${spoken.map((turn) => html`<div class="side">${card(turn)}</div>`)}</div>`,
  )}
  ${stops.map((stop) => html`<p class="stop small">${stopOf(stop.reason)}</p>`)}`;
}
