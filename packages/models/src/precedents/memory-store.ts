import { hashOf } from '@agonhq/engine/hash';
import type { KeptPrecedent, PrecedentStore } from './precedent.ts';

/** A store that lasts as long as the process: for experiments from an empty library, and for tests. */
export function memoryPrecedentStore(kept: readonly KeptPrecedent[] = []): PrecedentStore {
  const precedents = new Map(kept.map((precedent) => [precedent.id, precedent]));
  const vectors = new Map<string, Map<string, Float32Array>>();
  let changes = 0;
  // The same steps lead to the same version, so that an experiment can be resumed.
  const version = () => hashOf([changes, [...precedents.values()].map(({ id, state }) => [id, state])]);
  const keep = (given: readonly KeptPrecedent[]) => {
    for (const precedent of given) precedents.set(precedent.id, precedent);
    changes += 1;
  };
  return {
    keepPrecedents: async (given) => keep(given),
    async keepPrecedentsIf(expected, given) {
      if (version() !== expected) return null;
      keep(given);
      return version();
    },
    findPrecedent: async (id) => precedents.get(id),
    async *listPrecedents({ after, state, category, label } = {}) {
      const wanted = Object.entries({ state, category, label }).filter(([, value]) => value !== undefined) as [
        keyof KeptPrecedent,
        unknown,
      ][];
      const all =
        after === undefined
          ? precedents.values()
          : [...precedents.values()].filter(({ id }) => id > after).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      for (const precedent of all) if (wanted.every(([field, value]) => precedent[field] === value)) yield precedent;
    },
    findKnownIds: async (ids) => new Set(ids.filter((id) => precedents.has(id))),
    readVersion: async () => version(),
    async readVectors(model, ids) {
      const all = vectors.get(model) ?? new Map<string, Float32Array>();
      return ids ? new Map(ids.flatMap((id) => (all.has(id) ? [[id, all.get(id)!]] : []))) : new Map(all);
    },
    async keepVectors(model, given) {
      const all = vectors.get(model) ?? new Map<string, Float32Array>();
      for (const [id, vector] of given) all.set(id, vector);
      vectors.set(model, all);
    },
  };
}
