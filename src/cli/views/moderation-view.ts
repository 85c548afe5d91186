import type { ModerationAnswer, ModerationCaseFile, ModerationEvent } from '../../jobs/moderation/index.ts';
import { readStance, type Stance } from '../../view/index.ts';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import {
  renderBar,
  renderCase,
  renderColumns,
  renderPairs,
  renderRound,
  renderSpeaker,
  renderTurn,
  renderVotes,
  type Block,
} from './debate-parts.ts';
import { debateView, rebuildState, type DebateState, type ShownTurn } from './debate-state.ts';
import type { JobView } from './watch-case.ts';
import { renderVerdict } from './render-verdict.ts';

export const moderationView: JobView<ModerationAnswer, ModerationEvent, DebateState<ModerationCaseFile>> = {
  job: 'moderation',
  ...debateView,
  draw: renderModeration,
  rebuild: ({ transcript, sources, subject: { modality, images } }) =>
    rebuildState(transcript, { sources, modality, images }),
  renderVerdict: (answer, width) => renderVerdict(answer, width),
};

/** A debate about content so far, part by part. */
export function renderModeration(state: DebateState<ModerationCaseFile>, width: number): Block[] {
  const outside = (seat: string) => state.turns.filter((shown) => shown.seat === seat);
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  const votes = state.turns.filter((shown) => shown.round === null && isJudge(shown));
  return [
    ...outside('preprocessor').map((shown) => renderSpeaker('Image', shown, width)),
    ...(state.caseFile ? [renderCase(`Case (${state.caseFile.modality})`, state.caseFile.sources, width)] : []),
    ...outside('supporter').map((shown) =>
      renderSpeaker('Supporter', shown, width, shown.turn ? listCues(readStance(shown.turn)) : []),
    ),
    ...rounds.map((round) => renderDebateRound(state, round, width)),
    ...renderVotes(state, votes, renderPairs(votes, width, renderJudge)),
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

function renderDebateRound(state: DebateState, round: number, width: number): Block {
  const ended = state.rounds.find((end) => end.round === round);
  const spoken = state.turns.filter((shown) => shown.round === round);
  const sides = ['strict-debater', 'loose-debater'].flatMap((seat) => spoken.filter((shown) => shown.seat === seat));
  const rows =
    sides.length > 0
      ? renderColumns(
          sides.map((shown) => (column: number) => renderSide(shown, column)),
          width,
        )
      : renderPairs(spoken.filter(isJudge), width, renderJudge);
  const stop = stops[ended?.stop ?? ''];
  return renderRound({ round, note: stop === undefined ? '' : ` · ${stop}` }, rows, width, ended !== undefined);
}

const isJudge = ({ seat }: ShownTurn) => /^(?:judge$|vote#|peer#|control$)/.test(seat);

function renderJudge(shown: ShownTurn, width: number): string[] {
  const title = style('bold', shown.seat.toUpperCase().replace('#', ' '));
  const heard = shown.turn && !shown.turn.fallback ? shown.turn : null;
  const score = heard?.score ?? null;
  const standing =
    score === null
      ? style('dim', shown.turn ? 'no answer' : 'speaking …')
      : `${renderBar(score)} ${score.toFixed(2)} ${score >= 0.5 ? style('red', 'unsafe') : style('green', 'safe')}`;
  const clauses = heard ? readStance(heard).clauses : [];
  return [
    ...renderTurn(shown, width, wrapText(`${title} ${standing}`, width)),
    ...(clauses.length > 0 ? wrapText(sanitize(clauses.join(' · ')), width).map((line) => style('dim', line)) : []),
  ];
}

function renderSide(shown: ShownTurn, width: number): string[] {
  const strict = shown.seat === 'strict-debater';
  const title = style(strict ? ['bold', 'red'] : ['bold', 'green'], strict ? 'STRICT' : 'LOOSE');
  const score = shown.turn?.score ?? null;
  const heading = `${title} ${score === null ? style('dim', 'speaking …') : `${renderBar(score)} ${score.toFixed(2)}`}`;
  const concession = shown.turn && !shown.turn.fallback ? readStance(shown.turn).concession : null;
  return [
    ...renderTurn(shown, width, wrapText(heading, width)),
    ...(concession ? wrapText(sanitize(`Concedes: ${concession}`), width).map((line) => style('yellow', line)) : []),
  ];
}
