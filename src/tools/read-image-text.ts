import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Worker as Thread } from 'node:worker_threads';
import type { Page, Word, Worker } from 'tesseract.js';
import { AgonError } from '../errors.ts';
import { upperMedian } from '../statistics/index.ts';

/** Half of the words on a page of text are read with more confidence than this; of a photograph, never. */
const textPage = 75;
/** On a page of text an unsure word is still a word; elsewhere it is what OCR sees in foliage and brickwork. */
const floors = { text: { confidence: 10, length: 1 }, elsewhere: { confidence: 75, length: 3 } };
const poolSize = Math.min(2, availableParallelism());

interface Reader {
  worker: Worker;
  thread: Thread;
}

/** Readers and the turns waiting for one. A reader is created when one is first needed, then reused. */
const idle: Reader[] = [];
const waiting: (() => void)[] = [];
const readers = new Set<Reader>();
let open = 0;

export interface ImageText {
  text: string;
  /** Mean confidence of the words kept, 0 to 1; 0 when there are none. */
  confidence: number;
  /** The words kept, each with its place in pixels and the line it stands on. */
  words: readonly ReadWord[];
}

interface ReadWord {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** From 0. */
  line: number;
}

/** Reads the text in an image offline. The signal cancels at any point; an idle reader lets the process end. */
export async function readImageText(image: Uint8Array, options: { signal?: AbortSignal } = {}): Promise<ImageText> {
  const { signal } = options;
  const reader = await takeReader(signal);
  let healthy = false;
  try {
    const page = await recognise(reader, image, signal);
    healthy = true;
    return textOf(page);
  } catch (cause) {
    signal?.throwIfAborted();
    throw ocrFailed(cause);
  } finally {
    if (healthy) giveBack(reader);
    else void discard(reader);
  }
}

/** Ends the OCR threads that nobody reads with. Reading again starts new ones. */
export async function closeTools(): Promise<void> {
  await Promise.all(idle.splice(0).map((reader) => discard(reader)));
}

async function takeReader(signal: AbortSignal | undefined): Promise<Reader> {
  for (;;) {
    signal?.throwIfAborted();
    const reader = idle.pop();
    if (reader) {
      reader.thread.ref();
      return reader;
    }
    if (open < poolSize) {
      open += 1;
      try {
        return await createReader();
      } catch (cause) {
        releaseSlot();
        throw ocrFailed(cause);
      }
    }
    await nextTurn(signal);
  }
}

/** tesseract.js reports a failed set-up only to its error handler, and would otherwise never answer. */
async function createReader(): Promise<Reader> {
  const { createWorker, OEM } = await import('tesseract.js');
  const require = createRequire(import.meta.url);
  const data = require.resolve('@tesseract.js-data/eng/package.json');
  const failed = Promise.withResolvers<never>();
  const worker = await Promise.race([
    createWorker('eng', OEM.LSTM_ONLY, {
      langPath: path.join(path.dirname(data), '4.0.0_best_int'),
      cacheMethod: 'none',
      errorHandler: (error: unknown) => failed.reject(error),
    }),
    failed.promise,
  ]);
  failed.promise.catch(() => undefined);
  await worker.setParameters({ user_defined_dpi: '300' });
  const reader = { worker, thread: (worker as Worker & { worker: Thread }).worker };
  reader.thread.on('error', () => void discard(reader));
  readers.add(reader);
  return reader;
}

async function recognise(
  { worker, thread }: Reader,
  image: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Page> {
  signal?.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => stopped.reject(signal!.reason);
  const onExit = (): void => stopped.reject(new Error('the OCR thread ended'));
  signal?.addEventListener('abort', onAbort, { once: true });
  thread.once('exit', onExit);
  try {
    const result = await Promise.race([
      worker.recognize(Buffer.from(image), {}, { text: false, blocks: true }),
      stopped.promise,
    ]);
    return result.data;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    thread.off('exit', onExit);
  }
}

function textOf(page: Page): ImageText {
  const paragraphs = (page.blocks ?? []).flatMap((block) => block.paragraphs);
  const lines = paragraphs.flatMap((paragraph) => paragraph.lines).map((line) => line.words.filter(hasLetters));
  const confidence = upperMedian(lines.flat().map((word) => word.confidence)) ?? 0;
  const floor = confidence >= textPage ? floors.text : floors.elsewhere;
  const kept = lines
    .map((words) =>
      words.filter((word) => word.confidence >= floor.confidence && Math.max(1, lettersIn(word)) >= floor.length),
    )
    .filter((words) => words.length > 0);
  const confidences = kept.flat().map((word) => word.confidence / 100);
  return {
    text: kept.map((words) => words.map((word) => word.text).join(' ')).join('\n'),
    confidence: confidences.reduce((total, confidence) => total + confidence, 0) / Math.max(1, confidences.length),
    words: kept.flatMap((words, line) =>
      words.map(({ text, bbox: { x0, y0, x1, y1 } }) => ({
        text,
        x: x0,
        y: y0,
        width: x1 - x0,
        height: y1 - y0,
        line,
      })),
    ),
  };
}

/** A sign that stands apart from its number is part of it: "15 %", "$ 40". */
function hasLetters(word: Word): boolean {
  return lettersIn(word) > 0 || /^[%‰\p{Sc}][.,;:)]*$/u.test(word.text);
}

function lettersIn(word: Word): number {
  return word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function giveBack(reader: Reader): void {
  if (!readers.has(reader)) return;
  reader.thread.unref();
  idle.push(reader);
  waiting.shift()?.();
}

async function discard(reader: Reader): Promise<void> {
  if (!readers.delete(reader)) return;
  const at = idle.indexOf(reader);
  if (at >= 0) idle.splice(at, 1);
  releaseSlot();
  await reader.thread.terminate();
}

function releaseSlot(): void {
  open -= 1;
  waiting.shift()?.();
}

async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  const turn = Promise.withResolvers<void>();
  const onAbort = (): void => {
    const at = waiting.indexOf(turn.resolve);
    if (at >= 0) waiting.splice(at, 1);
    turn.reject(signal!.reason);
  };
  waiting.push(turn.resolve);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await turn.promise;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function ocrFailed(cause: unknown): AgonError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AgonError(
    'ocr-failed',
    `The text in the image could not be read: ${why}`,
    'Judge it without OCR, or export the image as PNG.',
    {
      cause,
    },
  );
}
