import type { Message } from '@agonhq/judges/evaluation';
import type { ImageInput } from '@agonhq/judges/moderation';
import { mergeSettings, type Settings } from '../settings/index.ts';
import type { GuardChoices } from './guard-options.ts';
import { openGuardAgon, type GuardAgon } from './guard-agon.ts';
import { fromAnswer, fromError, isHit, type GuardVerdict } from './guard-verdict.ts';

/** What is judged: what a model is asked, or what it answered. */
export type Guarded =
  | { of: 'prompt'; text: string; images?: readonly ImageInput[] }
  | {
      of: 'answer';
      /** The last thing that was asked; empty where nobody asked anything. */
      prompt: string;
      /** The stretch that the embedded guard reads, as an answer to the prompt or as a text by itself. */
      text: string;
      as?: 'exchange' | 'content';
      /** The answer so far, for a debate; the stretch by default. */
      whole?: string;
      /** The conversation before the answer, for a debate. */
      messages?: readonly Message[];
      range?: { start: number; end: number };
    };

export interface GuardJudge {
  judge(guarded: Guarded, signal?: AbortSignal): Promise<GuardVerdict>;
  /** Debates what is in doubt, where the options say so before it leaves; otherwise the verdict stands. */
  debateNow(guarded: Guarded, verdict: GuardVerdict, signal?: AbortSignal): Promise<GuardVerdict>;
  /** Debates it in the background, where the options say so, and tells the outcome to `onVerdict` and `told`. */
  debateLater(guarded: Guarded, verdict: GuardVerdict, told?: (debated: GuardVerdict) => void): void;
  /** The hash of the policy that is judged by. */
  hashPolicy(): Promise<string>;
  warm(): Promise<void>;
  close(): Promise<void>;
}

const judgeSeat = 'embedded:guard-2';
const alone = { method: 'judge' } as const;
/** A debate of embedded seats also weighs what is written in an image beside its text. */
const embeddedSeats = Object.fromEntries(
  ['default', 'debaters', 'supporter', 'strict-debater', 'loose-debater', 'arbiter'].map((seat) => [seat, judgeSeat]),
);

/** Agons for guarding, each opened when it is first needed and then kept. */
export function openGuardJudge(choices: GuardChoices): GuardJudge {
  const { settings: given = {}, parts, debate } = choices;
  const jobs = ['moderation', 'evaluation'];
  const base: Settings = { ...given, ledger: given.ledger ?? false };
  const opened = new Map<string, Promise<GuardAgon>>();
  const later = new Set<Promise<void>>();
  const closing = new AbortController();

  function open(name: string, settings: Settings, forJobs = jobs): Promise<GuardAgon> {
    let agon = opened.get(name);
    if (!agon) {
      agon = openGuardAgon(settings, { ...parts, only: forJobs });
      // The next one tries again: what was wrong may be mended.
      agon.catch(() => opened.delete(name));
      opened.set(name, agon);
    }
    return agon;
  }

  const openAlone = () =>
    open('alone', mergeSettings({ seats: { judge: judgeSeat }, moderation: alone, evaluation: alone }, base));
  const openImageModels = () => open('image models', mergeSettings({ seats: embeddedSeats }, base), ['moderation']);
  const openDebate = () => open('debate', mergeSettings(base, debate!.settings));

  async function judgeAlone(guarded: Guarded, signal: AbortSignal) {
    if (guarded.of === 'answer') {
      const prompt = guarded.as === 'content' ? '' : guarded.prompt;
      return judgeAnswer(await openAlone(), prompt, guarded.text, signal);
    }
    const { text, images = [] } = guarded;
    if (images.length === 0) return fromAnswer(await (await openAlone()).moderate(clean(text), { signal }));
    const content = { ...(text.trim() === '' ? {} : { text: clean(text) }), images: [...images] };
    return fromAnswer(await (await openImageModels()).moderate(content, { signal }));
  }

  async function judgeByDebate(guarded: Guarded, signal: AbortSignal) {
    const agon = await openDebate();
    if (guarded.of === 'prompt') {
      const { text, images } = guarded;
      const words = text.trim() === '' ? {} : { text: clean(text) };
      return fromAnswer(
        await agon.moderate({ ...words, ...(images?.length ? { images: [...images] } : {}) }, { signal }),
      );
    }
    const { prompt, text, whole = text, messages } = guarded;
    if (!messages?.some(({ role }) => role === 'user')) return judgeAnswer(agon, prompt, whole, signal);
    const said = messages.map(({ role, content }) => ({ role, content: clean(content) }));
    const exchange = { messages: [...said, { role: 'assistant' as const, content: clean(whole) }] };
    return fromAnswer(await agon.evaluate(exchange, { signal }));
  }

  function complete(
    guarded: Guarded,
    judged: ReturnType<typeof fromAnswer> | ReturnType<typeof fromError>,
    how: Pick<GuardVerdict, 'by' | 'ms' | 'inBackground'>,
  ): GuardVerdict {
    const range = guarded.of === 'answer' ? (guarded.range ?? null) : null;
    return { of: guarded.of, ...judged, hit: isHit(judged, choices), range, ...how };
  }

  /** What the first verdict says stands where the debate fails, with the reason why there was none. */
  async function debateUnsure(first: GuardVerdict, guarded: Guarded, signal: AbortSignal, inBackground: boolean) {
    const started = performance.now();
    const how = () => ({ by: 'debate' as const, inBackground, ms: first.ms + performance.now() - started });
    try {
      return complete(guarded, await judgeByDebate(guarded, signal), how());
    } catch (error) {
      if (signal.aborted) throw error;
      const { error: failure } = fromError(error);
      const verdict = { ...first, error: failure, inBackground, ms: how().ms };
      return { ...verdict, hit: isHit(verdict, choices) };
    }
  }

  return {
    async judge(guarded, signal = closing.signal) {
      const started = performance.now();
      const how = () => ({ by: 'embedded' as const, inBackground: false, ms: performance.now() - started });
      try {
        return complete(guarded, await judgeAlone(guarded, signal), how());
      } catch (error) {
        if (signal.aborted) throw error;
        return complete(guarded, fromError(error), how());
      }
    },
    debateNow: async (guarded, verdict, signal = closing.signal) =>
      debate?.when === 'before' ? debateUnsure(verdict, guarded, signal, false) : verdict,
    debateLater(guarded, verdict, told) {
      if (debate?.when !== 'background') return;
      const debated = debateUnsure(verdict, guarded, closing.signal, true).then(
        (outcome) => {
          told?.(outcome);
          choices.onVerdict?.(outcome);
        },
        // Only closing the guard ends one without a verdict, and then nobody waits for it.
        () => undefined,
      );
      const kept: Promise<void> = debated.finally(() => later.delete(kept));
      later.add(kept);
    },
    hashPolicy: async () => (await openAlone()).policy.hash,
    async warm() {
      const agon = await openAlone();
      const text = 'What a lovely morning.';
      await Promise.all([agon.moderate(text), agon.evaluate({ prompt: text, response: text })]);
    },
    async close() {
      await Promise.all(later);
      closing.abort();
      await Promise.allSettled([...opened.values()].map(async (agon) => (await agon).close()));
    },
  };
}

/** What a model said without being asked is a text like any other. */
async function judgeAnswer(agon: GuardAgon, prompt: string, answer: string, signal: AbortSignal) {
  if (prompt.trim() === '') return fromAnswer(await agon.moderate(clean(answer), { signal }));
  return fromAnswer(await agon.evaluate({ prompt: clean(prompt), response: clean(answer) }, { signal }));
}

/** Half of a character and the null character are refused by the jobs, and are no reason to let the rest pass. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
