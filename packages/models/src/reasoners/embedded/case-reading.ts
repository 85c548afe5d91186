import {
  describesImage,
  findPlainForm,
  isGlimpse,
  isObservation,
  isTranscript,
  listsSights,
  type CaseFile,
  type Observation,
} from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import { findExonerations, type Exoneration } from './exoneration.ts';
import type { GuardModel } from './guard.ts';
import type { GuardReading } from './text-models/heads.ts';
import { judgeAlone } from './text-models/terms.ts';
import { partSeparator } from '@agonhq/engine/text';
import { readWorstPassage, type IsPlain } from './passages.ts';
import { drivingSpans, sentenceLogits, type EncoderReading } from './runtime/index.ts';
import { shippedWeights } from './weights.ts';

/** Sentences longer than this are quoted by the spans that drive them. */
const longestSentence = 240;

/** What carries the risk: the worst sentence of several, then the spans outside it that push most. */
export function riskyPassages<Head extends string>(
  text: string,
  reading: EncoderReading<Head>,
  head: Head,
): { start: number; end: number }[] {
  const spans = drivingSpans(text, reading, head);
  const sentences = sentenceLogits(text, reading, head);
  const worst = sentences.toSorted((a, b) => b.logit - a.logit)[0];
  if (sentences.length < 2 || !worst || worst.end - worst.start > longestSentence) return spans;
  const whole = trimmed(text, worst);
  return [whole, ...spans.filter(({ start, end }) => end <= whole.start || start >= whole.end)].slice(0, 3);
}

function trimmed(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  const slice = text.slice(start, end);
  return {
    start: start + (slice.length - slice.trimStart().length),
    end: end - (slice.length - slice.trimEnd().length),
  };
}

/** One part of the case as the guard sees it: the subject, or something that was hidden in it. */
export interface ReadPart {
  source: Source | Observation;
  head: 'content' | 'image' | 'pair';
  /** The calibrated logit of the model that is asked first. */
  logit: number;
  /** What that model was given to read, what it said, and what was taken off for being only a passage. */
  read: { words: string; reading: GuardReading; margin: number };
  /** Of the whole. */
  embedding: Float32Array;
  /** The passages that push the logit up most, as they stand in a source; the worst sentence comes first. */
  risky: readonly string[];
}

/** What a head answers. */
export const questions = { content: 'text', image: 'image', pair: 'text+image' } as const;

/** All that the embedded roles argue from: one pass of the guard over the case. */
export interface CaseReading {
  /** The subject itself. */
  subject: ReadPart;
  /** The part that reads worst: the subject, or a decoded or OCR text. */
  worst: ReadPart;
  /** All of them, the worst first. */
  parts: readonly ReadPart[];
  exonerations: readonly (Exoneration & { quote: string })[];
}

const known = new WeakMap<CaseFile, Promise<CaseReading>>();

/** Reads a case once for all seats that ask. A passage for which a first pass is enough is not read by itself. */
export function readCase(
  caseFile: CaseFile,
  guard: GuardModel,
  signal: AbortSignal,
  isPlain: IsPlain | null = null,
): Promise<CaseReading> {
  let reading = known.get(caseFile);
  if (!reading) known.set(caseFile, (reading = read(caseFile, { guard, isPlain, signal })));
  return reading;
}

interface Reader {
  guard: GuardModel;
  isPlain: IsPlain | null;
  signal: AbortSignal;
}

async function read(caseFile: CaseFile, reader: Reader): Promise<CaseReading> {
  const given = caseFile.sources.find((source) => source.id === 'text');
  const text = given && findPlainForm(given, caseFile.sources);
  // What the image models make out is not read into a text: a harmless picture must not clear harmful words.
  const spoken = text ? [] : caseFile.sources.filter(isTranscript).map((one) => findPlainForm(one, caseFile.sources));
  const glimpses = text ? caseFile.sources.filter(isGlimpse) : [];
  const descriptions = caseFile.sources.filter((source) => describesImage(source) && !(text && isGlimpse(source)));
  const found = new Set(
    caseFile.sources
      .filter(
        (source) =>
          isObservation(source) &&
          !describesImage(source) &&
          !listsSights(source) &&
          !isQuotedWord(source, caseFile) &&
          !['placeholder', 'silence', 'injection', 'unreadable', 'statement'].includes(source.tool),
      )
      .map((source) => findPlainForm(source, caseFile.sources)),
  );
  for (const source of text ? [text] : spoken) found.delete(source);
  const own =
    text && descriptions.length > 0
      ? descriptions.map((description) => readPair(text, description, reader))
      : [
          ...(text ? [text] : spoken).map((source) => readPart(source, 'content', reader)),
          ...descriptions.map((source) =>
            isGlimpse(source) ? readGlimpse(source, null, reader) : readPart(source, 'image', reader),
          ),
        ];
  const [subjects, others] = await Promise.all([
    Promise.all(own),
    Promise.all([
      ...[...found].map((source) => readPart(source, 'content', reader)),
      ...glimpses.map((source) => readGlimpse(source, text ?? null, reader)),
    ]),
  ]);
  const parts = [...subjects, ...others].toSorted((a, b) => b.logit - a.logit);
  const quotable = [...(text ? [text] : spoken), ...descriptions];
  return {
    subject: subjects.toSorted((a, b) => b.logit - a.logit)[0] ?? parts[0]!,
    worst: parts[0]!,
    parts,
    exonerations: quotable.flatMap(({ text: words }) =>
      findExonerations(words).map((context) => ({ ...context, quote: words.slice(context.start, context.end) })),
    ),
  };
}

/**
 * A single word off an image says little on its own, and stands in the sentence that the image models made of the
 * image.
 */
function isQuotedWord(source: Observation, { sources }: CaseFile): boolean {
  if (source.tool !== 'ocr' || /\S\s+\S/.test(source.text)) return false;
  return sources.some((other) => isGlimpse(other) && other.of === source.of);
}

async function readPart(source: Source | Observation, head: 'content' | 'image', reader: Reader): Promise<ReadPart> {
  const { guard, signal } = reader;
  const { text } = source;
  const reading = await guard.read(text, { signal });
  const { passages: weights } = shippedWeights;
  const passage = head === 'content' ? await readWorstPassage(text, reading, { ...reader, weights }) : null;
  const { embedding } = reading;
  const logit = judgeAlone(guard.terms[questions[head]], reading.logits);
  if (!passage || passage.logit <= logit) {
    const risky = riskyPassages(text, reading, head).map(({ start, end }) => text.slice(start, end));
    return { source, head, logit, read: { words: text, reading, margin: 0 }, embedding, risky };
  }
  const alone = text.slice(passage.start, passage.end);
  const inside = riskyPassages(alone, passage.reading, head).map(({ start, end }) => alone.slice(start, end));
  const risky = alone.length <= longestSentence ? [alone] : inside;
  const read = { words: alone, reading: passage.reading, margin: passage.margin };
  return { source, head, logit: passage.logit, read, embedding, risky };
}

/**
 * What the embedded image models made out, by what of it is weighed. Beside a text it counts only as far as both
 * together are harmful: a thing in a picture is no harm by itself. It is quoted as it stands.
 */
async function readGlimpse(glimpse: Observation, text: Source | null, reader: Reader): Promise<ReadPart> {
  const weighed = { ...glimpse, text: glimpse.weighed ?? glimpse.text };
  const [{ embedding, risky }, alone, together] = await Promise.all([
    readPart(glimpse, 'image', reader),
    readPart(weighed, 'image', reader),
    text && readPair(text, weighed, reader),
  ]);
  const lesser = together && together.logit < alone.logit ? together : alone;
  return { ...lesser, source: glimpse, embedding, risky };
}

/** A text with an image is read as one message; a passage that reaches over the seam is cut there. */
async function readPair(text: Source, description: Source, { guard, signal }: Reader): Promise<ReadPart> {
  const joint = `${text.text}${partSeparator}${description.text}`;
  const reading = await guard.read(joint, { signal });
  const seam = text.text.length;
  const risky = riskyPassages(joint, reading, 'pair').flatMap(({ start, end }) => {
    if (end <= seam) return [joint.slice(start, end)];
    const from = Math.max(start, seam + partSeparator.length);
    return from < end ? [joint.slice(from, end)] : [];
  });
  return {
    source: text,
    head: 'pair',
    logit: judgeAlone(guard.terms['text+image'], reading.logits),
    read: { words: joint, reading, margin: 0 },
    embedding: reading.embedding,
    risky,
  };
}
