import type { ModerationAnswer, ModerationCaseFile, ModerationEvent } from '../../jobs/moderation/index.ts';
import { readStance, type Stance } from '../../view/index.ts';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import {
  renderBar,
  renderColumns,
  renderCase,
  renderQuotes,
  renderReasoner,
  renderRound,
  renderSpeaker,
  type Block,
} from './debate-parts.ts';
import { advanceState, initialState, rebuildState, type DebateState, type ShownTurn } from './debate-state.ts';
import type { JobView } from './watch-case.ts';
import { renderVerdict } from './render-verdict.ts';

export const moderationView: JobView<ModerationAnswer, ModerationEvent, DebateState<ModerationCaseFile>> = {
  job: 'moderation',
  isTransient: false,
  start: () => initialState,
  advance: advanceState,
  draw: renderModeration,
  rebuild: ({ transcript, sources, subject: { modality, images } }) =>
    rebuildState(transcript, { sources, modality, images }),
  renderVerdict: (answer, width) => renderVerdict(answer, width),
};

/** A debate about content so far, part by part. */
export function renderModeration(state: DebateState<ModerationCaseFile>, width: number): Block[] {
  const outside = (seat: string) => state.turns.filter((shown) => shown.seat === seat);
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  return [
    ...outside('preprocessor').map((shown) => renderSpeaker('Image', shown, width)),
    ...(state.caseFile ? [renderCase(`Case (${state.caseFile.modality})`, state.caseFile.sources, width)] : []),
    ...outside('supporter').map((shown) =>
      renderSpeaker('Supporter', shown, width, shown.turn ? listCues(readStance(shown.turn)) : []),
    ),
    ...rounds.map((round) => renderDebateRound(state, round, width)),
    ...renderVotes(state, width),
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
      : renderJudges(spoken, width);
  const stop = stops[ended?.stop ?? ''];
  return renderRound({ round, note: stop === undefined ? '' : ` · ${stop}` }, rows, width, ended !== undefined);
}

/** Judges who do not debate: a single one, or votes. */
function renderVotes(state: DebateState, width: number): Block[] {
  const votes = state.turns.filter((shown) => shown.round === null && isJudge(shown));
  if (votes.length === 0) return [];
  const rows = renderJudges(votes, width).map((row) => `  ${row}`.trimEnd());
  return [
    {
      lines: [style('bold', votes.length === 1 ? 'Judge' : 'Votes'), ...rows, ''],
      done: state.computed.some(({ name }) => name === 'adjudication'),
    },
  ];
}

const isJudge = ({ seat }: ShownTurn) => /^(?:judge$|vote#|peer#|control$)/.test(seat);

/** Two in a row. */
function renderJudges(spoken: readonly ShownTurn[], width: number): string[] {
  const judges = spoken.filter(isJudge);
  const pairs = Array.from({ length: Math.ceil(judges.length / 2) }, (_, row) => judges.slice(row * 2, row * 2 + 2));
  return pairs.flatMap((pair, index) => [
    ...(index > 0 ? [''] : []),
    ...renderColumns(
      pair.map((shown) => (column: number) => renderJudge(shown, column)),
      width,
    ),
  ]);
}

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
    ...wrapText(`${title} ${standing}`, width),
    ...renderReasoner(shown, width),
    ...wrapText(sanitize(shown.statement), width),
    ...renderQuotes(shown, width),
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
    ...wrapText(heading, width),
    ...renderReasoner(shown, width),
    ...wrapText(sanitize(shown.statement), width),
    ...renderQuotes(shown, width),
    ...(concession ? wrapText(sanitize(`Concedes: ${concession}`), width).map((line) => style('yellow', line)) : []),
  ];
}
