import type { AnswerWatch } from './watch-answer.ts';

/** What a part of a stream is to the guard. */
export type PartKind =
  | { kind: 'text'; track: string; text: string }
  /** Leaves whole; a text that does not go on in it has ended. */
  | { kind: 'texts'; texts: readonly { track: string; text: string }[] }
  /** Ends a text: what is left of it is judged. */
  | { kind: 'end'; track: string }
  /**
   * Something acts on it, or it is the last: everything before it, and its own texts, are judged first in every mode.
   */
  | { kind: 'act'; texts?: readonly { track: string; text: string }[] }
  /** Nobody reads it, which is a hit: it leaves, after all before it, where hits do. */
  | { kind: 'unread' }
  | { kind: 'other' }
  /** It would tell what is held, and does not leave. */
  | { kind: 'drop' };

export interface PartReader<Part> {
  classify(part: Part): PartKind;
  /**
   * The part with some of its text, the rest of it at last; undefined where it cannot be cut, and leaves whole or not
   * at all.
   */
  slice(part: Part, text: string, isRest: boolean): Part | undefined;
}

interface Held<Part> {
  part: Part;
  kind: PartKind;
  /** Where the text of it that was not sent stands in its track. */
  start: number;
  end: number;
  /** How far each track had come when something came that acts on all of it. */
  after: ReadonlyMap<string, number>;
}

interface ReleaseOptions<Part> {
  source: { read(): Promise<{ done: boolean; value?: Part | undefined }> };
  reader: PartReader<Part>;
  watch: AnswerWatch;
  mode: 'hold' | 'pass-and-stop';
  stopAtHit: boolean;
  /** Nothing leaves before it, and nothing at all where it says no; the stream is read meanwhile. */
  mayStart: Promise<boolean>;
  /** Told once, when the first text leaves: how long it was held. */
  onFirstText?: (heldMs: number) => void;
}

/** Not read further ahead of the judge than this. */
const mostWaiting = 20_000;

/**
 * The parts of a stream in their order, each as soon as it may leave. Ends at the first hit where hits stop, with all
 * that was not sent left out.
 */
export async function* releaseParts<Part>(options: ReleaseOptions<Part>): AsyncGenerator<Part, void, void> {
  const { source, reader, watch, mode, stopAtHit, mayStart } = options;
  const queue: Held<Part>[] = [];
  const lengths = new Map<string, number>();
  let reading: Promise<void> | null = null;
  let isOver = false;
  const failures: unknown[] = [];
  let firstTextAt: number | null = null;
  let hasLeft = false;

  /** What came before a source failed leaves as ever, and then it fails. */
  async function readOne(): Promise<void> {
    const { done, value } = await source.read().catch((error: unknown) => {
      failures.push(error);
      return { done: true, value: undefined };
    });
    reading = null;
    if (done || value === undefined) {
      isOver = true;
      watch.flush();
      return;
    }
    const kind = reader.classify(value);
    if (kind.kind === 'drop') return;
    const texts = listTexts(kind);
    const start = lengths.get(texts[0]?.track ?? '') ?? 0;
    for (const { track, text } of texts) {
      if (kind.kind !== 'act') firstTextAt ??= performance.now();
      lengths.set(track, (lengths.get(track) ?? 0) + text.length);
      watch.add(track, text);
    }
    if (kind.kind === 'texts')
      for (const name of lengths.keys()) if (!texts.some(({ track }) => track === name)) watch.flush(name);
    if (kind.kind === 'end') watch.flush(kind.track);
    if (kind.kind === 'act' || kind.kind === 'unread') watch.flush();
    const end = start + (kind.kind === 'text' ? kind.text.length : 0);
    queue.push({ part: value, kind, start, end, after: listBefore(kind) });
  }

  /** How far each track is to be judged before a part leaves whole. */
  function listBefore(kind: PartKind): ReadonlyMap<string, number> {
    if (kind.kind === 'act' || kind.kind === 'unread') return new Map(lengths);
    if (kind.kind !== 'texts' || mode !== 'hold') return new Map();
    return new Map(kind.texts.map(({ track }) => [track, lengths.get(track) ?? 0]));
  }

  /** The next part that may leave, or the part of one. */
  function take(): Part | undefined {
    const [head] = queue;
    if (!head) return undefined;
    const { part, kind, start, end, after } = head;
    if ([...after].some(([track, length]) => watch.clearedUpTo(track) < length)) return undefined;
    if (kind.kind === 'unread' && stopAtHit) {
      isStopped = true;
      return undefined;
    }
    if (kind.kind !== 'text' || mode !== 'hold' || start === end) return leave(queue.shift()!.part, kind);
    const cleared = watch.clearedUpTo(kind.track);
    if (cleared >= end) {
      queue.shift();
      const isCut = end - start < kind.text.length;
      return leave(isCut ? reader.slice(part, kind.text.slice(start - end), true)! : part, kind);
    }
    const from = kind.text.length - (end - start);
    const piece =
      cleared > start ? reader.slice(part, kind.text.slice(from, from + cleared - start), false) : undefined;
    if (piece === undefined) return undefined;
    head.start = cleared;
    return leave(piece, kind);
  }

  function leave(part: Part, { kind }: PartKind): Part {
    if ((kind === 'text' || kind === 'texts') && !hasLeft && firstTextAt !== null) {
      hasLeft = true;
      options.onFirstText?.(performance.now() - firstTextAt);
    }
    return part;
  }

  let isStopped = false;
  let hasStarted: boolean | null = null;
  const started = heard(
    mayStart.then((may) => {
      hasStarted = may;
    }),
  );
  for (;;) {
    if (hasStarted === false || (watch.hit && stopAtHit)) return;
    const part = hasStarted ? take() : undefined;
    if (isStopped) return;
    if (part !== undefined) {
      yield part;
      continue;
    }
    if (isOver && queue.length === 0 && watch.waiting() === 0) {
      if (failures.length > 0) throw failures[0];
      return;
    }
    if (!isOver && watch.waiting() < mostWaiting) reading ??= heard(readOne());
    // Whoever cancels the source ends its reading, and with it this.
    await Promise.race([reading, watch.changed(), hasStarted ? null : started].filter((event) => event !== null));
  }
}

function listTexts(kind: PartKind): readonly { track: string; text: string }[] {
  const texts = kind.kind === 'text' ? [kind] : 'texts' in kind ? (kind.texts ?? []) : [];
  return texts.filter(({ text }) => text !== '');
}

/** It may fail after nobody waits for it any more, which is then no news. */
function heard(event: Promise<void>): Promise<void> {
  event.catch(() => undefined);
  return event;
}
