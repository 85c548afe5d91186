import { isObservation } from '../debate/index.ts';
import type { Argument, Brief } from '../moderation/index.ts';
import type { DebateState, ShownTurn } from './debate-state.ts';
import { padded, wrap } from './columns.ts';
import { plain, styled } from './terminal.ts';

/** A part of the view: `done` parts do not change any more. */
export interface Block {
  lines: string[];
  done: boolean;
}

/** The trial so far, part by part, for a terminal of the given width. */
export function debateBlocks(state: DebateState, width: number): Block[] {
  const outside = (seat: string) => state.turns.filter((shown) => shown.seat === seat);
  const rounds = [...new Set(state.turns.flatMap((shown) => (shown.round === null ? [] : [shown.round])))];
  return [
    ...outside('preprocessor').map((shown) => soloBlock('Image', shown, width)),
    ...(state.caseFile ? [caseBlock(state.caseFile, width)] : []),
    ...outside('supporter').map((shown) => soloBlock('Supporter', shown, width)),
    ...rounds.map((round) => roundBlock(state, round, width)),
    ...outside('arbiter').map((shown) => soloBlock('Arbiter', shown, width)),
  ];
}

function caseBlock(caseFile: NonNullable<DebateState['caseFile']>, width: number): Block {
  const lines = caseFile.sources.flatMap((source) => {
    const origin = isObservation(source) ? `${source.id} by ${source.tool}` : source.id;
    const [first = '', ...rest] = wrap(plain(excerpt(source.text)), width - 4);
    return [...wrap(plain(origin), width - 4).map((line) => `  ${styled('dim', line)}`), ...[first, ...rest].slice(0, 6).map((line) => `  ${line}`)];
  });
  return { lines: [styled('bold', `Case (${caseFile.modality})`), ...lines, ''], done: true };
}

function excerpt(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > 400 ? `${flat.slice(0, 400).toWellFormed()} … (${text.length.toLocaleString('en')} characters)` : flat;
}

function soloBlock(title: string, shown: ShownTurn, width: number): Block {
  const extra = shown.seat === 'supporter' && shown.turn ? briefLines(shown.turn.answer as Brief) : [];
  const lines = [shown.statement || 'is thinking …', ...extra].flatMap((text) => wrap(plain(text), width - 4)).map((line) => `  ${line}`);
  const heading = `${styled('bold', title)} ${styled('dim', [shown.key.replace(/\/?[^/]*$/, ''), plain(shown.reasoner), ...marks(shown)].filter(Boolean).join(' · '))}`;
  return { lines: [...wrap(heading, width), ...lines, ''], done: shown.turn !== null };
}

function briefLines(brief: Brief): string[] {
  if (brief.cues.length === 0) return ['No precedent.'];
  return [...brief.cues.map(({ precedent, cue, difference }) => `${precedent}: ${cue}; differs: ${difference}`), ...brief.patterns];
}

/** In a terminal narrower than this, the sides speak one below the other. */
const narrowest = 48;

function roundBlock(state: DebateState, round: number, width: number): Block {
  const sides = state.turns.filter((shown) => shown.round === round);
  const ended = state.rounds.find((end) => end.round === round);
  const stop = ended?.stop === 'sides-agree' ? ' · the sides agree' : '';
  const gap = ' │ ';
  const beside = width >= narrowest;
  const column = beside ? Math.floor((width - gap.length * (sides.length - 1) - 2) / Math.max(sides.length, 1)) : width - 2;
  const columns = ['strict-debater', 'loose-debater'].flatMap((seat) => sides.filter((shown) => shown.seat === seat)).map((shown) => sideLines(shown, column));
  const height = Math.max(0, ...columns.map((lines) => lines.length));
  const rows = beside
    ? Array.from({ length: height }, (_, row) => columns.map((lines) => padded(lines[row] ?? '', column)).join(styled('dim', gap)))
    : columns.flat();
  return { lines: [...wrap(`${styled('bold', `Round ${round}`)}${styled('dim', stop)}`, width), ...rows.map((row) => `  ${row}`.trimEnd()), ''], done: ended !== undefined };
}

function sideLines(shown: ShownTurn, width: number): string[] {
  const strict = shown.seat === 'strict-debater';
  const title = styled(strict ? ['bold', 'red'] : ['bold', 'green'], strict ? 'STRICT' : 'LOOSE');
  const score = shown.turn?.score ?? null;
  const heading = `${title} ${score === null ? styled('dim', 'speaking …') : `${bar(score)} ${score.toFixed(2)}`}`;
  const argument = shown.turn && !shown.turn.fallback ? (shown.turn.answer as Argument) : null;
  const quotes = (shown.turn?.evidence ?? []).map((evidence) => (evidence.verified ? `“${evidence.quote}”` : `“${evidence.quote}” (struck: in no source)`));
  return [
    ...wrap(heading, width),
    ...wrap([plain(shown.reasoner), ...marks(shown)].join(' · '), width).map((line) => styled('dim', line)),
    ...wrap(plain(shown.statement), width),
    ...quotes.flatMap((quote) => wrap(plain(quote.replace(/\s+/g, ' ')), width).map((line) => styled('cyan', line))),
    ...(argument?.concession ? wrap(plain(`Concedes: ${argument.concession}`), width).map((line) => styled('yellow', line)) : []),
  ];
}

function marks(shown: ShownTurn): string[] {
  return [shown.replayed && 'recalled', shown.turn?.fallback && `gave no answer: ${shown.turn.fallback.reason}`].filter((mark) => typeof mark === 'string');
}

/** A score as a bar of ten. */
export function bar(score: number): string {
  const filled = Math.round(score * 10);
  return `${'█'.repeat(filled)}${styled('dim', '░'.repeat(10 - filled))}`;
}
