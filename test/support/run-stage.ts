import { moderationJob } from '@agonhq/judges/moderation';
import { ownJobs } from '@agonhq/core/own-jobs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAgon } from '@agonhq/core/app';
import { hashOf } from '@agonhq/engine/hash';
import type { Ledger, NewRunItem, RunRow } from '@agonhq/ledger';
import { conductRun, planRun, startRun, type ConductRunOptions } from '@agonhq/core/runs';
import { mergeSettings, type Settings } from '@agonhq/core/settings';
import { openNewLedger } from './new-ledger.ts';
import type { FakeProvider } from '../fake-provider/index.ts';
import { panelSettings, startFakePanel, type PanelScript } from './fake-panel.ts';

/** A ledger in a file, a fake panel, and runs of moderation over them. */
export interface RunStage extends AsyncDisposable {
  panel: FakeProvider;
  ledger: Ledger;
  /** A new run, not begun. */
  newRun(settings?: Settings, attempts?: number): Promise<RunRow>;
  conduct(
    run: RunRow,
    items: readonly NewRunItem[] | null,
    options?: Partial<ConductRunOptions>,
  ): ReturnType<typeof conductRun>;
}

const environment = { AGON_SECRET: 'for tests only, thirty-two characters' };

export async function openRunStage(script: PanelScript = {}, always: Settings = {}): Promise<RunStage> {
  const panel = await startFakePanel(script);
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-run-'));
  const ledger = await openNewLedger(path.join(folder, 'ledger.sqlite'));
  const base = mergeSettings(
    panelSettings(panel),
    { moderation: { rounds: 1, without: ['retrieval', 'supporter'] } },
    always,
  );
  return {
    panel,
    ledger,
    async newRun(more = {}, attempts) {
      const settings = mergeSettings(base, more);
      const agon = await createAgon(settings, { only: ['moderation'], environment, ledger });
      const plan = await planRun({
        job: 'moderation',
        settings,
        agon,
        environment,
        ...(attempts === undefined ? {} : { attempts }),
      });
      return startRun(ledger, {
        input: 'items.jsonl',
        plan,
        configuration: agon.provenanceOf(moderationJob).configuration,
      });
    },
    conduct: (run, items, options = {}) =>
      conductRun({
        jobs: ownJobs,
        ledger,
        run,
        own: { providers: base.providers! },
        environment,
        items: items && fromList(items),
        concurrency: 8,
        ...options,
      }),
    async [Symbol.asyncDispose]() {
      await ledger.close();
      await panel.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function* fromList(items: readonly NewRunItem[]) {
  yield* items;
}

export function textItem(position: number, text = `A short note, number ${position}.`): NewRunItem {
  return { position, key: `item-${position}`, hash: hashOf({ text }), input: { text } };
}

export const textItems = (count: number) => Array.from({ length: count }, (_, index) => textItem(index + 1));
