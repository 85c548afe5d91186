import type { Embedder, KeptPrecedent } from '@agonhq/models/precedents';

/** A precedent with what a test says about it. */
export function precedent(id: string, given: Partial<KeptPrecedent> = {}): KeptPrecedent {
  return {
    id,
    label: 'unsafe',
    category: 'violence',
    clause: 'violence.plan',
    summary: `Summary of ${id}.`,
    cues: [`cue of ${id}`],
    why: `Why of ${id}.`,
    text: `text of ${id}`,
    policy: null,
    provenance: { kind: 'learnt' },
    confirmedBy: 'a person',
    state: 'active',
    overruledBy: null,
    expiresAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...given,
  };
}

/** Embeds a text as how often it uses each of these words: alike texts are those that share them. */
export function wordEmbedder(vocabulary: readonly string[], model = 'words:1'): Embedder & { asked: string[] } {
  const asked: string[] = [];
  return {
    model,
    dimensions: vocabulary.length + 1,
    asked,
    background: 0,
    leastSimilarity: 0.5,
    async embed(text) {
      asked.push(text);
      const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
      return Float32Array.from([...vocabulary.map((word) => words.filter((other) => other === word).length), 0.01]);
    },
  };
}
