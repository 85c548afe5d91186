import type { Argument, Brief, ModerationCaseFile, Opinion } from '../../jobs/moderation/index.ts';
import {
  renderColumns,
  renderCase,
  renderQuotes,
  renderReasoner,
  renderRound,
  renderSpeaker,
  type Block,
} from './debate-parts.ts';
import type { DebateState, ShownTurn } from './debate-state.ts';
import { wrapText } from '../terminal/table.ts';
import { sanitize, style } from '../terminal/style.ts';

/** A trial of moderation so far, part by part, for a terminal of the given width. */
export function renderModeration(state: DebateState<ModerationCaseFile>, width: number): Block[] {
  const outside = (seat: string) => state.turns.filter((shown) => shown.seat === seat);
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  return [
    ...outside('preprocessor').map((shown) => renderSpeaker('Image', shown, width)),
    ...(state.caseFile ? [renderCase(`Case (${state.caseFile.modality})`, state.caseFile.sources, width)] : []),
    ...outside('supporter').map((shown) =>
      renderSpeaker('Supporter', shown, width, shown.turn ? briefLines(shown.turn.answer as Brief) : []),
    ),
    ...rounds.map((round) => debateRound(state, round, width)),
    ...votesBlock(state, width),
    ...outside('arbiter').map((shown) => renderSpeaker('Arbiter', shown, width)),
  ];
}

function briefLines(brief: Brief): string[] {
  if (brief.cues.length === 0) return ['No precedent.'];
  return [
    ...brief.cues.map(({ precedent, cue, difference }) => `${precedent}: ${cue}; differs: ${difference}`),
    ...brief.patterns,
  ];
}

const stops: Record<string, string> = {
  'sides-agree': 'the sides agree',
  consensus: 'the judges agree',
  'tokens-spent': 'the tokens are spent',
  'votes-cast': 'the votes are cast',
};

function debateRound(state: DebateState, round: number, width: number): Block {
  const ended = state.rounds.find((end) => end.round === round);
  const spoken = state.turns.filter((shown) => shown.round === round);
  const sides = ['strict-debater', 'loose-debater'].flatMap((seat) => spoken.filter((shown) => shown.seat === seat));
  const rows =
    sides.length > 0
      ? renderColumns(
          sides.map((shown) => (column: number) => sideLines(shown, column)),
          width,
        )
      : judgeRows(spoken, width);
  const stop = stops[ended?.stop ?? ''];
  return renderRound({ round, note: stop === undefined ? '' : ` · ${stop}` }, rows, width, ended !== undefined);
}

/** Judges who answer nobody: one alone, or votes. */
function votesBlock(state: DebateState, width: number): Block[] {
  const votes = state.turns.filter((shown) => shown.round === null && isJudge(shown));
  if (votes.length === 0) return [];
  const rows = judgeRows(votes, width).map((row) => `  ${row}`.trimEnd());
  return [
    {
      lines: [style('bold', votes.length === 1 ? 'Judge' : 'Votes'), ...rows, ''],
      done: state.computed.some(({ name }) => name === 'adjudication'),
    },
  ];
}

const isJudge = ({ seat }: ShownTurn) => /^(?:judge$|vote#|peer#|control$)/.test(seat);

/** Two beside each other. */
function judgeRows(spoken: readonly ShownTurn[], width: number): string[] {
  const judges = spoken.filter(isJudge);
  const pairs = Array.from({ length: Math.ceil(judges.length / 2) }, (_, row) => judges.slice(row * 2, row * 2 + 2));
  return pairs.flatMap((pair, index) => [
    ...(index > 0 ? [''] : []),
    ...renderColumns(
      pair.map((shown) => (column: number) => judgeLines(shown, column)),
      width,
    ),
  ]);
}

function judgeLines(shown: ShownTurn, width: number): string[] {
  const title = style('bold', shown.seat.toUpperCase().replace('#', ' '));
  const opinion = shown.turn && !shown.turn.fallback ? (shown.turn.answer as Opinion) : null;
  const unsafe = opinion !== null && opinion.score >= 0.5;
  const standing = opinion
    ? `${bar(opinion.score)} ${opinion.score.toFixed(2)} ${style(unsafe ? 'red' : 'green', unsafe ? 'unsafe' : 'safe')}`
    : style('dim', shown.turn ? 'was not heard' : 'speaking …');
  return [
    ...wrapText(`${title} ${standing}`, width),
    ...renderReasoner(shown, width),
    ...wrapText(sanitize(shown.statement), width),
    ...renderQuotes(shown, width),
    ...(opinion && opinion.clauses.length > 0
      ? wrapText(sanitize(opinion.clauses.join(' · ')), width).map((line) => style('dim', line))
      : []),
  ];
}

function sideLines(shown: ShownTurn, width: number): string[] {
  const strict = shown.seat === 'strict-debater';
  const title = style(strict ? ['bold', 'red'] : ['bold', 'green'], strict ? 'STRICT' : 'LOOSE');
  const score = shown.turn?.score ?? null;
  const heading = `${title} ${score === null ? style('dim', 'speaking …') : `${bar(score)} ${score.toFixed(2)}`}`;
  const argument = shown.turn && !shown.turn.fallback ? (shown.turn.answer as Argument) : null;
  return [
    ...wrapText(heading, width),
    ...renderReasoner(shown, width),
    ...wrapText(sanitize(shown.statement), width),
    ...renderQuotes(shown, width),
    ...(argument?.concession
      ? wrapText(sanitize(`Concedes: ${argument.concession}`), width).map((line) => style('yellow', line))
      : []),
  ];
}

/** A score as a bar of ten. */
export function bar(score: number): string {
  const filled = Math.round(score * 10);
  return `${'█'.repeat(filled)}${style('dim', '░'.repeat(10 - filled))}`;
}
