import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { hashOf } from '@agonhq/engine/hash';
import { requireVectorSearch } from '../model-runtime.ts';
import type { VectorSearch } from './vector-search.ts';

/** M, efConstruction and ef of HNSW: measured by `npm run bench:precedents`. */
const graph = { connectivity: 16, expansion_add: 128, expansion_search: 384 } as const;

/** Between so many additions whoever waits has a turn. */
const additionsAtOnce = 64;

/** The index knows positions; the manifest says whose they are. */
const manifestSchema = z.object({
  version: z.literal(1),
  model: z.string(),
  dimensions: z.int(),
  graph: z.string(),
  file: z.string(),
  bytes: z.int(),
  ids: z.array(z.string()),
});
type Manifest = z.infer<typeof manifestSchema>;

/** An index of nearest neighbours in half precision: it finds nearly all of them, and looks at few vectors for it. */
export interface VectorIndex extends VectorSearch {
  readonly ids: readonly string[];
  save(folder: string, model: string): Promise<void>;
}

/** An index that is being built: what was added is found. */
export interface GrowingIndex extends VectorIndex {
  /**
   * Adds vectors. The process stays responsive meanwhile, and may end before it is done: a short command does not
   * wait for it.
   */
  add(vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

export function beginIndex(dimensions: number): GrowingIndex {
  const index = emptyIndex(dimensions);
  const ids: string[] = [];
  const grown = searchable(index, ids);
  return {
    ...grown,
    get size() {
      return ids.length;
    },
    async add(vectors) {
      const fitting = [...vectors].filter(([, vector]) => vector.length === dimensions);
      for (let at = 0; at < fitting.length; at += additionsAtOnce) {
        const lot = fitting.slice(at, at + additionsAtOnce);
        const block = new Float32Array(lot.length * dimensions);
        for (const [row, [, vector]] of lot.entries()) block.set(vector, row * dimensions);
        index.add(
          BigUint64Array.from(lot, (_, offset) => BigInt(ids.length + offset)),
          block,
          0,
        );
        ids.push(...lot.map(([id]) => id));
        await setTimeout(1, undefined, { ref: false });
      }
    },
  };
}

/** The index of a model that was saved in a folder; undefined when there is none that can be used. */
export async function loadIndex(folder: string, model: string): Promise<VectorIndex | undefined> {
  const json = await readFile(manifestFile(folder, model), 'utf8').catch(() => undefined);
  const manifest = json === undefined ? undefined : manifestSchema.safeParse(parsed(json)).data;
  if (manifest?.model !== model || manifest.graph !== JSON.stringify(graph)) return undefined;
  const file = join(folder, manifest.file);
  // A file that was cut short would be read past its end.
  if ((await stat(file).catch(() => undefined))?.size !== manifest.bytes) return undefined;
  const index = emptyIndex(manifest.dimensions);
  index.load(file);
  return index.size() === manifest.ids.length ? searchable(index, manifest.ids) : undefined;
}

type Index = import('usearch').Index;

function emptyIndex(dimensions: number): Index {
  const { Index: Graph, MetricKind, ScalarKind } = requireVectorSearch();
  return new Graph({ dimensions, metric: MetricKind.IP, quantization: ScalarKind.F16, ...graph, multi: false });
}

function searchable(index: Index, ids: readonly string[]): VectorIndex {
  return {
    ids,
    size: ids.length,
    nearest(wanted, limit, least) {
      if (ids.length === 0) return [];
      const { keys, distances } = index.search(wanted, Math.min(limit, ids.length), 1);
      return Array.from(keys, (key, rank) => ({ id: ids[Number(key)]!, similarity: 1 - distances[rank]! })).filter(
        ({ similarity }) => similarity >= least,
      );
    },
    save: (folder, model) => saveIndex(index, ids, folder, model),
  };
}

/** The manifest is renamed into its place last: until then the index before it counts. */
async function saveIndex(index: Index, ids: readonly string[], folder: string, model: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const name = nameOf(model);
  const file = `${name}-${hashOf(ids).slice(7, 23)}.usearch`;
  const temporary = join(folder, `${file}.${process.pid}.tmp`);
  index.save(temporary);
  await rename(temporary, join(folder, file));
  const { size: bytes } = await stat(join(folder, file));
  const manifest: Manifest = {
    version: 1,
    model,
    dimensions: index.dimensions(),
    graph: JSON.stringify(graph),
    file,
    bytes,
    ids: [...ids],
  };
  await writeFile(`${temporary}.json`, JSON.stringify(manifest));
  await rename(`${temporary}.json`, manifestFile(folder, model));
  const older = (await readdir(folder)).filter(
    (entry) => entry.startsWith(`${name}-`) && entry.endsWith('.usearch') && entry !== file,
  );
  await Promise.all(older.map((entry) => rm(join(folder, entry), { force: true })));
}

function manifestFile(folder: string, model: string): string {
  return join(folder, `${nameOf(model)}.json`);
}

function nameOf(model: string): string {
  return `precedents-${hashOf(model).slice(7, 15)}`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
