import type { Box } from '../../document.ts';
import type { RawPart } from '../raw.ts';
import { hasGapBefore, type Line } from './build-lines.ts';
import type { Run } from './read-runs.ts';

export type Boxed = (area: { x: number; y: number; width: number; height: number }) => Box;

export interface PlacedText {
  text: string;
  lineBoxes: NonNullable<RawPart['lineBoxes']>[number][];
}

/**
 * The words of a document's lines, to tell whether a hyphen at the end of a line belongs to the word. What may be
 * half a word does not count.
 */
export function listVocabulary(lines: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const line of lines) {
    const whole = line.replace(/^\S+|\S+[-\u00ad‐]$/gu, '');
    for (const [word] of whole.matchAll(/\p{L}+(?:-\p{L}+)*/gu)) words.add(word.toLowerCase());
  }
  return words;
}

/**
 * Lines as one text with no line ends: hyphens that only break a word are taken out, boxes stay where the letters
 * are.
 */
export function flowText(
  lines: readonly { line: Pick<Line, 'segments'>; box: Boxed }[],
  vocabulary: ReadonlySet<string>,
): PlacedText {
  const placed: PlacedText = { text: '', lineBoxes: [] };
  for (const [index, { line, box }] of lines.entries()) {
    const runs = line.segments.flatMap((segment) => segment.runs);
    if (index > 0) joinLine(placed, runs[0]!.text, vocabulary);
    for (const [at, run] of runs.entries()) {
      if (at > 0 && hasGapBefore(runs[at - 1]!, run)) placed.text += ' ';
      addRun(placed, run, box);
    }
  }
  return placed;
}

const longestWord = 40;

function joinLine(placed: PlacedText, next: string, vocabulary: ReadonlySet<string>): void {
  const broken = /(\p{L}[\p{L}-]*)[-\u00ad‐]$/u.exec(placed.text.slice(-longestWord));
  const follows = /^\p{Ll}+-?/u.exec(next)?.[0];
  if (!broken || !follows) {
    placed.text += /\S[-–—/]$/u.test(placed.text.slice(-2)) ? '' : ' ';
    return;
  }
  if (!placed.text.endsWith('\u00ad') && keepsHyphen(broken[1]!.toLowerCase(), follows, vocabulary)) return;
  placed.text = placed.text.slice(0, -1);
  const last = placed.lineBoxes.at(-1)!;
  if (last.end > placed.text.length)
    placed.lineBoxes[placed.lineBoxes.length - 1] = { ...last, end: placed.text.length };
}

function keepsHyphen(before: string, after: string, vocabulary: ReadonlySet<string>): boolean {
  if (before.includes('-') || after.endsWith('-')) return true;
  if (vocabulary.has(before + after)) return false;
  if (vocabulary.has(`${before}-${after}`)) return true;
  return vocabulary.has(before) && vocabulary.has(after) && after.length > 2;
}

/**
 * A run whose sentences end within it is split there, at the width its letters tell, so that each sentence gets its
 * own box.
 */
function addRun(placed: PlacedText, run: Run, box: Boxed): void {
  const ends = [...run.text.matchAll(/[.!?:;。！？]["')\]”’]*\s/gu)].map((match) => match.index + match[0].length);
  const whole = ends.length > 0 ? estimateWidth(run.text) : 1;
  let from = 0;
  let x = run.x;
  for (const end of [...ends, run.text.length]) {
    if (end <= from) continue;
    const piece = run.text.slice(from, end);
    const width = ends.length > 0 ? (estimateWidth(piece) / whole) * run.width : run.width;
    const start = placed.text.length;
    placed.text += piece;
    placed.lineBoxes.push({ start, end: placed.text.length, box: box({ x, y: run.y, width, height: run.height }) });
    x += width;
    from = end;
  }
}

/** How wide letters are in most fonts, in halves of an em: enough to find a place within a run of known width. */
function estimateWidth(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[ilIjtfr.,;:'!|()[\] ]/.test(letter)
      ? 0.55
      : /[mwMW@%—]/.test(letter)
        ? 1.6
        : /[A-Z]/.test(letter)
          ? 1.3
          : letter > '\u2e7f'
            ? 2
            : 1;
  return width;
}
