import type { PixelBox, Pixels, TurnedBox } from '../pixels.ts';
import type { Network } from '../runtime/network.ts';
import { detectLines } from './detect-lines.ts';
import { orderLines } from './order-lines.ts';
import { recogniseLines, type LineReading, type Recogniser } from './recognise-lines.ts';
import { findQuarter, turnLinesBack, turnUpright } from './turn-page.ts';

export interface WordRead extends PixelBox {
  text: string;
}

export interface LineRead {
  text: string;
  /** Mean probability of its letters, 0 to 1. */
  confidence: number;
  box: TurnedBox;
  words: readonly WordRead[];
}

/** What text is read with: the detector and, by alphabet, the recognisers, each opened when it is needed. */
export interface ReadingMeans {
  openDetector(): Promise<Network>;
  openRecogniser(alphabet: Alphabet): Promise<Recogniser>;
}

export type Alphabet = 'english' | 'latin' | 'chinese' | 'japanese';

/** A line that is read as surely as this is not read again upside down, or with the letters of another alphabet. */
const sure = { way: 0.9, alphabet: 0.8 };
/** Those of more letters are less sure of each, so a later one must be better by this. */
const others: readonly { alphabet: Alphabet; handicap: number }[] = [
  { alphabet: 'chinese', handicap: 0.02 },
  { alphabet: 'latin', handicap: 0.02 },
  { alphabet: 'japanese', handicap: 0.04 },
];
/** Below this, shapes were taken for letters; of one or two letters more is asked. */
const floors = { line: 0.65, few: 0.85 };
const few = 2;

/**
 * Reads the text in an image: lines in reading order, each with its words and their places. An image that lies on its
 * side or its head is read again upright: of a number of two digits nothing else tells which way it stands.
 */
export async function readText(image: Pixels, means: ReadingMeans): Promise<LineRead[]> {
  const lines = await readLines(image, means);
  const quarter = findQuarter(lines);
  if (quarter === 0) return lines;
  const upright = await readLines(turnUpright(image, quarter), means);
  return isSurer(upright, lines) ? turnLinesBack(upright, quarter, image) : lines;
}

/** Whether one reading has more letters that are sure than another. */
function isSurer(one: readonly LineRead[], other: readonly LineRead[]): boolean {
  const weigh = (lines: readonly LineRead[]): number =>
    sum(lines.map(({ text, confidence }) => confidence * countLetters(text)));
  return weigh(one) > weigh(other);
}

async function readLines(image: Pixels, means: ReadingMeans): Promise<LineRead[]> {
  const boxes = await detectLines(image, await means.openDetector());
  if (boxes.length === 0) return [];
  const english = await means.openRecogniser('english');
  const firsts = await recogniseLines(image, boxes, english);
  const best = firsts.map((reading, index) => ({ reading, box: boxes[index]!, rank: reading.confidence }));
  await turnOver(best, image, english);
  for (const { alphabet, handicap } of others) {
    if (!best.some(({ rank }) => rank < sure.alphabet)) break;
    await readAgain(best, image, { ...(await means.openRecogniser(alphabet)), handicap });
  }
  const pieces = best.map(({ reading, box }) => placeLine(reading, box)).filter(isLegible);
  return orderLines(pieces).filter(({ text }) => countLetters(text) > 0);
}

interface Attempt {
  reading: LineReading;
  box: TurnedBox;
  rank: number;
}

/** Gives the doubtful lines another chance with other letters, and keeps what is surer. */
async function readAgain(
  attempts: readonly Attempt[],
  image: Pixels,
  { handicap, ...recogniser }: Recogniser & { handicap: number },
): Promise<void> {
  const doubtful = attempts.filter(({ rank }) => rank < sure.alphabet);
  const boxes = doubtful.map(({ box }) => box);
  for (const [index, reading] of (await recogniseLines(image, boxes, recogniser)).entries()) {
    const rank = reading.confidence - handicap;
    if (rank > doubtful[index]!.rank) Object.assign(doubtful[index]!, { reading, rank });
  }
}

/** Short words such as "of" read well either way: against most of the text, a line must gain this much. */
const flipGain = 0.15;

/** Reads the doubtful lines upside down; where most of the text gains by it, all lines, and keeps to that in doubt. */
async function turnOver(attempts: readonly Attempt[], image: Pixels, recogniser: Recogniser): Promise<void> {
  const doubtful = await readFlipped(
    attempts.filter(({ rank }) => rank < sure.way),
    image,
    recogniser,
  );
  const letters = ({ reading }: Attempt) => reading.letters.length;
  const gaining = doubtful.filter(({ attempt, flipped }) => flipped.rank > attempt.rank);
  const isMostly = sum(gaining.map(({ attempt }) => letters(attempt))) * 2 > sum(attempts.map(letters));
  const rest = isMostly ? attempts.filter(({ rank }) => rank >= sure.way) : [];
  for (const { attempt, flipped } of [...doubtful, ...(await readFlipped(rest, image, recogniser))])
    if (flipped.rank > attempt.rank + (isMostly ? -flipGain : flipGain)) Object.assign(attempt, flipped);
}

async function readFlipped(
  attempts: readonly Attempt[],
  image: Pixels,
  recogniser: Recogniser,
): Promise<{ attempt: Attempt; flipped: Attempt }[]> {
  const boxes = attempts.map(({ box }) => ({ ...box, angle: box.angle + Math.PI }));
  const readings = await recogniseLines(image, boxes, recogniser);
  return readings.map((reading, index) => ({
    attempt: attempts[index]!,
    flipped: { reading, box: boxes[index]!, rank: reading.confidence },
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A sign that stands apart, such as that of per cent, may belong to the number before it. */
function isLegible({ text, confidence }: LineRead): boolean {
  return text !== '' && confidence >= (countLetters(text) <= few ? floors.few : floors.line);
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** A line with its words, each where its letters stand. */
function placeLine({ letters, confidence }: LineReading, box: TurnedBox): LineRead {
  const words: { text: string; from: number; to: number }[] = [];
  const half = 0.5 / Math.max(1, letters.length);
  let open = false;
  for (const { text, at } of letters) {
    if (text.trim() === '') open = false;
    else if (open) {
      const word = words.at(-1)!;
      word.text += text;
      word.to = Math.min(1, at + half);
    } else {
      words.push({ text, from: Math.max(0, at - half), to: Math.min(1, at + half) });
      open = true;
    }
  }
  return {
    text: words.map(({ text }) => text).join(' '),
    confidence,
    box,
    words: words.map(({ text, from, to }) => ({ text, ...boundPart(box, from, to) })),
  };
}

/** The upright box around a stretch of a line. */
export function boundPart({ x, y, width, height, angle }: TurnedBox, from: number, to: number): PixelBox {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = ((from + to) / 2 - 0.5) * width;
  const [half, low] = [((to - from) * width) / 2, height / 2];
  const wide = Math.abs(half * cos) + Math.abs(low * sin);
  const high = Math.abs(half * sin) + Math.abs(low * cos);
  return { x: x + along * cos - wide, y: y + along * sin - high, width: 2 * wide, height: 2 * high };
}
