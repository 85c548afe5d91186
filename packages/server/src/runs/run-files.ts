import type { InputFormat } from '@agonhq/engine/items';
import type { Jobs } from '@agonhq/judges/job';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ledger, RunRow } from '@agonhq/ledger';
import {
  lockOutput,
  openRunItems,
  parseRunReading,
  type RunItems,
  type RunPlan,
  type RunReading,
} from '@agonhq/core/runs';
import { createUniqueNames } from '../http/upload-storage.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { RunOrder } from './server-runs.ts';

/** The files of the runs that this server was given, each run's in a folder of its own. */
export interface RunFiles {
  /** Takes the files of a request over; returns where the input is. Items find the others beside it, by name. */
  keep(run: string, files: readonly UploadedFile[], format: InputFormat | undefined): Promise<string>;
  /** The folder of a run: what its items name is looked for there, and nowhere else. */
  folderOf(run: string): string;
  /** Whether the input of a run was sent to this server, and still lies here. */
  hasInput(run: RunRow): Promise<boolean>;
  /** Throws where the input was not read to its end, and does not lie here. */
  assertInput(run: RunRow): Promise<void>;
  /** The rest of the input; null when the ledger has all of it. */
  openItems(ledger: Ledger, run: RunRow, plan: RunPlan): Promise<RunItems | null>;
  drop(run: string): Promise<void>;
  /** For whoever works on the run: no other server on this machine does. Rejects when one does. */
  lock(run: string): Promise<() => Promise<void>>;
  /** Drops what no run needs any more. */
  sweep(ledger: Ledger): Promise<void>;
}

/** How long files are kept for a run that may be gone on with, or whose failed items may be tried again. */
const keptMs = 7 * 24 * 3_600_000;

export async function openRunFiles(jobs: Jobs, folder: string): Promise<RunFiles> {
  const runs = path.join(folder, 'runs');
  await mkdir(runs, { recursive: true, mode: 0o700 });
  const folderOf = (run: string) => path.join(runs, path.basename(run));

  async function drop(run: string): Promise<void> {
    await rm(folderOf(run), { recursive: true, force: true });
  }

  async function hasInput({ id, input }: RunRow): Promise<boolean> {
    if (input === null || path.dirname(input) !== folderOf(id)) return false;
    return access(input).then(
      () => true,
      () => false,
    );
  }

  async function assertInput(run: RunRow): Promise<void> {
    if (run.total !== null || (await hasInput(run))) return;
    throw new AgonError(
      'missing-input',
      `The input of ${run.id} was not read to its end, and this server does not have it.`,
      'Resume the run where it was started (agon runs resume), or send the input again as a new run.',
    );
  }

  return {
    folderOf,
    drop,
    hasInput,
    assertInput,
    async openItems(ledger, run, { job, reading }) {
      if (run.total !== null) return null;
      await assertInput(run);
      // A row says nothing about where to look: its files are in its folder.
      return openRunItems(ledger, jobs.require(job), run.input!, {
        ...parseRunReading(reading),
        root: folderOf(run.id),
      });
    },
    async keep(run, [input, ...others], format) {
      const place = folderOf(run);
      await mkdir(place, { mode: 0o700 });
      const unique = createUniqueNames();
      const kept = path.join(place, unique(inputName(input!.name, format)));
      await rename(input!.path, kept);
      for (const file of others) await rename(file.path, path.join(place, unique(file.name)));
      return kept;
    },
    lock: (run) =>
      lockOutput(folderOf(run)).catch((error: unknown) => {
        if (!AgonError.is(error)) throw error;
        throw new AgonError(
          'running-run',
          `The run ${run} is already being worked on.`,
          `Listen to it: GET /api/runs/${run}/events.`,
          { cause: error },
        );
      }),
    async sweep(ledger) {
      for (const name of await readdir(runs)) {
        const made = await stat(path.join(runs, name));
        if (!made.isDirectory() || Date.now() - made.mtimeMs < keptMs) continue;
        const run = await ledger.runs.findRun(name);
        // Another server on this machine may keep another ledger.
        const unlock = await lockOutput(path.join(runs, name)).catch(() => null);
        if (!unlock) continue;
        if (run?.state !== 'running') await drop(name);
        await unlock();
      }
    },
  };
}

/** The end of a name says how a file is read; where the request says it, the name says the same. */
function inputName(name: string, format: InputFormat | undefined): string {
  return format === undefined || path.extname(name).toLowerCase() === `.${format}` ? name : `${name}.${format}`;
}

/** How the input of a new run is read; what it calls fields and labels must mean something. */
export function readOrder(jobs: Jobs, { job, format, map, labels }: RunOrder, root: string): RunReading {
  const {
    labels: verdicts,
    items: { fields },
  } = jobs.require(job);
  const unknown = Object.keys(map ?? {}).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw new AgonError(
      'bad-request',
      `map: an item has no field ${JSON.stringify(unknown)}.`,
      `Fields are ${fields.join(', ')}; what the input calls them is the value.`,
    );
  const wrong = Object.entries(labels ?? {}).find(([, label]) => !verdicts.includes(label));
  if (wrong)
    throw new AgonError(
      'bad-request',
      `labels: ${JSON.stringify(wrong[0])} cannot mean ${JSON.stringify(wrong[1])}.`,
      `A label means ${verdicts.join(', ')}.`,
    );
  return { root, ...(format ? { format } : {}), ...(map ? { map } : {}), ...(labels ? { labels } : {}) };
}
