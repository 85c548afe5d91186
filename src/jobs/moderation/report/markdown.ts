import { describeFailure, formatPercent, formatScore, nameSpeaker, describeLabel } from '../../../view/index.ts';
import { findTurns, type Turn } from '../../../debate/index.ts';
import type { Policy } from '../../../policy/index.ts';
import {
  type Citations,
  nameClauses,
  codeCell,
  codeSpan,
  clauseList,
  cost,
  degradationBlocks,
  joinBlocks,
  ladderBlocks,
  markdownList,
  passageBlocks,
  markdownProvenance,
  quotes,
  sourceBlocks,
  statement,
  markdownTable,
} from '../../../reports/index.ts';
import { exclusionLines, libraryProblem } from './exclusion-words.ts';
import { clausesOf, judgeTurns, methodOf, tallyWords, voteOf, votesOf } from './judges.ts';
import { argumentOf, briefOf, sideOf, stopsOf, type ModerationAnswer } from './moderation-answer.ts';
import { moderationCitations, passageWords } from './quotations.ts';
import { shownPrecedents } from './retrieval-words.ts';
import { ladderOf } from './rule-ladder.ts';
import { trajectoryOf } from './scores.ts';
import { methodWords, outcomeOf, ruleTitle, seatOfRound, stopOf } from './words.ts';

/** The report as Markdown that is safe to paste into an issue. */
export function markdownReport(answer: ModerationAnswer, policy: Policy | undefined): string {
  const citations = moderationCitations(answer);
  const debated = methodOf(answer) === 'debate';
  return joinBlocks([
    ...verdict(answer, policy),
    '## Why',
    ...(debated ? ladderBlocks(ladderOf(answer)) : verdictOfJudges(answer)),
    ...judged(answer, citations),
    ...(debated ? [...debate(answer, policy), ...precedents(answer)] : said(answer, policy)),
    ...cost(answer),
    ...markdownProvenance(answer),
  ]);
}

function verdict({ id, subject, verdict }: ModerationAnswer, policy: Policy | undefined): string[] {
  const { title, meaning } = describeLabel(verdict.label);
  return [
    `# Verdict: ${meaning === '' ? codeSpan(title) : title}`,
    [meaning, verdict.escalate && '**A person must look at it.**'].filter(Boolean).join(' '),
    markdownTable(
      ['Score', 'Confidence', 'Probability', 'Decided by', 'Reference'],
      [
        [
          formatScore(verdict.score),
          verdict.confidence === null ? 'not stated' : formatPercent(verdict.confidence),
          verdict.probability === null ? 'not calibrated' : formatPercent(verdict.probability),
          ruleTitle(verdict.rule.id, codeCell),
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

function judged(answer: ModerationAnswer, citations: Citations): string[] {
  return [
    '## What was judged',
    markdownList(
      answer.subject.images.map((image) =>
        [
          codeSpan(image.id),
          image.width !== null && image.height !== null && `${image.width} × ${image.height} pixels`,
          image.mediaType !== null && codeSpan(image.mediaType),
          image.hash === null ? 'only a description was given' : codeSpan(image.hash),
        ]
          .filter(Boolean)
          .join(', '),
      ),
    ),
    ...answer.sources.flatMap((source) => sourceBlocks(source, citations)),
    ...passageBlocks(citations, passageWords),
  ];
}

function debate(answer: ModerationAnswer, policy: Policy | undefined): string[] {
  const { columns, series } = trajectoryOf(answer);
  const cell = (points: (typeof series)[number]['points'], column: number) => {
    const point = points.find((candidate) => candidate.column === column);
    return point ? `${formatScore(point.value)}${point.standIn ? ' (stand-in)' : ''}` : '';
  };
  return [
    '## The debate',
    markdownTable(
      ['Score', ...columns],
      series.map(({ name, points }) => [codeCell(name), ...columns.map((_, column) => cell(points, column))]),
    ),
    ...findTurns(answer.transcript).flatMap((turn) => spoken(turn, policy)),
    ...stopsOf(answer.transcript).map((stop) => stopOf(stop.reason, codeSpan)),
  ];
}

/** Who voted how, and what came of it. */
function verdictOfJudges(answer: ModerationAnswer): string[] {
  const votes = votesOf(answer);
  return [
    methodWords(methodOf(answer)).how,
    votes.length === 0
      ? ''
      : markdownTable(
          ['Seat', 'Model', 'Vote', 'Risk'],
          votes.map((turn) => [
            codeCell(seatOfRound(turn)),
            codeCell(turn.reasoner),
            voteOf(turn) ?? 'not heard',
            voteOf(turn) === null ? '' : formatScore(turn.score),
          ]),
        ),
    votes.length > 1 ? tallyWords(votes) : '',
    (answer.verdict.label === 'undecided' && outcomeOf(answer.verdict.rule.id)) || '',
  ];
}

function said(answer: ModerationAnswer, policy: Policy | undefined): string[] {
  const turns = judgeTurns(answer);
  if (turns.length === 0) return [];
  return [
    methodOf(answer) === 'role-free' ? '## The debate' : '## What was said',
    ...findTurns(answer.transcript).flatMap((turn) => spoken(turn, policy)),
    ...stopsOf(answer.transcript).map((stop) => stopOf(stop.reason, codeSpan)),
  ];
}

function spoken(turn: Turn, policy: Policy | undefined): string[] {
  const argument = sideOf(turn.role) && argumentOf(turn);
  const clauses = argument ? argument.clauses : turn.role === 'judge' ? clausesOf(turn) : [];
  return [
    `### ${codeSpan(turn.role === 'judge' ? seatOfRound(turn) : nameSpeaker(turn))}${turn.score === null ? '' : `: ${formatScore(turn.score)}`}`,
    codeSpan(turn.reasoner),
    turn.fallback
      ? `**Stand-in**: this seat was not heard, ${describeFailure(turn.fallback.reason, codeSpan)}. ${codeSpan(turn.fallback.detail)}`
      : '',
    statement(turn.statement),
    argument?.concession ? `**Concedes:** ${codeSpan(argument.concession)}` : '',
    quotes(turn.evidence),
    markdownList(
      nameClauses(clauses, policy).map((clause) =>
        `Clause ${codeSpan(clause.title)} ${clause.title === clause.id ? '' : codeSpan(clause.id)}`.trim(),
      ),
    ),
    markdownList((turn.notes ?? []).map(codeSpan)),
  ];
}

function precedents(answer: ModerationAnswer): string[] {
  const brief = briefOf(answer);
  const problem = libraryProblem(answer);
  const { shown, further } = shownPrecedents(answer);
  return [
    '## Precedents',
    problem === null ? '' : `**The library of precedents is not well.** ${codeSpan(problem)}`,
    answer.precedents.length === 0 ? 'No precedent was found.' : '',
    ...shown.flatMap((precedent) => [
      `**${precedent.label === 'unsafe' ? 'Unsafe' : 'Safe'}**, ${formatPercent(precedent.similarity)} alike: ${codeSpan(precedent.id)}${precedent.category === null ? '' : `, ${codeSpan(precedent.category)}`}`,
      statement(precedent.summary),
      precedent.why === undefined ? '' : `Decided so because: ${codeSpan(precedent.why)}`,
      markdownList(precedent.cues.map((cue) => `Cue: ${codeSpan(cue)}`)),
      markdownList(
        (brief?.cues ?? [])
          .filter((cue) => cue.precedent === precedent.id)
          .flatMap((cue) => [`Alike: ${codeSpan(cue.cue)}`, `Different: ${codeSpan(cue.difference)}`]),
      ),
    ]),
    further ?? '',
    markdownList((brief?.patterns ?? []).map((pattern) => `Pattern: ${codeSpan(pattern)}`)),
    markdownList(exclusionLines(answer, codeSpan)),
  ];
}
