import { setTimeout as pause } from 'node:timers/promises';
import { AgonError, reviveError } from '@agonhq/engine/agon-error';
import { readJsonValue, renameValue } from '@agonhq/engine/items';
import type { ItemResult, NewRunItem } from '@agonhq/ledger';
import { createItemReader, type RunReading } from '../input/index.ts';
import { countUnheardAtMost, isMistake, mayPass, modelsAwayError } from '../mistakes.ts';
import { describeUnforeseen } from '../run-items.ts';
import { openJudge, type RunJudgeOptions } from './open-judge.ts';
import type { RunPlan } from './run-plan.ts';

/** Who judges the items of a stream, each by itself: they are not loaded into a run. */
export interface StreamJudge {
  /** Judges an item as it is written. Throws what would befall every item, and what an abort breaks off. */
  judge(
    place: number,
    text: string,
    signal: AbortSignal,
  ): Promise<{ key: string } & ({ outcome: ItemResult } | { error: AgonError })>;
  close(): Promise<void>;
}

const firstPauseMs = 500;

/**
 * Judges as a run of this plan would; what fails in passing is tried again, and what goes on failing ends the stream.
 */
export async function openStreamJudge(
  plan: RunPlan & { reading: RunReading & { root: string } },
  options: Omit<RunJudgeOptions, 'run'> & { concurrency: number },
): Promise<StreamJudge> {
  const { jobs, ledger, concurrency } = options;
  const job = jobs.require(plan.job);
  const { items } = job;
  const { map = {} } = plan.reading;
  const attachments = ledger?.kind === 'postgresql' ? { attachments: ledger.attachments } : {};
  const readItem = createItemReader(job, { ...plan.reading, ...attachments });
  const judge = await openJudge(plan, { ...options, run: null });
  let unheard = 0;

  function read(place: number, text: string): Promise<NewRunItem> {
    const found = readJsonValue(place, text, { example: items.example, bare: items.bareText ?? false });
    return readItem('value' in found ? { ...found, value: renameValue(found.value, map) } : found);
  }

  async function tryToJudge({ input }: NewRunItem, signal: AbortSignal): Promise<ItemResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { result, decided } = await judge.judge({ input, attempts: attempt - 1 }, signal);
        unheard = 0;
        return decided ? await judge.keep(decided) : result;
      } catch (error) {
        signal.throwIfAborted();
        const known = AgonError.is(error) ? error : describeUnforeseen(error);
        if (known.code === 'nobody-heard' && (unheard += 1) >= countUnheardAtMost(concurrency))
          throw modelsAwayError(unheard);
        if (attempt >= plan.attempts || !mayPass(known)) throw known;
        await pause(firstPauseMs * 2 ** (attempt - 1), undefined, { signal });
      }
    }
  }

  return {
    async judge(place, text, signal) {
      const item = await read(place, text);
      const { key } = item;
      if (item.error) return { key, error: reviveError(item.error) };
      try {
        return { key, outcome: await tryToJudge(item, signal) };
      } catch (error) {
        if (!AgonError.is(error) || isMistake(error) || error.code === 'models-away') throw error;
        return { key, error };
      }
    },
    close: () => judge.close(),
  };
}
