import type { Message } from '../jobs/evaluation/index.ts';
import { readGuardOptions, type GuardChoices, type GuardOptions } from './guard-options.ts';
import type { GuardReport, GuardVerdict } from './guard-verdict.ts';
import { openGuardJudge, type Guarded } from './judge-guarded.ts';
import { createStopwatch, type GuardStats } from './latency.ts';
import { watchAnswer, type AnswerWatch } from './watch-answer.ts';

/** A guard, made once and used for any number of calls: models are loaded by the first of them and stay. */
export interface Guard {
  readonly choices: GuardChoices;
  /** Follows one call from its prompt to its report. */
  startCall(asked?: GuardedPrompt): GuardedCall;
  /** What guarding has cost so far; `renderGuardStats` makes a table of it. */
  stats(): GuardStats;
  /** Loads the models and judges a sentence, so that the first call finds them warm. */
  warm(): Promise<void>;
  /** Waits for debates in the background, and lets go of the models. */
  close(): Promise<void>;
}

/** What a model is asked, as far as it is judged. */
export interface GuardedPrompt {
  /** What is judged of it. */
  text: string;
  images?: Extract<Guarded, { of: 'prompt' }>['images'];
  /** What an answer is held against; the text by default. */
  question?: string;
  /** All of it, for debates. */
  messages?: readonly Message[];
  /** What of it is not judged. */
  skipped?: readonly string[];
}

/** One call of a model, or one request. */
export interface GuardedCall {
  /** Judges the prompt; null where there is nothing of it to judge. */
  judgePrompt(signal?: AbortSignal): Promise<GuardVerdict | null>;
  /** Judges an answer that is there; the worst of its verdicts. */
  judgeAnswer(texts: readonly string[], signal?: AbortSignal): Promise<GuardVerdict | null>;
  /** Judges an answer while it comes in. */
  watch(signal?: AbortSignal): AnswerWatch;
  noteFirstText(ms: number): void;
  /** What is not judged, as it turns up. */
  skip(what: string): void;
  /** The first verdict that is acted on. */
  findHit(): GuardVerdict | null;
  /** What is known so far. */
  describe(done?: GuardReport['done']): GuardReport;
  /** Tells what became of it, once. */
  end(done: GuardReport['done']): GuardReport;
}

/** Of a long prompt the embedded model reads its beginning and its end; more of it only takes time to cut up. */
const questionEnds = 1_000;

/**
 * Makes a guard for `agon/ai`, `agon/http` or code of your own.
 *
 * @example
 * const guard = createGuard({ mode: 'pass-and-stop', warm: true });
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware(guard) });
 */
export function createGuard(options: GuardOptions = {}): Guard {
  const choices = readGuardOptions(options);
  const judge = openGuardJudge(choices);
  const stopwatch = createStopwatch();
  const stopAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';
  // Whoever judges first hears what is wrong.
  if (choices.warm) void judge.warm().catch(() => undefined);

  function startCall(asked: GuardedPrompt = { text: '' }): GuardedCall {
    const verdicts: GuardVerdict[] = [];
    const { messages } = asked;
    const prompt = shortenQuestion(asked.question ?? asked.text);
    let firstTextMs: number | null = null;
    let promptMs: number | null = null;
    const skipped = new Set(asked.skipped);
    let whole = '';
    let report: GuardReport | null = null;

    const findHit = () => verdicts.find((verdict) => verdict.hit) ?? null;

    function describe(done: GuardReport['done'] = 'passed'): GuardReport {
      const answerMs = verdicts.filter(({ of }) => of === 'answer').reduce((sum, { ms }) => sum + ms, 0);
      const latency = { promptMs, firstTextMs, answerMs };
      return { done, hit: findHit(), verdicts, skipped: [...skipped], latency };
    }

    async function judgeReadings(
      readings: readonly string[],
      at: { range: { start: number; end: number }; whole: string },
      signal?: AbortSignal,
    ): Promise<GuardVerdict[]> {
      const started = performance.now();
      const guarded = readings.map((text): Guarded => ({ of: 'answer', prompt, text, messages, ...at }));
      const judged = await judge.judge(guarded, signal);
      stopwatch.note('sentence', performance.now() - started);
      if (at.whole.length > whole.length) ({ whole } = at);
      verdicts.push(...judged);
      return judged;
    }

    const watch = (signal?: AbortSignal) =>
      watchAnswer((readings, at) => judgeReadings(readings, at, signal), { context: choices.context, stopAtHit });

    return {
      async judgePrompt(signal) {
        const { text, images = [] } = asked;
        if (text.trim() === '' && images.length === 0) return null;
        const guarded: Guarded = { of: 'prompt', text, images };
        const [verdict] = await judge.judge([guarded], signal);
        promptMs = verdict!.ms;
        stopwatch.note('prompt', promptMs);
        verdicts.push(verdict!);
        judge.debateLater(guarded, verdict!);
        return verdict!;
      },
      async judgeAnswer(texts, signal) {
        const watched = watch(signal);
        for (const [index, text] of texts.entries()) watched.add(String(index), text);
        watched.flush();
        for (let change = watched.changed(); change; change = watched.changed()) await change;
        return watched.hit ?? watched.verdicts.at(-1) ?? null;
      },
      watch,
      noteFirstText(ms) {
        firstTextMs = ms;
        stopwatch.note('firstText', ms);
      },
      skip: (what) => void skipped.add(what),
      findHit,
      describe,
      end(done) {
        if (report) return report;
        const unsure = verdicts.find((verdict) => verdict.of === 'answer' && verdict.unsure);
        if (unsure) judge.debateLater({ of: 'answer', prompt, text: whole, messages }, unsure);
        report = describe(done);
        choices.onReport?.(report);
        return report;
      },
    };
  }

  return { choices, startCall, stats: stopwatch.stats, warm: judge.warm, close: judge.close };
}

function shortenQuestion(text: string): string {
  if (text.length <= 2 * questionEnds) return text;
  return `${text.slice(0, questionEnds)}\n…\n${text.slice(-questionEnds)}`;
}
