import type { Argument, Brief, ModerationCaseFile } from '../moderation/index.ts';
import { besides, caseBlock, quoteLines, reasonerLines, roundBlock, soloBlock, type Block } from './block-parts.ts';
import type { DebateState, ShownTurn } from './debate-state.ts';
import { wrap } from './columns.ts';
import { plain, styled } from './terminal.ts';

/** A trial of moderation so far, part by part, for a terminal of the given width. */
export function moderationBlocks(state: DebateState<ModerationCaseFile>, width: number): Block[] {
  const outside = (seat: string) => state.turns.filter((shown) => shown.seat === seat);
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  return [
    ...outside('preprocessor').map((shown) => soloBlock('Image', shown, width)),
    ...(state.caseFile ? [caseBlock(`Case (${state.caseFile.modality})`, state.caseFile.sources, width)] : []),
    ...outside('supporter').map((shown) => soloBlock('Supporter', shown, width, shown.turn ? briefLines(shown.turn.answer as Brief) : [])),
    ...rounds.map((round) => debateRound(state, round, width)),
    ...outside('arbiter').map((shown) => soloBlock('Arbiter', shown, width)),
  ];
}

function briefLines(brief: Brief): string[] {
  if (brief.cues.length === 0) return ['No precedent.'];
  return [...brief.cues.map(({ precedent, cue, difference }) => `${precedent}: ${cue}; differs: ${difference}`), ...brief.patterns];
}

function debateRound(state: DebateState, round: number, width: number): Block {
  const ended = state.rounds.find((end) => end.round === round);
  const sides = ['strict-debater', 'loose-debater'].flatMap((seat) => state.turns.filter((shown) => shown.round === round && shown.seat === seat));
  const rows = besides(sides.map((shown) => (column: number) => sideLines(shown, column)), width);
  return roundBlock({ round, note: ended?.stop === 'sides-agree' ? ' · the sides agree' : '' }, rows, width, ended !== undefined);
}

function sideLines(shown: ShownTurn, width: number): string[] {
  const strict = shown.seat === 'strict-debater';
  const title = styled(strict ? ['bold', 'red'] : ['bold', 'green'], strict ? 'STRICT' : 'LOOSE');
  const score = shown.turn?.score ?? null;
  const heading = `${title} ${score === null ? styled('dim', 'speaking …') : `${bar(score)} ${score.toFixed(2)}`}`;
  const argument = shown.turn && !shown.turn.fallback ? (shown.turn.answer as Argument) : null;
  return [
    ...wrap(heading, width),
    ...reasonerLines(shown, width),
    ...wrap(plain(shown.statement), width),
    ...quoteLines(shown, width),
    ...(argument?.concession ? wrap(plain(`Concedes: ${argument.concession}`), width).map((line) => styled('yellow', line)) : []),
  ];
}

/** A score as a bar of ten. */
export function bar(score: number): string {
  const filled = Math.round(score * 10);
  return `${'█'.repeat(filled)}${styled('dim', '░'.repeat(10 - filled))}`;
}
