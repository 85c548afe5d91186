import { describeFailure, formatPercent, formatScore, describeLabel } from '../../../view/index.ts';
import { findTurns, type Turn } from '../../../debate/index.ts';
import type { Distribution, EvaluationAnswer } from '../index.ts';
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
import { parametersOf } from './parameters.ts';
import { evaluationCitations, passageWords } from './quotations.ts';
import { readable, stanceOf, type ReadableAnswer } from './readable-answer.ts';
import { roundsOf, tallyWords, titleOf, votesOf, type Round } from './rounds.ts';
import { ladderOf } from './rule-ladder.ts';
import { known, meaningOf, methodOf, methodWords, ruleTitle, seatName, seatOfRound, stopOf } from './words.ts';

/** The report of an evaluation as Markdown that is safe to paste into an issue. */
export function markdownReport(evaluated: EvaluationAnswer, policy: Policy | undefined): string {
  const answer = readable(evaluated);
  const citations = evaluationCitations(answer);
  const rounds = roundsOf(answer);
  return joinBlocks([
    ...verdictBlocks(answer, policy),
    ...why(answer, rounds),
    ...exchange(answer, citations),
    ...concepts(rounds, answer.plan.delta),
    ...debate(answer, rounds, policy),
    ...cost(answer),
    ...markdownProvenance(
      answer,
      parametersOf(answer).map(([name, value]) => [name, codeSpan(value)]),
    ),
  ]);
}

function verdictBlocks(answer: ReadableAnswer, policy: Policy | undefined): string[] {
  const { verdict, subject, warnings } = answer;
  const { title, meaning } = describeLabel(verdict.label);
  return [
    `# Verdict: ${meaning === '' ? codeSpan(title) : title}`,
    [meaningOf(answer), verdict.escalate && '**A person must look at it.**'].filter(Boolean).join(' '),
    warnings.length > 0 ? '**Who judged whom**' : '',
    markdownList(
      warnings.map(
        ({ kind, seat, detail }) => `${known.warning(kind, codeSpan)} (${codeSpan(seat)}): ${codeSpan(detail)}`,
      ),
    ),
    markdownTable(
      ['Kind of risk', 'What the model did', 'Evaluated model', 'Evaluator'],
      [
        [
          known.concept(verdict.concept, codeCell),
          known.behaviour(verdict.behaviour, codeCell),
          subject.model === null ? 'not named' : codeCell(subject.model),
          methodWords(methodOf(answer)).title,
        ],
      ],
    ),
    markdownTable(
      ['Score', 'Confidence', 'Probability', 'Decided by', 'Reference'],
      [
        [
          formatScore(verdict.score),
          verdict.confidence === null ? 'not stated' : formatPercent(verdict.confidence),
          verdict.probability === null ? 'not calibrated' : formatPercent(verdict.probability),
          ruleTitle(verdict.rule.id, codeCell),
          codeCell(subject.id ?? answer.id),
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

function why(answer: ReadableAnswer, rounds: readonly Round[]): string[] {
  const method = methodOf(answer);
  const votes = votesOf(rounds, method === 'control');
  const voted =
    method !== 'debate' || findTurns(answer.transcript).some((turn) => turn.role === 'arbiter' && turn.fallback);
  return [
    '## Why',
    ...(method === 'debate' ? ladderBlocks(ladderOf(answer)) : [methodWords(method).how]),
    ...(voted && votes.length > 0
      ? [
          markdownTable(
            ['Seat', 'Model', 'Vote', 'Risk'],
            votes.map((turn) => {
              const { label } = stanceOf(turn);
              return [
                codeCell(seatOfRound(turn)),
                codeCell(turn.reasoner),
                label === null ? 'not heard' : codeCell(label),
                turn.fallback ? '' : formatScore(turn.score),
              ];
            }),
          ),
          votes.length > 1 ? tallyWords(votes) : '',
        ]
      : []),
  ];
}

function exchange(answer: ReadableAnswer, citations: Citations): string[] {
  return [
    '## The exchange',
    ...answer.exchange.flatMap(({ speaker, source, observations }) => [
      ...sourceBlocks(source, citations, `**${known.speaker(speaker, () => 'Message')}**`),
      ...observations.flatMap((observation) => sourceBlocks(observation, citations)),
    ]),
    ...answer.observations.flatMap((observation) => sourceBlocks(observation, citations)),
    ...passageBlocks(citations, passageWords),
  ];
}

/** What the page draws as a triangle, in numbers. */
function concepts(rounds: readonly Round[], delta: number | null): string[] {
  const numbers = (distribution: Distribution | null) =>
    distribution === null
      ? ['', '', '']
      : [formatScore(distribution.explicit), formatScore(distribution.implicit), formatScore(distribution.none)];
  const stated = rounds.flatMap(({ turns }) => turns);
  if (stated.length === 0) return [];
  return [
    '## Where each voice sees the risk',
    ...rounds.flatMap((round) => [
      `**${titleOf(round)}**`,
      markdownTable(
        ['', 'explicit', 'implicit', 'none', 'Label'],
        [
          ...round.turns.map((turn) => {
            const { distribution, label } = stanceOf(turn);
            return [
              codeCell(seatName(turn.seat)),
              ...numbers(distribution),
              turn.fallback ? 'not heard (stand-in)' : codeCell(label ?? ''),
            ];
          }),
          ...(round.mixing
            ? [
                [
                  `P̂ ${round.mixing.reference === null ? '(none)' : codeCell(`from ${round.mixing.reference.from}`)}`,
                  ...numbers(round.mixing.reference?.distribution ?? null),
                  '',
                ],
                ['**Mixture** (equation 5)', ...numbers(round.mixing.mixture), ''],
              ]
            : []),
          ...round.priors.map(([seat, prior]) => [
            `Updated prior of ${codeCell(seatName(seat))} (equation 6)`,
            ...numbers(prior),
            '',
          ]),
        ],
      ),
      round.mixing ? arithmetic(round.mixing, delta) : '',
    ]),
  ];
}

function arithmetic({ alpha, divergence, breach }: NonNullable<Round['mixing']>, delta: number | null): string {
  const limit = `δ${delta === null ? '' : ` = ${delta}`}`;
  const apart =
    divergence === null
      ? 'No divergence: one side was not heard.'
      : `KL(auditor ‖ detector) = ${formatScore(divergence)}, ${breach ? `**at or above ${limit}**` : `below ${limit}`}.`;
  return `${alpha === null ? '' : `α = ${formatScore(alpha)}. `}${apart}`;
}

function debate(answer: ReadableAnswer, rounds: readonly Round[], policy: Policy | undefined): string[] {
  const turns = findTurns(answer.transcript);
  if (turns.length === 0) return [];
  return [
    '## What was said',
    ...turns.flatMap((turn) => spoken(turn, policy)),
    ...rounds.map(({ stop }) => (stop === null ? '' : stopOf(stop, codeSpan))),
    rounds.length > 0 && rounds.every(({ round, stop }) => round !== null && stop === null)
      ? `All ${rounds.length} rounds were argued.`
      : '',
  ];
}

function spoken(turn: Turn, policy: Policy | undefined): string[] {
  const { label, behaviour, clauses, objections } = stanceOf(turn);
  return [
    `### ${codeSpan(seatOfRound(turn))}${label === null ? '' : `: ${codeSpan(label)}`}`,
    codeSpan(turn.reasoner),
    turn.fallback
      ? `**Stand-in**: this seat was not heard, ${describeFailure(turn.fallback.reason, codeSpan)}. ${codeSpan(turn.fallback.detail)}`
      : '',
    statement(turn.statement),
    behaviour === null ? '' : `What the model did: ${known.behaviour(behaviour, codeSpan)}.`,
    turn.fallback
      ? ''
      : markdownList(
          objections.map(
            ({ to, kind, point, material }) =>
              `**${known.objection(kind, codeSpan)}**, to the ${codeSpan(to)} ` +
              `(${material ? 'material' : 'minor'}): ${codeSpan(point)}`,
          ),
        ),
    quotes(turn.evidence),
    clauseList(nameClauses(clauses, policy)),
    markdownList((turn.notes ?? []).map(codeSpan)),
  ];
}
