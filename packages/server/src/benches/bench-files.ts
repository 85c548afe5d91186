import { access, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { policyOnRecord, type Policy } from '@agonhq/engine/policy';
import { lockOutput } from '@agonhq/core/runs';
import { sensitivitySchema } from '@agonhq/engine/policy/sensitivity';
import type { UploadedFile } from '../http/read-upload.ts';
import { createUniqueNames } from '../http/upload-storage.ts';

const renaming = z.record(z.string(), z.string());

/** A bench as it was asked for: all that it takes to go on with it. */
const orderSchema = z.object({
  job: z.string(),
  title: z.string(),
  /** The name of the data among its files. */
  data: z.string(),
  systems: z.array(z.string()),
  format: z.string().optional(),
  map: renaming.optional(),
  labels: renaming.optional(),
  limit: z.number().optional(),
  repeats: z.number(),
  seed: z.number(),
  budgetUsd: z.number().optional(),
  sensitivity: sensitivitySchema.optional(),
  seats: renaming.optional(),
  /** The policy that was in force, or was asked for; none where the job has none. */
  policy: z.unknown().optional(),
});
export type BenchOrder = Omit<z.infer<typeof orderSchema>, 'policy'> & { policy?: Policy };

/** How long files are kept for a bench that may be gone on with. */
const keptMs = 7 * 24 * 3_600_000;

/** The files of the benches that this server was given, each bench's in a folder of its own. */
export async function openBenchFiles(folder: string) {
  const benches = path.join(folder, 'benches');
  await mkdir(benches, { recursive: true, mode: 0o700 });
  const folderOf = (id: string) => path.join(benches, path.basename(id));
  const orderOf = (id: string) => path.join(folderOf(id), 'order.json');
  const dataFolder = (id: string) => path.join(folderOf(id), 'files');

  async function drop(id: string): Promise<void> {
    await rm(folderOf(id), { recursive: true, force: true });
  }

  return {
    drop,
    /** Where the data lies; what its items name is looked for beside it, and nowhere else. */
    fileOf: (id: string, name: string) => path.join(dataFolder(id), path.basename(name)),

    /** Takes the files of a request over; returns what the data is called. */
    async keep(id: string, [data, ...others]: readonly UploadedFile[]): Promise<string> {
      await mkdir(dataFolder(id), { recursive: true, mode: 0o700 });
      const unique = createUniqueNames();
      const name = unique(data!.name);
      await rename(data!.path, path.join(dataFolder(id), name));
      for (const file of others) await rename(file.path, path.join(dataFolder(id), unique(file.name)));
      return name;
    },

    /** Gives the files of an order to the bench that it became. */
    async settle(from: string, id: string, order: BenchOrder): Promise<void> {
      await writeFile(orderOf(from), JSON.stringify(order), { mode: 0o600 });
      await drop(id);
      await rename(folderOf(from), folderOf(id));
    },

    /** For an estimate: a text as a file. */
    async keepText(id: string, name: string, text: string): Promise<string> {
      const file = path.join(dataFolder(id), name);
      await writeFile(file, text, { mode: 0o600 });
      return file;
    },

    hasOrder: (id: string) =>
      access(orderOf(id)).then(
        () => true,
        () => false,
      ),

    async readOrder(id: string): Promise<BenchOrder> {
      const text = await readFile(orderOf(id), 'utf8').catch((error: unknown) => {
        throw new AgonError(
          'missing-input',
          `This server does not have the data of bench ${id}.`,
          'Run it again where it was started (agon bench), or send the same data and settings again.',
          { cause: error },
        );
      });
      const { policy, ...order } = orderSchema.parse(JSON.parse(text));
      return { ...order, ...(policy === undefined ? {} : { policy: policyOnRecord(policy) }) };
    },

    listOrders: async () => (await readdir(benches)).filter((name) => !name.endsWith('.lock') && !name.includes('~')),

    lock: (id: string) =>
      lockOutput(folderOf(id)).catch((error: unknown) => {
        if (!AgonError.is(error)) throw error;
        throw alreadyRunning(id, error);
      }),

    /** Files are known by their names: where they lie is nobody's business. */
    hideFolder: (text: string) =>
      text
        .replaceAll(new RegExp(`${escapePattern(benches)}/[^/\\s"']+(?:/files)?/`, 'g'), '')
        .replaceAll(benches, 'the upload'),

    /** Drops what no bench needs any more. */
    async sweep(): Promise<void> {
      for (const name of await readdir(benches)) {
        const made = await stat(path.join(benches, name));
        if (!made.isDirectory() || Date.now() - made.mtimeMs < keptMs) continue;
        const unlock = await lockOutput(path.join(benches, name)).catch(() => null);
        if (!unlock) continue;
        await drop(name);
        await unlock();
      }
    },
  };
}

export function alreadyRunning(id: string, cause?: unknown): AgonError {
  return new AgonError(
    'running-bench',
    `The bench ${id} is already being worked on.`,
    `Look at it: GET /api/benches/${id}.`,
    { cause },
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
