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
import { besides, caseBlock, quoteLines, reasonerLines, roundBlock, soloBlock, type Block } from './debate-parts.ts';
import { wrap } from '../terminal/table.ts';
import type { DebateState, ShownTurn } from './debate-state.ts';
import { plain, styled } from '../terminal/style.ts';

/** A trial of evaluation so far, part by part, for a terminal of the given width. */
export function evaluationBlocks(state: DebateState<EvaluationCaseFile>, width: number): Block[] {
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  const votes = state.turns.filter((shown) => shown.round === null && roleOf(shown) !== 'arbiter');
  return [
    ...(state.caseFile ? [exchangeBlock(state.caseFile, width)] : []),
    ...rounds.map((round) => debateRound(state, round, width)),
    ...(votes.length > 0 ? [voteBlock(state, votes, width)] : []),
    ...state.turns
      .filter((shown) => roleOf(shown) === 'arbiter')
      .map((shown) => soloBlock('Arbiter', shown, width, findingLines(shown))),
  ];
}

const roleOf = ({ seat }: ShownTurn) => seat.split('#')[0]!;

/** The messages as they were said, then what tools found in them. */
function exchangeBlock({ turns, sources, model }: EvaluationCaseFile, width: number): Block {
  const said = turns.flatMap(({ source }) => sources.filter(({ id }) => id === source));
  return caseBlock(
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
  return roundBlock(
    { round, note: ended?.stop ? ` · ${stops[ended.stop] ?? plain(ended.stop)}` : '' },
    rows,
    width,
    ended !== undefined,
  );
}

/** Opinions of judges who do not debate. */
function voteBlock(state: DebateState, votes: readonly ShownTurn[], width: number): Block {
  const rows = opinionRows(votes, width).map((row) => `  ${row}`.trimEnd());
  return {
    lines: [styled('bold', votes.length === 1 ? 'Judge' : 'Votes'), ...rows, ''],
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
    ...besides(
      pair.map((shown) => (column: number) => opinionLines(shown, column)),
      width,
    ),
  ]);
}

function opinionLines(shown: ShownTurn, width: number): string[] {
  const opinion = answerOf(shown) as Opinion | null;
  return [
    ...headingLines(shown, opinion, width),
    ...reasonerLines(shown, width),
    ...wrap(plain(shown.statement), width),
    ...quoteLines(shown, width),
    ...(opinion
      ? wrap(
          plain(
            [
              `the model ${opinion.behaviour === 'irrelevant' ? 'answered beside the point' : opinion.behaviour}`,
              ...opinion.clauses,
            ].join(' · '),
          ),
          width,
        ).map((line) => styled('dim', line))
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
    ...reasonerLines(shown, width),
    ...wrap(plain(shown.statement), width),
    ...objections.flatMap((objection) => wrap(plain(objection), width).map((line) => styled('yellow', line))),
    ...quoteLines(shown, width),
  ];
}

/** Equation 5 of the round: the weight of the auditor, and what the two make together. */
function mixtureLines({ alpha, mixture, divergence, breach }: MixtureStep, width: number): string[] {
  const apart = divergence === null ? [] : [`divergence ${divergence.toFixed(2)}${breach ? ', which reaches δ' : ''}`];
  return [
    ...wrap(
      `${styled('bold', 'MIXTURE')} ${conceptBar(mixture)} ${[`α ${alpha.toFixed(2)}`, ...apart].join(' · ')}`,
      width,
    ),
    ...wrap(shares(mixture), width).map((line) => styled('dim', line)),
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
  const title = styled('bold', shown.seat.toUpperCase().replace('#', ' '));
  if (!opinion) return wrap(`${title} ${styled('dim', shown.turn ? 'was not heard' : 'speaking …')}`, width);
  const distribution = normalised(opinion.distribution);
  return [
    ...wrap(`${title} ${conceptBar(distribution)} ${styled(labelStyles[opinion.label], opinion.label)}`, width),
    ...wrap(shares(distribution), width).map((line) => styled('dim', line)),
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
      styled(cells[concept].colour, cells[concept].cell.repeat(Math.max(0, upTo[index + 1]! - upTo[index]!))),
    )
    .join('');
}
