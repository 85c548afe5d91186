import { isObservation } from '@agonhq/engine/debate';
import {
  riskConcepts,
  type Distribution,
  type EvaluationAnswer,
  type EvaluationCaseFile,
  type EvaluationEvent,
  type EvaluationWarning,
  type MixtureStep,
  type RiskConcept,
} from '@agonhq/judges/evaluation';
import { readFindings, readStance, viewVerdictRisk, type Stance } from '@agonhq/engine/view';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import {
  printCase,
  renderPairs,
  renderRound,
  renderSpeaker,
  printTurn,
  renderVotes,
  type PrintedBlock,
} from './debate-parts.ts';
import { debateView, rebuildState, type DebateState, type ShownTurn } from './debate-state.ts';
import type { JobView } from './watch-case.ts';
import { renderVerdict } from './render-verdict.ts';

export const evaluationView: JobView<EvaluationAnswer, EvaluationEvent, DebateState<EvaluationCaseFile>> = {
  ...debateView,
  draw: renderEvaluation,
  rebuild: ({ transcript, sources, subject: { turns, model }, provenance }) =>
    rebuildState(transcript, { sources, turns, model }, provenance.calibration),
  renderVerdict: renderEvaluationVerdict,
  listWarnings: listSeatWarnings,
};

/** A debate about an exchange so far, part by part. */
export function renderEvaluation(state: DebateState<EvaluationCaseFile>, width: number): PrintedBlock[] {
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  const votes = state.turns.filter((shown) => shown.round === null && roleOf(shown) !== 'arbiter');
  return [
    ...(state.caseFile ? [renderExchange(state.caseFile, width)] : []),
    ...rounds.map((round) => renderDebateRound(state, round, width)),
    ...renderVotes(state, votes, renderOpinions(votes, width)),
    ...state.turns
      .filter((shown) => roleOf(shown) === 'arbiter')
      .map((shown) => renderSpeaker('Arbiter', shown, width, listFindings(shown))),
  ];
}

const roleOf = ({ seat }: ShownTurn) => seat.split('#')[0]!;

/** The messages, then what tools found in them. */
function renderExchange({ turns, sources, model }: EvaluationCaseFile, width: number): PrintedBlock {
  const said = turns.flatMap(({ source }) => sources.filter(({ id }) => id === source));
  return printCase(
    model === null ? 'Exchange' : `Exchange with ${model}`,
    [...said, ...sources.filter(isObservation)],
    width,
  );
}

const stops: Record<string, string> = {
  consensus: 'consensus',
  'last-round': 'last round',
  'tokens-spent': 'the token limit is reached',
  'votes-cast': 'all votes are cast',
};

function renderDebateRound(state: DebateState, round: number, width: number): PrintedBlock {
  const spoken = state.turns.filter((shown) => shown.round === round);
  const ended = state.rounds.find((end) => end.round === round);
  const critic = spoken.find((shown) => roleOf(shown) === 'critic');
  const mixture = state.computed.find((step) => step.round === round && step.name === 'mixture')?.value as
    | MixtureStep
    | undefined;
  const rows = [
    ...renderOpinions(
      spoken.filter((shown) => shown !== critic),
      width,
    ),
    ...(critic ? ['', ...renderCritic(critic, width - 2)] : []),
    ...(mixture ? ['', ...renderMixture(mixture, width - 2)] : []),
  ];
  return renderRound(
    { round, note: ended?.stop ? ` · ${stops[ended.stop] ?? sanitize(ended.stop)}` : '' },
    rows,
    width,
    ended !== undefined,
  );
}

/** Two in a row: an auditor and its detector, or two judges without a role. */
function renderOpinions(spoken: readonly ShownTurn[], width: number): string[] {
  const [auditors, detectors] = ['auditor', 'detector'].map((role) =>
    spoken.filter((shown) => roleOf(shown) === role),
  ) as [ShownTurn[], ShownTurn[]];
  const paired =
    auditors.length === detectors.length && auditors.length > 0
      ? auditors.flatMap((auditor, index) => [auditor, detectors[index]!])
      : spoken;
  return renderPairs(paired, width, renderOpinion);
}

function renderOpinion(shown: ShownTurn, width: number): string[] {
  const opinion = readOpinion(shown);
  return [
    ...printTurn(shown, width, renderHeading(shown, opinion, width)),
    ...(opinion
      ? wrapText(
          sanitize(
            [
              `the model ${opinion.behaviour === 'irrelevant' ? 'gave an irrelevant answer' : opinion.behaviour}`,
              ...opinion.clauses,
            ].join(' · '),
          ),
          width,
        ).map((line) => style('dim', line))
      : []),
  ];
}

function renderCritic(shown: ShownTurn, width: number): string[] {
  const critique = readOpinion(shown);
  const objections = (critique?.objections ?? []).map(
    ({ to, kind, point, material }) =>
      `→ ${to}, ${kind.replace('-', ' ')}${material ? '' : ' (not material)'}: ${point}`,
  );
  return printTurn(
    shown,
    width,
    renderHeading(shown, critique, width),
    objections.flatMap((objection) => wrapText(sanitize(objection), width).map((line) => style('yellow', line))),
  );
}

/** Equation 5 of the round: the weight of the auditor, and what the two make together. */
function renderMixture({ alpha, mixture, divergence, breach }: MixtureStep, width: number): string[] {
  const apart = divergence === null ? [] : [`divergence ${divergence.toFixed(2)}${breach ? ', at or above δ' : ''}`];
  return [
    ...wrapText(
      `${style('bold', 'MIXTURE')} ${renderConceptBar(mixture)} ${[`α ${alpha.toFixed(2)}`, ...apart].join(' · ')}`,
      width,
    ),
    ...wrapText(formatDistribution(mixture), width).map((line) => style('dim', line)),
  ];
}

function listFindings(shown: ShownTurn): string[] {
  if (!shown.turn || shown.turn.fallback) return [];
  const findings = readFindings(shown.turn, ['explicit', 'implicit']);
  return [...findings].map(
    ([name, { holds, why }]) =>
      `${name === 'explicit' ? 'Explicit' : 'Implicit'} risk: ${holds ? 'holds' : 'does not hold'}. ${why}`,
  );
}

/** `AUDITOR 2 ███▒▒░░░░░ unsafe`, and under it `explicit 0.30 · implicit 0.20 · none 0.50`. */
function renderHeading(
  shown: ShownTurn,
  opinion: Pick<Stance, 'label' | 'distribution'> | null,
  width: number,
): string[] {
  const title = style('bold', shown.seat.toUpperCase().replace('#', ' '));
  if (!opinion?.distribution)
    return wrapText(`${title} ${style('dim', shown.turn ? 'no answer' : 'speaking …')}`, width);
  const { label, distribution } = opinion;
  const shownLabel = label === null ? '' : style(label === 'unsafe' ? 'red' : 'green', label);
  return [
    ...wrapText(`${title} ${renderConceptBar(distribution)} ${shownLabel}`, width),
    ...wrapText(formatDistribution(distribution), width).map((line) => style('dim', line)),
  ];
}

/** What a seat says, unless a fallback took its place. */
function readOpinion({ turn }: ShownTurn): Stance | null {
  return turn && !turn.fallback ? readStance(turn) : null;
}

function formatDistribution(distribution: Distribution): string {
  return riskConcepts.map((concept) => `${concept} ${distribution[concept].toFixed(2)}`).join(' · ');
}

const cells: Record<RiskConcept, { cell: string; colour: 'red' | 'yellow' | 'green' }> = {
  explicit: { cell: '█', colour: 'red' },
  implicit: { cell: '▒', colour: 'yellow' },
  none: { cell: '░', colour: 'green' },
};

/** A distribution as a bar of ten in three parts: explicit, implicit, none. */
export function renderConceptBar({ explicit, implicit }: Distribution): string {
  const upTo = [0, Math.round(explicit * 10), Math.round((explicit + implicit) * 10), 10];
  return riskConcepts
    .map((concept, index) =>
      style(cells[concept].colour, cells[concept].cell.repeat(Math.max(0, upTo[index + 1]! - upTo[index]!))),
    )
    .join('');
}

const behaviours = {
  refused: 'the model refused',
  complied: 'the model complied',
  irrelevant: 'the model gave an irrelevant answer',
};

/**
 * The verdict on an exchange for a terminal: which risk and what the model did beside the label, and who judged its
 * own kin.
 */
export function renderEvaluationVerdict(answer: EvaluationAnswer, width: number): string[] {
  const { concept, behaviour } = answer.verdict;
  const risk = concept === null || concept === 'none' ? [] : [`${concept} risk`];
  return renderVerdict(answer, width, {
    risk: viewVerdictRisk(answer.verdict),
    facts: [...risk, ...(behaviour === null ? [] : [behaviours[behaviour]])],
    warnings: answer.warnings.map(formatWarning),
  });
}

/** Warnings about seats, worded the same for every exchange with the same model. */
export function listSeatWarnings({ warnings }: EvaluationAnswer): string[] {
  return warnings
    .filter(({ kind }) => kind === 'same-family' || kind === 'same-model')
    .map((warning) => `Warning: ${formatWarning(warning)}`);
}

function formatWarning({ kind, seat, detail }: EvaluationWarning): string {
  const said = {
    'same-family': `seat ${seat} may favour its own model family`,
    'self-evaluation-bias': `seat ${seat} is more lenient than the others`,
    'same-model': `seat ${seat} has the same model as another seat`,
    'evaluator-divergence': 'the evaluators disagree',
  }[kind];
  return `${said}: ${detail}.`;
}
