import type { Policy } from '@agonhq/engine/policy';
import {
  codeCell,
  codeSpan,
  contextBlocks,
  markdownList,
  markdownTable,
  passageBlocks,
  renderDebateMarkdown,
  sourceBlocks,
} from '@agonhq/engine/reports';
import { formatScore, showPhrase, type ShownDistribution, type TurnView } from '@agonhq/engine/view';
import type { EvaluationAnswer } from '../evaluation-answer.ts';
import { nameBehaviour, nameMessage, nameObjection, passageWords } from '../evaluation-terms.ts';
import { viewEvaluation, type EvaluationRound, type EvaluationView } from '../view.ts';

/** The report of an evaluation as Markdown that is safe to paste into an issue. */
export function writeEvaluationMarkdown(answer: EvaluationAnswer, policy: Policy | undefined): string {
  const view = viewEvaluation(answer);
  const { model } = answer.subject;
  return renderDebateMarkdown({
    answer,
    view,
    policy,
    warnings: view.warnings,
    facts: [
      ['Kind of risk', showPhrase(view.concept, codeCell)],
      ['What the model did', showPhrase(view.behaviour, codeCell)],
      ['Evaluated model', model === null ? 'not named' : codeCell(model)],
      ['Evaluator', view.method.title],
    ],
    judged: [...listExchange(view), ...contextBlocks(answer.subject)],
    beforeDebate: tabulateConcepts(view, answer.provenance.plan.delta),
    dressTurn,
    showStanding: ({ stance: { label } }) => (label === null ? null : codeSpan(label)),
    parameters: [['Parameters', view.parameters]],
  });
}

function listExchange({ exchange, observations, citations }: EvaluationView): string[] {
  return [
    '## The exchange',
    ...exchange.flatMap((said) => [
      ...sourceBlocks(said.source, citations, `**${showPhrase(nameMessage(said.speaker), () => 'Message')}**`),
      ...said.observations.flatMap((observation) => sourceBlocks(observation, citations)),
    ]),
    ...observations.flatMap((observation) => sourceBlocks(observation, citations)),
    ...passageBlocks(citations, passageWords),
  ];
}

/** What the page draws as a triangle, in numbers. */
function tabulateConcepts({ rounds }: EvaluationView, delta: number): string[] {
  if (rounds.length === 0) return [];
  return [
    '## Where each speaker sees the risk',
    ...rounds.flatMap(({ title, turns, mixing, priors }) => [
      `**${title}**`,
      markdownTable(
        ['', 'explicit', 'implicit', 'none', 'Label'],
        [
          ...turns.map(({ name, turn, stance }) => [
            codeCell(name),
            ...listShares(stance.distribution),
            turn.fallback ? 'no answer (fallback)' : codeCell(stance.label ?? ''),
          ]),
          ...(mixing
            ? [
                [
                  `P̂ ${mixing.reference === null ? '(none)' : codeCell(`from ${mixing.reference.from}`)}`,
                  ...listShares(mixing.reference?.distribution ?? null),
                  '',
                ],
                ['**Mixture** (equation 5)', ...listShares(mixing.mixture), ''],
              ]
            : []),
          ...priors.map(([name, prior]) => [
            `Updated prior of ${codeCell(name)} (equation 6)`,
            ...listShares(prior),
            '',
          ]),
        ],
      ),
      mixing ? describeArithmetic(mixing, delta) : '',
    ]),
  ];
}

function listShares(distribution: ShownDistribution | null): string[] {
  if (distribution === null) return ['', '', ''];
  return [distribution.explicit, distribution.implicit, distribution.none].map(formatScore);
}

function describeArithmetic(
  { alpha, divergence, breach }: NonNullable<EvaluationRound['mixing']>,
  delta: number,
): string {
  const limit = breach ? `**at or above δ = ${delta}**` : `below δ = ${delta}`;
  const apart =
    divergence === null
      ? 'No divergence: one side gave no answer.'
      : `KL(auditor ‖ detector) = ${formatScore(divergence)}, ${limit}.`;
  return `${alpha === null ? '' : `α = ${formatScore(alpha)}. `}${apart}`;
}

function dressTurn({ turn, stance: { behaviour, objections } }: TurnView): string[] {
  if (turn.fallback) return [];
  return [
    behaviour === null ? '' : `What the model did: ${showPhrase(nameBehaviour(behaviour), codeSpan)}.`,
    markdownList(
      objections.map(
        ({ to, kind, point, material }) =>
          `**${showPhrase(nameObjection(kind), codeSpan)}**, to the ${codeSpan(to)} ` +
          `(${material ? 'material' : 'minor'}): ${codeSpan(point)}`,
      ),
    ),
  ];
}
