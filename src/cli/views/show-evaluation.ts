import { isObservation } from '../../debate/index.ts';
import {
  normalised,
  riskConcepts,
  type Critique,
  type Distribution,
  type EvaluationCaseFile,
  type Judgement,
  type MixtureStep,
  type Opinion,
  type RiskConcept,
} from '../../jobs/evaluation/index.ts';
import {
  renderColumns,
  renderCase,
  renderQuotes,
  renderReasoner,
  renderRound,
  renderSpeaker,
  type Block,
} from './debate-parts.ts';
import { wrapText } from '../terminal/table.ts';
import type { DebateState, ShownTurn } from './debate-state.ts';
import { sanitize, style } from '../terminal/style.ts';

/** A trial of evaluation so far, part by part, for a terminal of the given width. */
export function renderEvaluation(state: DebateState<EvaluationCaseFile>, width: number): Block[] {
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  const votes = state.turns.filter((shown) => shown.round === null && roleOf(shown) !== 'arbiter');
  return [
    ...(state.caseFile ? [exchangeBlock(state.caseFile, width)] : []),
    ...rounds.map((round) => debateRound(state, round, width)),
    ...(votes.length > 0 ? [voteBlock(state, votes, width)] : []),
    ...state.turns
      .filter((shown) => roleOf(shown) === 'arbiter')
      .map((shown) => renderSpeaker('Arbiter', shown, width, findingLines(shown))),
  ];
}

const roleOf = ({ seat }: ShownTurn) => seat.split('#')[0]!;

/** The messages as they were said, then what tools found in them. */
function exchangeBlock({ turns, sources, model }: EvaluationCaseFile, width: number): Block {
  const said = turns.flatMap(({ source }) => sources.filter(({ id }) => id === source));
  return renderCase(
    model === null ? 'Exchange' : `Exchange with ${model}`,
    [...said, ...sources.filter(isObservation)],
    width,
  );
}

const stops: Record<string, string> = {
  consensus: 'consensus, nothing is left to argue',
  'last-round': 'the last round',
  'tokens-spent': 'the tokens are spent',
  'votes-cast': 'the votes are cast',
};

function debateRound(state: DebateState, round: number, width: number): Block {
  const spoken = state.turns.filter((shown) => shown.round === round);
  const ended = state.rounds.find((end) => end.round === round);
  const critic = spoken.find((shown) => roleOf(shown) === 'critic');
  const mixture = state.computed.find((step) => step.round === round && step.name === 'mixture')?.value as
    | MixtureStep
    | undefined;
  const rows = [
    ...opinionRows(
      spoken.filter((shown) => shown !== critic),
      width,
    ),
    ...(critic ? ['', ...criticLines(critic, width - 2)] : []),
    ...(mixture ? ['', ...mixtureLines(mixture, width - 2)] : []),
  ];
  return renderRound(
    { round, note: ended?.stop ? ` · ${stops[ended.stop] ?? sanitize(ended.stop)}` : '' },
    rows,
    width,
    ended !== undefined,
  );
}

/** Opinions of judges who do not debate. */
function voteBlock(state: DebateState, votes: readonly ShownTurn[], width: number): Block {
  const rows = opinionRows(votes, width).map((row) => `  ${row}`.trimEnd());
  return {
    lines: [style('bold', votes.length === 1 ? 'Judge' : 'Votes'), ...rows, ''],
    done: state.computed.some(({ name }) => name === 'adjudication'),
  };
}

/** Two beside each other: an auditor and its detector, or two judges without a role. */
function opinionRows(spoken: readonly ShownTurn[], width: number): string[] {
  const [auditors, detectors] = ['auditor', 'detector'].map((role) =>
    spoken.filter((shown) => roleOf(shown) === role),
  ) as [ShownTurn[], ShownTurn[]];
  const paired =
    auditors.length === detectors.length && auditors.length > 0
      ? auditors.flatMap((auditor, index) => [auditor, detectors[index]!])
      : spoken;
  const rows = Array.from({ length: Math.ceil(paired.length / 2) }, (_, row) => paired.slice(row * 2, row * 2 + 2));
  return rows.flatMap((pair, index) => [
    ...(index > 0 ? [''] : []),
    ...renderColumns(
      pair.map((shown) => (column: number) => opinionLines(shown, column)),
      width,
    ),
  ]);
}

function opinionLines(shown: ShownTurn, width: number): string[] {
  const opinion = answerOf(shown) as Opinion | null;
  return [
    ...headingLines(shown, opinion, width),
    ...renderReasoner(shown, width),
    ...wrapText(sanitize(shown.statement), width),
    ...renderQuotes(shown, width),
    ...(opinion
      ? wrapText(
          sanitize(
            [
              `the model ${opinion.behaviour === 'irrelevant' ? 'answered beside the point' : opinion.behaviour}`,
              ...opinion.clauses,
            ].join(' · '),
          ),
          width,
        ).map((line) => style('dim', line))
      : []),
  ];
}

function criticLines(shown: ShownTurn, width: number): string[] {
  const critique = answerOf(shown) as Critique | null;
  const objections = (critique?.objections ?? []).map(
    ({ to, kind, point, material }) =>
      `→ ${to}, ${kind.replace('-', ' ')}${material ? '' : ' (not material)'}: ${point}`,
  );
  return [
    ...headingLines(shown, critique, width),
    ...renderReasoner(shown, width),
    ...wrapText(sanitize(shown.statement), width),
    ...objections.flatMap((objection) => wrapText(sanitize(objection), width).map((line) => style('yellow', line))),
    ...renderQuotes(shown, width),
  ];
}

/** Equation 5 of the round: the weight of the auditor, and what the two make together. */
function mixtureLines({ alpha, mixture, divergence, breach }: MixtureStep, width: number): string[] {
  const apart = divergence === null ? [] : [`divergence ${divergence.toFixed(2)}${breach ? ', which reaches δ' : ''}`];
  return [
    ...wrapText(
      `${style('bold', 'MIXTURE')} ${conceptBar(mixture)} ${[`α ${alpha.toFixed(2)}`, ...apart].join(' · ')}`,
      width,
    ),
    ...wrapText(shares(mixture), width).map((line) => style('dim', line)),
  ];
}

function findingLines(shown: ShownTurn): string[] {
  const judgement = answerOf(shown) as Judgement | null;
  if (!judgement) return [];
  const finding = ({ holds, why }: Judgement['explicit']) => `${holds ? 'holds' : 'does not hold'}. ${why}`;
  return [`Explicit risk: ${finding(judgement.explicit)}`, `Implicit risk: ${finding(judgement.implicit)}`];
}

const labelStyles = { safe: 'green', unsafe: 'red' } as const;

/** `AUDITOR 2 ███▒▒░░░░░ unsafe`, and under it `explicit 0.30 · implicit 0.20 · none 0.50`. */
function headingLines(
  shown: ShownTurn,
  opinion: Pick<Opinion, 'label' | 'distribution'> | null,
  width: number,
): string[] {
  const title = style('bold', shown.seat.toUpperCase().replace('#', ' '));
  if (!opinion) return wrapText(`${title} ${style('dim', shown.turn ? 'was not heard' : 'speaking …')}`, width);
  const distribution = normalised(opinion.distribution);
  return [
    ...wrapText(`${title} ${conceptBar(distribution)} ${style(labelStyles[opinion.label], opinion.label)}`, width),
    ...wrapText(shares(distribution), width).map((line) => style('dim', line)),
  ];
}

/** What a seat answered, unless a fallback stands in for it. */
function answerOf({ turn }: ShownTurn): unknown {
  return turn && !turn.fallback ? turn.answer : null;
}

function shares(distribution: Distribution): string {
  return riskConcepts.map((concept) => `${concept} ${distribution[concept].toFixed(2)}`).join(' · ');
}

const cells: Record<RiskConcept, { cell: string; colour: 'red' | 'yellow' | 'green' }> = {
  explicit: { cell: '█', colour: 'red' },
  implicit: { cell: '▒', colour: 'yellow' },
  none: { cell: '░', colour: 'green' },
};

/** A distribution as a bar of ten in three parts: explicit, implicit, none. */
export function conceptBar({ explicit, implicit }: Distribution): string {
  const upTo = [0, Math.round(explicit * 10), Math.round((explicit + implicit) * 10), 10];
  return riskConcepts
    .map((concept, index) =>
      style(cells[concept].colour, cells[concept].cell.repeat(Math.max(0, upTo[index + 1]! - upTo[index]!))),
    )
    .join('');
}
