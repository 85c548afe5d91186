import { expect, test } from 'vitest';
import { scriptedReasoner } from '@agonhq/test/support/scripted.ts';
import { defaultDocumentPlan, type DocumentPlan } from './plan.ts';
import { buildDocumentsProvenance } from './provenance.ts';
import { conductOptions } from './session.ts';
import type { AnalysisSetup } from './setup.ts';

const reasonerOf = (id: string, more: object = {}) => ({
  ...scriptedReasoner(),
  id,
  fingerprint: `print of ${id}`,
  ...more,
});
const seated = (change: object = {}) => ({
  'factor-agent': reasonerOf('a'),
  affirmative: reasonerOf('b'),
  dissenting: reasonerOf('c', { digest: 'c-1' }),
  synthesizer: reasonerOf('d'),
  ...change,
});
const provenanceOf = (change: object = {}) =>
  buildDocumentsProvenance({
    plan: defaultDocumentPlan,
    reasoners: seated(),
    embed: null,
    version: '9.9.9',
    ...change,
  } as unknown as AnalysisSetup);
const planned = (change: Partial<DocumentPlan>) => ({ plan: { ...defaultDocumentPlan, ...change } });

test('a configuration is another wherever something else could be said, and the same for the same', () => {
  const { temperature, retrieval } = defaultDocumentPlan;
  const changes: Record<string, object> = {
    'the usual': {},
    'fewer claims': planned({ maxFactors: 11 }),
    'a warmer debate': planned({ temperature: { ...temperature, debate: 0.8 } }),
    'a warmer factor agent': planned({ temperature: { ...temperature, factors: 0.1 } }),
    'a warmer synthesis': planned({ temperature: { ...temperature, synthesis: 0.1 } }),
    'more blocks': planned({ retrieval: { ...retrieval, blocks: 17 } }),
    'more characters': planned({ retrieval: { ...retrieval, characters: 9 } }),
    'shorter parts': planned({ chunkCharacters: 9 }),
    'one check': planned({ method: 'single' }),
    'the whole dossier at once': planned({ method: 'zero-shot' }),
    votes: planned({ method: 'vote' }),
    'a search by meaning': { embed: async () => new Float32Array(1) },
    corrections: { corrections: { version: 'sha256:1', corrections: [] } },
    'other corrections': { corrections: { version: 'sha256:2', corrections: [] } },
    'another dissent': { reasoners: seated({ dissenting: reasonerOf('x') }) },
    'two in each other’s seats': { reasoners: seated({ affirmative: reasonerOf('c'), dissenting: reasonerOf('b') }) },
  };
  const known = new Map<string, string>();
  for (const [what, change] of Object.entries(changes)) {
    const { configuration } = provenanceOf(change);
    expect(known.get(configuration), what).toBeUndefined();
    known.set(configuration, what);
  }
  const usual = [
    planned({ concurrency: 9 }),
    { corrections: { version: null, corrections: [] } },
    { reasoners: seated({ affirmative: reasonerOf('b', { id: 'other' }) }) },
  ];
  for (const change of usual) expect(known.get(provenanceOf(change).configuration)).toBe('the usual');
  const seats = { reasoners: seated({ affirmative: reasonerOf('x') }) };
  expect(known.get(provenanceOf({ ...planned({ method: 'single' }), ...seats }).configuration)).toBe('one check');
});

test('an analysis says by whom and by which rules it was made', () => {
  expect(provenanceOf({ corrections: { version: 'sha256:1', corrections: [] } })).toMatchObject({
    agon: '9.9.9',
    policy: { name: 'documents' },
    models: { 'factor-agent': 'a', affirmative: 'b', dissenting: 'c', synthesizer: 'd' },
    digests: { c: 'c-1' },
    precedents: 'sha256:1',
    edition: 1,
    plan: defaultDocumentPlan,
  });
  expect(provenanceOf(planned({ method: 'control' })).models).toEqual({ 'factor-agent': 'a', synthesizer: 'd' });
});

test('every debate of an analysis has its id, journal, signal and manner', () => {
  const { signal } = new AbortController();
  const journal = { find: async () => null };
  const session = { debate: 'd', setup: { journal }, options: { signal, stream: true } };
  expect(conductOptions(session as never)).toMatchObject({ debate: 'd', journal, signal, stream: true });
});
