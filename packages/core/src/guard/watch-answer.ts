import { findContextStart, findReadyEnd } from './cut-sentences.ts';
import type { GuardVerdict } from './guard-verdict.ts';

/** New words of an answer, which stand in `range` of it. */
export interface Stretch {
  fresh: string;
  /** With words before them; null where nothing stands before. */
  inContext: string | null;
  whole: string;
  range: { start: number; end: number };
  /** Nothing comes after them. */
  isLast: boolean;
}

/** Judges new words; says which verdict is acted on. */
export type JudgeStretch = (stretch: Stretch) => Promise<GuardVerdict | null>;

/** An answer that is judged while it comes in. Texts that come interleaved are tracks of it, each read by itself. */
export interface AnswerWatch {
  add(track: string, text: string): void;
  /** Nothing more comes in a track, or before something else: what is there is judged although no sentence ended. */
  flush(track?: string): void;
  /** Up to which character a track was judged and may leave. */
  clearedUpTo(track: string): number;
  /** How many characters wait for a verdict. */
  waiting(): number;
  readonly hit: GuardVerdict | null;
  /** All that was said, track by track. */
  texts(): string[];
  /** Resolves when more was judged; null while nothing is being judged. */
  changed(): Promise<void> | null;
}

interface Track {
  text: string;
  /** Up to here it may be judged … */
  ready: number;
  /** … up to here it was … */
  judged: number;
  /** … and up to here in one look with a long stretch before it. */
  lookedBack: number;
  isOver: boolean;
}

/** The most new characters that one verdict is about, so that what is held leaves in steps. */
const longestStep = 800;
/** Each thousand characters, and an answer's last ones, are read once in one piece: about what the model reads. */
const longLook = 1_000;

/**
 * Has each new stretch judged by itself, since harm is diluted by what stands around it, and with what stands before
 * it, since harm may show only across sentences. Both have a fixed length, so that cost grows with the answer and not
 * with its square.
 */
export function watchAnswer(
  judge: JudgeStretch,
  { context, stopAtHit }: { context: number; stopAtHit: boolean },
): AnswerWatch {
  const tracks = new Map<string, Track>();
  let hit: GuardVerdict | null = null;
  let failure: { error: unknown } | null = null;
  let working = false;
  let change = Promise.withResolvers<void>();

  function find(name: string): Track {
    let track = tracks.get(name);
    if (!track) tracks.set(name, (track = { text: '', ready: 0, judged: 0, lookedBack: 0, isOver: false }));
    return track;
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      for (let track = nextTrack(); track; track = nextTrack()) {
        await judgeStep(track);
        tell();
      }
    } catch (error) {
      failure = { error };
    } finally {
      working = false;
      tell();
    }
  }

  function nextTrack(): Track | undefined {
    if (hit && stopAtHit) return undefined;
    return [...tracks.values()].find(({ judged, ready }) => judged < ready);
  }

  async function judgeStep(track: Track): Promise<void> {
    const { text, judged: start } = track;
    const end = cutStep(text, start, track.ready);
    const fresh = text.slice(start, end);
    if (fresh.trim() !== '') {
      const isLast = track.isOver && end === text.length;
      const looksBack = end - track.lookedBack >= longLook || isLast;
      const from = findContextStart(text, start, looksBack ? longLook : context);
      if (looksBack) track.lookedBack = end;
      const whole = text.slice(0, end);
      const inContext = from < start ? text.slice(from, end) : null;
      const found = await judge({ fresh, inContext, whole, range: { start, end }, isLast });
      hit ??= found;
      if (found && stopAtHit) return;
    }
    track.judged = end;
  }

  function tell(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  return {
    add(name, text) {
      const track = find(name);
      track.text += text;
      track.isOver = false;
      track.ready += findReadyEnd(track.text.slice(track.ready));
      void work();
    },
    flush(name) {
      for (const track of name === undefined ? tracks.values() : [find(name)]) {
        track.ready = track.text.length;
        track.isOver = true;
        // All of it was judged before it was known to be the end, which has a look of its own.
        if (track.judged === track.ready && track.lookedBack < track.ready)
          track.judged = findContextStart(track.text, track.ready, context);
      }
      void work();
    },
    clearedUpTo: (name) => find(name).judged,
    texts: () => [...tracks.values()].map(({ text }) => text),
    waiting: () => [...tracks.values()].reduce((sum, { text, judged }) => sum + text.length - judged, 0),
    get hit() {
      return hit;
    },
    changed() {
      if (failure) throw failure.error;
      return working ? change.promise : null;
    },
  };
}

/** A step ends with a sentence where it can. */
function cutStep(text: string, start: number, ready: number): number {
  if (ready - start <= longestStep) return ready;
  const cut = findReadyEnd(text.slice(start, start + longestStep));
  return cut > 0 ? start + cut : ready;
}
