import {
  readModality,
  type ModerationAnswer,
  type ModerationCaseFile,
  type ModerationEvent,
} from '@agonhq/judges/moderation';
import { readStance, viewScore, viewVerdictRisk, type Stance } from '@agonhq/engine/view';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import {
  renderRisk,
  printCase,
  renderColumns,
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

export const moderationView: JobView<ModerationAnswer, ModerationEvent, DebateState<ModerationCaseFile>> = {
  ...debateView,
  draw: renderModeration,
  rebuild: ({ transcript, sources, subject: { images }, provenance }) =>
    rebuildState(transcript, { sources, modality: readModality({ sources, images }), images }, provenance.calibration),
  renderVerdict: (answer, width) =>
    renderVerdict(answer, width, {
      risk: viewVerdictRisk(answer.verdict),
      facts: [],
      warnings: [],
    }),
};

/** A debate about content so far, part by part. */
export function renderModeration(state: DebateState<ModerationCaseFile>, width: number): PrintedBlock[] {
  const outside = (seat: string) => state.turns.filter((shown) => shown.seat === seat);
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  const votes = state.turns.filter((shown) => shown.round === null && isJudge(shown));
  return [
    ...outside('preprocessor').map((shown) => renderSpeaker('Image', shown, width)),
    ...(state.caseFile ? [printCase(`Case (${state.caseFile.modality})`, state.caseFile.sources, width)] : []),
    ...outside('supporter').map((shown) =>
      renderSpeaker('Supporter', shown, width, shown.turn ? listCues(readStance(shown.turn)) : []),
    ),
    ...rounds.map((round) => renderDebateRound(state, round, width)),
    ...renderVotes(state, votes, renderPairs(votes, width, renderJudge(state))),
    ...outside('arbiter').map((shown) => renderSpeaker('Arbiter', shown, width)),
  ];
}

function listCues({ cues, patterns }: Stance): string[] {
  if (cues.length === 0) return ['No precedents.'];
  return [...cues.map(({ precedent, cue, difference }) => `${precedent}: ${cue}; differs: ${difference}`), ...patterns];
}

const stops: Record<string, string> = {
  'sides-agree': 'the sides agree',
  consensus: 'the judges agree',
  'tokens-spent': 'the token limit is reached',
  'votes-cast': 'all votes are cast',
};

function renderDebateRound(state: DebateState, round: number, width: number): PrintedBlock {
  const ended = state.rounds.find((end) => end.round === round);
  const spoken = state.turns.filter((shown) => shown.round === round);
  const sides = ['strict-debater', 'loose-debater'].flatMap((seat) => spoken.filter((shown) => shown.seat === seat));
  const rows =
    sides.length > 0
      ? renderColumns(
          sides.map((shown) => (column: number) => renderSide(state, shown, column)),
          width,
        )
      : renderPairs(spoken.filter(isJudge), width, renderJudge(state));
  const stop = stops[ended?.stop ?? ''];
  return renderRound({ round, note: stop === undefined ? '' : ` · ${stop}` }, rows, width, ended !== undefined);
}

const isJudge = ({ seat }: ShownTurn) => /^(?:judge$|vote#|peer#|control$)/.test(seat);

const renderJudge =
  ({ calibration }: DebateState) =>
  (shown: ShownTurn, width: number): string[] => {
    const title = style('bold', shown.seat.toUpperCase().replace('#', ' '));
    const heard = shown.turn && !shown.turn.fallback ? shown.turn : null;
    const risk = viewScore(heard?.score ?? null, calibration);
    const standing =
      risk === null
        ? style('dim', shown.turn ? 'no answer' : 'speaking …')
        : `${renderRisk(risk)} ${risk.isAbove ? style('red', 'unsafe') : style('green', 'safe')}`;
    const clauses = heard ? readStance(heard).clauses : [];
    return [
      ...printTurn(shown, width, wrapText(`${title} ${standing}`, width)),
      ...(clauses.length > 0 ? wrapText(sanitize(clauses.join(' · ')), width).map((line) => style('dim', line)) : []),
    ];
  };

/** Both sides say how risky they find it: the colour is that of what they say, not of the side that they argue. */
function renderSide({ calibration }: DebateState, shown: ShownTurn, width: number): string[] {
  const title = style('bold', shown.seat === 'strict-debater' ? 'STRICT' : 'LOOSE');
  const risk = viewScore(shown.turn?.score ?? null, calibration);
  const heading = `${title} ${risk === null ? style('dim', 'speaking …') : renderRisk(risk)}`;
  const concession = shown.turn && !shown.turn.fallback ? readStance(shown.turn).concession : null;
  return [
    ...printTurn(shown, width, wrapText(heading, width)),
    ...(concession ? wrapText(sanitize(`Concedes: ${concession}`), width).map((line) => style('yellow', line)) : []),
  ];
}
