import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '@agonhq/engine/policy';
import { scriptedReasoner } from '@agonhq/test/support/scripted.ts';
import type { ModerationSetup } from './moderate.ts';
import { buildModerationProvenance, listShownShots } from './provenance.ts';

const policy = await defaultPolicy();
const reasonerOf = (id: string, more: object = {}) => ({
  ...scriptedReasoner(),
  id,
  fingerprint: `print of ${id}`,
  ...more,
});
const plan: ModerationSetup['plan'] = {
  rounds: 2,
  turns: 'together',
  earlyStop: true,
  without: [],
  precedents: 3,
};
const seated = (change: object = {}) => ({
  supporter: reasonerOf('a'),
  'strict-debater': reasonerOf('b'),
  'loose-debater': reasonerOf('c'),
  arbiter: reasonerOf('d'),
  judge: reasonerOf('e'),
  ...change,
});

function provenanceOf(change: object = {}) {
  const setup = {
    policy,
    plan: { ...plan },
    reasoners: seated(),
    vision: null,
    ocr: false,
    observations: 'auto',
    context: [],
    calibration: null,
    library: { version: 'library-1' },
    version: '9.9.9',
    ...change,
  };
  return buildModerationProvenance(setup as unknown as ModerationSetup);
}

const curve = { a: 1, b: 0, band: null };
const shots = [{ text: 'An example.', label: 'unsafe', clauses: [], why: 'So.' }];

test('an answer says by whom, by which rules and words it was made', () => {
  expect(provenanceOf({ vision: reasonerOf('eye') })).toMatchObject({
    agon: '9.9.9',
    protocol: 'supporter, 2 rounds together with early stop, arbiter',
    policy: { name: policy.name, version: policy.version, hash: policy.hash },
    models: { preprocessor: 'eye', supporter: 'a', 'strict-debater': 'b', 'loose-debater': 'c', arbiter: 'd' },
    precedents: 'library-1',
  });
  expect('method' in provenanceOf()).toBe(false);
  expect(provenanceOf({ plan: { ...plan, method: 'vote' } })).toMatchObject({
    method: 'vote',
    models: { 'vote#1': 'a', 'vote#4': 'd' },
    precedents: null,
  });
});

describe('a configuration', () => {
  const changes: Record<string, object> = {
    'the usual': {},
    'another policy': { policy: { ...policy, hash: 'sha256:other' } },
    'more rounds': { plan: { ...plan, rounds: 3 } },
    'turns one after the other': { plan: { ...plan, turns: 'alternate' } },
    'no early stop': { plan: { ...plan, earlyStop: false } },
    'without a supporter': { plan: { ...plan, without: ['supporter'] } },
    'more precedents': { plan: { ...plan, precedents: 4 } },
    'another method': { plan: { ...plan, method: 'vote' } },
    'another method of one judge': { plan: { ...plan, method: 'judge' } },
    'another arbiter': { reasoners: seated({ arbiter: reasonerOf('x') }) },
    'another reasoner by the same name': { reasoners: seated({ arbiter: reasonerOf('d', { fingerprint: 'other' }) }) },
    'two reasoners in each other’s seats': {
      reasoners: seated({ 'strict-debater': reasonerOf('c'), 'loose-debater': reasonerOf('b') }),
    },
    'somebody who describes images': { vision: reasonerOf('eye') },
    'somebody else who does': { vision: reasonerOf('lens') },
    'letters that are read off images': { ocr: true },
    'image models that always look': { observations: 'always' },
    'image models that never look': { observations: 'never' },
    'a member of the context that is shown': { context: ['author'] },
    'two members': { context: ['author', 'channel'] },
    'examples for the judge': { plan: { ...plan, method: 'judge' }, shots },
  };

  test('is another wherever something else could be said, and the same for the same', () => {
    const made = Object.entries(changes).map(([what, change]) => [what, provenanceOf(change)] as const);
    for (const hash of ['configuration', 'setup'] as const) {
      const known = new Map<string, string>();
      for (const [what, provenance] of made) {
        expect(known.get(provenance[hash]!), what).toBeUndefined();
        known.set(provenance[hash]!, what);
      }
      for (const [what, change] of Object.entries(changes)) expect(known.get(provenanceOf(change)[hash]!)).toBe(what);
    }
  });

  test('is another for the same plan, whichever of its other parts changes', () => {
    // What was hashed last of a plan is kept: it must not be taken for what is asked now.
    const same = { plan: { ...plan } };
    const parts = [
      {},
      { ocr: true },
      { observations: 'always' },
      { context: ['author'] },
      { vision: reasonerOf('eye') },
      { policy: { ...policy, hash: 'sha256:other' } },
      { library: { version: 'library-2' } },
      { reasoners: seated({ arbiter: reasonerOf('x') }) },
      {},
    ];
    const hashes = parts.map((part) => provenanceOf({ ...same, ...part }).configuration);
    expect(hashes.at(-1)).toBe(hashes[0]);
    expect(new Set(hashes).size).toBe(parts.length - 1);
  });

  test('has the precedents in it, and a setup has not: a calibration outlives what people confirm', () => {
    const [before, after] = ['1', '2'].map((version) => provenanceOf({ library: { version } }));
    expect(after!.configuration).not.toBe(before!.configuration);
    expect(after!.setup).toBe(before!.setup);
  });

  test('is the same in whatever order members of the context are named, and with seats that nobody asks', () => {
    const hashOf = (change: object) => provenanceOf(change).configuration;
    expect(hashOf({ context: ['b', 'a'] })).toBe(hashOf({ context: ['a', 'b'] }));
    expect(hashOf({ reasoners: seated({ judge: reasonerOf('x') }) })).toBe(hashOf({}));
    expect(hashOf({ shots })).toBe(hashOf({}));
  });
});

test('examples are shown to one judge alone', () => {
  const shown = (method?: string) => listShownShots({ plan: { ...plan, method }, shots } as never);
  expect([shown(), shown('vote'), shown('judge')]).toEqual([[], [], shots]);
});

describe('a calibration', () => {
  const own = reasonerOf('d', { calibrations: { moderation: curve }, sensitivity: 'high' });
  test('is that of whose score it is: of the arbiter in a debate, of the judge alone, and of nobody among voters', () => {
    const judged = { ...plan, method: 'judge' };
    expect(provenanceOf({ reasoners: seated({ arbiter: own }) })).toMatchObject({ calibration: curve });
    expect(provenanceOf({ reasoners: seated({ judge: own }) }).calibration).toBeUndefined();
    expect(provenanceOf({ plan: judged, reasoners: seated({ judge: own }) })).toMatchObject({ calibration: curve });
    expect(
      provenanceOf({ plan: { ...plan, method: 'vote' }, reasoners: seated({ arbiter: own }) }).calibration,
    ).toBeUndefined();
  });

  test('that was set holds for the setup that it was fitted on, and is refused for any other', () => {
    const { setup } = provenanceOf();
    const fitted = { ...curve, a: 2, configuration: setup };
    expect(provenanceOf({ calibration: fitted, library: { version: '2' } })).toMatchObject({
      calibration: { ...curve, a: 2 },
    });
    expect(() => provenanceOf({ calibration: fitted, ocr: true })).toThrow(
      expect.objectContaining({ code: 'calibration-mismatch' }),
    );
    const digested = { reasoners: seated({ arbiter: reasonerOf('d', { fingerprint: 'new', digest: 'new' }) }) };
    expect(() => provenanceOf({ calibration: { ...fitted, digests: { d: 'old' } }, ...digested })).toThrow(
      expect.objectContaining({ message: expect.stringContaining('d (old), and this Agon has d (new)') }),
    );
  });
});
