import { ownJobs } from '@agonhq/core/own-jobs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAgon, openLearning, type Learning } from '@agonhq/core/app';
import type { Content } from '@agonhq/judges/moderation';
import { openNewLedger } from './new-ledger.ts';
import type { Ledger } from '@agonhq/ledger';
import type { FakeProvider } from '../fake-provider/index.ts';
import { panelSettings, startFakePanel, type PanelRole, type PanelScript } from './fake-panel.ts';

/** A ledger in a file, a panel that finds everything safe unless told otherwise, and who learns from it. */
export interface Classroom {
  panel: FakeProvider & { roles(): PanelRole[] };
  ledger: Ledger;
  learning: Learning;
  /** Judges and says the case's id. */
  judge(content: string | Content): Promise<string>;
  /** How often a role was asked. */
  asked(role: PanelRole): number;
  close(): Promise<void>;
}

export async function openClassroom(script: PanelScript = {}, moderation: object = {}): Promise<Classroom> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-classroom-'));
  const environment = { AGON_HOME: folder, AGON_SECRET: 'a secret of thirty-two characters or more' };
  const panel = await startFakePanel(script);
  const ledger = await openNewLedger(path.join(folder, 'ledger.sqlite'));
  const settings = panelSettings(panel);
  const agon = await createAgon(
    { ...settings, moderation: { without: ['retrieval'], ...moderation } },
    { ledger, environment, only: ['moderation'] },
  );
  return {
    panel,
    ledger,
    learning: await openLearning(ownJobs, settings, ledger, environment),
    judge: async (content) => (await agon.moderate(content)).id,
    asked: (role) => panel.roles().filter((name) => name === role).length,
    async close() {
      await agon.close();
      await ledger.close();
      await panel.close();
    },
  };
}
