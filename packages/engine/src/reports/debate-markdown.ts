import type { Answer } from '../debate/index.ts';
import type { Policy } from '../policy/index.ts';
import {
  describeFailure,
  describeStop,
  formatScore,
  nameClauses,
  showPhrase,
  type Citations,
  type DebateView,
  type Phrase,
  type TurnView,
} from '../view/index.ts';
import { codeCell, codeSpan } from './markdown-escape.ts';
import {
  clauseList,
  cost,
  degradationBlocks,
  joinBlocks,
  ladderBlocks,
  markdownList,
  markdownProvenance,
  markdownTable,
  quotes,
  statement,
} from './markdown-parts.ts';

const titleDebate = ({ method }: DebateView): string =>
  method.id === 'debate' || method.id === 'role-free' ? 'The debate' : 'What was said';

function hasRunOut({ rounds }: DebateView): boolean {
  return rounds.length > 1 && rounds.every(({ round, stop }) => round !== null && stop === null);
}

/** What the report of a debate is made of. */
interface DebateDocument {
  answer: Answer<{ id?: string | null }>;
  view: DebateView & { citations: Citations };
  policy: Policy | undefined;
  /** What a reader must know before anything else: about which seat, and what. */
  warnings?: readonly { title: Phrase; seat: string; detail: string }[];
  /** What provenance names besides. */
  parameters?: readonly (readonly [name: string, value: string])[];
  facts?: readonly (readonly [name: string, value: string])[];
  judged: readonly string[];
  beforeDebate?: readonly string[];
  chart?: string;
  afterDebate?: readonly string[];
  /** What a turn says beside its statement and its evidence. */
  dressTurn?: (view: TurnView) => readonly string[];
  /** Where a turn stands, for its heading. */
  showStanding?: (view: TurnView) => string | null;
}

/** The report as Markdown that is safe to paste into an issue. */
export function renderDebateMarkdown(report: DebateDocument): string {
  const { answer, view, judged, beforeDebate = [], chart = '', afterDebate = [], parameters = [] } = report;
  return joinBlocks([
    ...verdictBlocks(report),
    ...(view.ladder || !view.isDebate ? ['## Why'] : []),
    ...(view.ladder ? ladderBlocks(view.ladder) : [view.method.how]),
    view.votes.length === 0
      ? ''
      : markdownTable(
          ['Seat', 'Model', 'Vote', 'Risk'],
          view.votes.map(({ title, turn, vote, risk }) => [
            codeCell(title),
            codeCell(turn.reasoner),
            vote === null ? 'no answer' : codeCell(vote),
            turn.fallback ? '' : (risk?.text ?? formatScore(turn.score)),
          ]),
        ),
    view.tally ?? '',
    view.outcome ?? '',
    ...judged,
    ...beforeDebate,
    view.turns.length > 0 ? `## ${titleDebate(view)}` : '',
    chart,
    ...view.turns.flatMap((one) => turnBlocks(one, report)),
    ...view.rounds.map(({ stop }) => (stop ? (stop.words ?? describeStop(stop.id, codeSpan)) : '')),
    hasRunOut(view) ? `All ${view.rounds.length} rounds were argued.` : '',
    ...afterDebate,
    ...cost(answer),
    ...markdownProvenance(
      answer,
      parameters.map(([name, value]) => [name, codeSpan(value)]),
    ),
  ]);
}

function verdictBlocks({ answer, view, policy, facts = [], warnings = [] }: DebateDocument): string[] {
  const { id, subject, verdict } = answer;
  return [
    `# Verdict: ${view.label.isKnown ? view.label.title : codeSpan(view.label.title)}`,
    [view.meaning, verdict.escalate && '**Needs human review.**'].filter(Boolean).join(' '),
    warnings.length > 0 ? '**Who judged whom**' : '',
    markdownList(
      warnings.map(
        ({ title, seat, detail }) => `${showPhrase(title, codeSpan)} (${codeSpan(seat)}): ${codeSpan(detail)}`,
      ),
    ),
    facts.length === 0
      ? ''
      : markdownTable(
          facts.map(([name]) => name),
          [facts.map(([, value]) => value)],
        ),
    markdownTable(
      [...(view.risk ? ['Risk', 'Bar'] : ['Score']), 'Decided by', 'Reference'],
      [
        [
          ...(view.risk ? [view.risk.text, view.risk.barText] : [formatScore(verdict.score ?? null)]),
          showPhrase(view.decidedBy, codeCell),
          codeCell(subject.id ?? id),
        ],
      ],
    ),
    statement(verdict.rule.why),
    clauseList(
      nameClauses(
        verdict.categories.map((category) => category.clause),
        policy,
      ),
    ),
    quotes(verdict.evidence),
    ...degradationBlocks(verdict.degraded),
  ];
}

function turnBlocks(view: TurnView, { policy, dressTurn, showStanding }: DebateDocument): string[] {
  const { turn, title, stance } = view;
  const standing = showStanding
    ? showStanding(view)
    : turn.score === null
      ? null
      : (view.risk?.text ?? formatScore(turn.score));
  return [
    `### ${codeSpan(title)}${standing === null ? '' : `: ${standing}`}`,
    codeSpan(turn.reasoner),
    turn.fallback
      ? `**Fallback**: this seat gave no usable answer, ${describeFailure(turn.fallback.reason, codeSpan)}. ` +
        codeSpan(turn.fallback.detail)
      : '',
    statement(turn.statement),
    stance.concession === null ? '' : `**Concedes:** ${codeSpan(stance.concession)}`,
    ...(dressTurn?.(view) ?? []),
    quotes(turn.evidence),
    clauseList(nameClauses(stance.clauses, policy)),
    markdownList((turn.notes ?? []).map(codeSpan)),
  ];
}
