import { AgonError } from '@agonhq/engine/agon-error';
import type { Message } from '@agonhq/judges/evaluation';
import { readGuardOptions, type GuardChoices, type GuardOptions } from './guard-options.ts';
import { fromError, type GuardReport, type GuardVerdict } from './guard-verdict.ts';
import { openGuardJudge, type Guarded } from './judge-guarded.ts';
import { createStopwatch, type GuardStats } from './latency.ts';
import { createJudgedTurns, keyTurn, type GuardedTurn } from './judged-turns.ts';
import { settleReadings } from './settle-readings.ts';
import { watchAnswer, type AnswerWatch, type Stretch } from './watch-answer.ts';

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

/** What a model is asked, as far as it is judged: what came since it last spoke. */
export interface GuardedPrompt extends GuardedTurn {
  /** The conversation before, which is judged as well, but for what was already. */
  earlier?: readonly GuardedTurn[];
  /** What an answer is held against; the text by default. */
  question?: string;
  /** All of it, for debates. */
  messages?: readonly Message[];
  /** What of it is not judged. */
  skipped?: readonly string[];
  /** What of it nobody can read: blocked or passed as the options say. */
  unread?: readonly string[];
}

/** One call of a model, or one request. */
export interface GuardedCall {
  /** Judges what of the prompt was not judged already; the first verdict that is acted on, or the last turn's. */
  judgePrompt(signal?: AbortSignal): Promise<GuardVerdict | null>;
  /** Judges an answer that is there; the worst of its verdicts. */
  judgeAnswer(texts: readonly string[], signal?: AbortSignal): Promise<GuardVerdict | null>;
  /** Judges an answer while it comes in. */
  watch(signal?: AbortSignal): AnswerWatch;
  noteFirstText(ms: number): void;
  /** What is not judged, as it turns up. */
  skip(what: string): void;
  /** What cannot be read: blocked or passed as the options say, and named either way. */
  refuse(of: GuardVerdict['of'], what: string): GuardVerdict;
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
 * Makes a guard for `@agonhq/agon/ai`, `@agonhq/agon/http` or code of your own.
 *
 * @example
 * const guard = createGuard({ mode: 'pass-and-stop', warm: true });
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware(guard) });
 */
export function createGuard(options: GuardOptions = {}): Guard {
  const choices = readGuardOptions(options);
  const judge = openGuardJudge(choices);
  const stopwatch = createStopwatch();
  const judged = createJudgedTurns();
  const stopAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';
  // Whoever judges first hears what is wrong.
  if (choices.warm) void judge.warm().catch(() => undefined);

  function startCall(asked: GuardedPrompt = { text: '' }): GuardedCall {
    const verdicts: GuardVerdict[] = [];
    const { messages } = asked;
    const question = asked.question ?? asked.text;
    const prompt = shortenQuestion(question);
    const said: (() => readonly string[])[] = [];
    let policy: string | null = null;
    let firstTextMs: number | null = null;
    let promptMs: number | null = null;
    const skipped = new Set(asked.skipped);
    // What a debate in the background is asked, once: the answer as it was when the last doubt arose.
    let inDoubt: { guarded: Guarded; doubt: GuardVerdict } | null = null;
    let report: GuardReport | null = null;

    const findHit = () => verdicts.find((verdict) => verdict.hit) ?? null;

    function describe(done: GuardReport['done'] = 'passed'): GuardReport {
      const answerMs = verdicts.filter(({ of }) => of === 'answer').reduce((sum, { ms }) => sum + ms, 0);
      const latency = { promptMs, firstTextMs, answerMs };
      return { done, hit: findHit(), verdicts, skipped: [...skipped], latency };
    }

    function keep(verdict: GuardVerdict): GuardVerdict {
      verdicts.push(verdict);
      choices.onVerdict?.(verdict);
      return verdict;
    }

    /** The readings of a stretch, settled; what is in doubt is debated now or later, as the options say. */
    async function judgeStretch({ fresh, inContext, range, whole, isLast }: Stretch, signal?: AbortSignal) {
      const started = performance.now();
      const common = { of: 'answer' as const, prompt, messages, range, whole };
      const read = (text: string, as: 'exchange' | 'content') => judge.judge({ ...common, text, as }, signal);
      const [alone, content, joint] = await Promise.all([
        read(fresh, 'exchange'),
        read(fresh, 'content'),
        inContext === null ? null : read(inContext, 'exchange'),
      ]);
      const readings = { fresh: alone, content, inContext: joint ?? alone };
      const { hit, doubt } = settleReadings(readings, { isLast, hits: choices.hits });
      const guarded: Guarded = { ...common, text: inContext ?? fresh };
      const debated = doubt && (await judge.debateNow(guarded, doubt, signal));
      stopwatch.note('sentence', performance.now() - started);
      if (doubt) inDoubt = { guarded, doubt };
      const decided = debated && debated !== doubt ? debated : null;
      const acted = decided ? (decided.hit ? decided : null) : hit;
      for (const verdict of new Set([alone, content, joint ?? alone])) keep({ ...verdict, hit: verdict === acted });
      return decided ? (keep(decided), acted) : acted;
    }

    function watch(signal?: AbortSignal): AnswerWatch {
      const one = watchAnswer((stretch) => judgeStretch(stretch, signal), { context: choices.context, stopAtHit });
      said.push(one.texts);
      return one;
    }

    /** Whoever hears of verdicts is told of what passed once, and of a hit each time. */
    async function judgeTurn(turn: GuardedTurn, signal?: AbortSignal): Promise<GuardVerdict> {
      const key = policy === null ? null : keyTurn(turn, policy);
      const known = key === null ? undefined : judged.find(key);
      if (known && !known.hit) verdicts.push(known);
      if (known) return known.hit ? keep(known) : known;
      const { by, text, images = [] } = turn;
      const guarded: Guarded =
        by === 'assistant'
          ? { of: 'answer', prompt: shortenQuestion(turn.question ?? ''), text }
          : { of: 'prompt', text, images };
      const first = await judge.judge(guarded, signal);
      const verdict = first.unsure ? await judge.debateNow(guarded, first, signal) : first;
      if (key !== null) judged.keep(key, verdict);
      if (first.unsure) judge.debateLater(guarded, first, (debated) => key !== null && judged.keep(key, debated));
      return keep({ ...verdict, of: 'prompt' });
    }

    function refuse(of: GuardVerdict['of'], what: string): GuardVerdict {
      skipped.add(what);
      const error = new AgonError(
        'wrong-media-type',
        `The guard does not read ${what}.`,
        'Send text, or let it pass with onUnread.',
      );
      const how = { by: 'embedded', inBackground: false, range: null, ms: 0 } as const;
      return keep({ of, ...fromError(error), hit: choices.onUnread === 'block', ...how });
    }

    /** An answer that passed is no news when it comes back in the conversation. */
    function keepAnswers(): void {
      const worst = findWorst(verdicts.filter(({ of }) => of === 'answer'));
      const isDebated = inDoubt !== null && choices.debate?.when === 'background';
      if (policy === null || !worst || isDebated || verdicts.some(({ of, error }) => of === 'answer' && error)) return;
      for (const text of said.flatMap((texts) => texts()))
        judged.keep(keyTurn({ by: 'assistant', text, question }, policy), worst);
    }

    return {
      async judgePrompt(signal) {
        const started = performance.now();
        const refused = (asked.unread ?? []).map((what) => refuse('prompt', what));
        const turns = [...(asked.earlier ?? []), asked].filter(
          ({ text, images = [] }) => text.trim() !== '' || images.length > 0,
        );
        // A policy that cannot be read is told by whoever judges.
        policy = turns.length === 0 ? null : await judge.hashPolicy().catch(() => null);
        const found = await Promise.all(turns.map((turn) => judgeTurn(turn, signal)));
        if (found.some(({ ms }) => ms > 0)) {
          promptMs = performance.now() - started;
          stopwatch.note('prompt', promptMs);
        }
        const all = [...refused, ...found];
        return all.find(({ hit }) => hit) ?? all.at(-1) ?? null;
      },
      async judgeAnswer(given, signal) {
        const texts = given.filter((text) => text.trim() !== '');
        said.push(() => texts);
        const found = await Promise.all(
          texts.map(async (text) => {
            const guarded: Guarded = { of: 'answer', prompt, text, messages, range: { start: 0, end: text.length } };
            const first = await judge.judge(guarded, signal);
            if (first.unsure) inDoubt = { guarded, doubt: first };
            return keep(first.unsure ? await judge.debateNow(guarded, first, signal) : first);
          }),
        );
        return findWorst(found);
      },
      watch,
      noteFirstText(ms) {
        firstTextMs = ms;
        stopwatch.note('firstText', ms);
      },
      skip: (what) => void skipped.add(what),
      refuse,
      findHit,
      describe,
      end(done) {
        if (report) return report;
        if (inDoubt) judge.debateLater(inDoubt.guarded, inDoubt.doubt);
        if (done === 'passed') keepAnswers();
        report = describe(done);
        choices.onReport?.(report);
        return report;
      },
    };
  }

  return { choices, startCall, stats: stopwatch.stats, warm: judge.warm, close: judge.close };
}

function findWorst(verdicts: readonly GuardVerdict[]): GuardVerdict | null {
  return verdicts.toSorted((a, b) => Number(b.hit) - Number(a.hit) || (b.risk ?? 0) - (a.risk ?? 0))[0] ?? null;
}

function shortenQuestion(text: string): string {
  if (text.length <= 2 * questionEnds) return text;
  return `${text.slice(0, questionEnds)}\n…\n${text.slice(-questionEnds)}`;
}
