import { describe, expect, test } from 'vitest';
import type { SightView } from '../sight.ts';
import { describeScene, keepWhatMatters } from './describe-scene.ts';
import { judgeNudity } from './judge-nudity.ts';
import { locateClass, nameObjects } from './name-objects.ts';
import { loadObjectTable } from './object-table.ts';

const table = await loadObjectTable();
const whole = { x: 0, y: 0, width: 1, height: 1 };

/** A look at something, by probabilities of words and of kinds of picture. */
function view(objects: Record<string, number>, nudity = [0.02, 0.01, 0.95, 0.01, 0.01]): SightView {
  const probabilities = new Float32Array(1000);
  for (const [word, probability] of Object.entries(objects)) probabilities[table.words.indexOf(word)] = probability;
  return {
    place: whole,
    objects: probabilities,
    map: { values: new Float32Array(1000 * 4), columns: 2, rows: 2 },
    nudity: Float32Array.from(nudity),
  };
}

describe('things are named', () => {
  test('by their word where it is likely, with the clauses that they may matter to', () => {
    const [gun] = nameObjects([view({ assault_rifle: 0.9 })], table);
    expect(gun).toMatchObject({
      named: 'an assault rifle',
      kind: 'gun',
      clauses: expect.arrayContaining(['weapons.get']),
    });
    expect(gun!.probability).toBeCloseTo(0.9, 5);
  });

  test('by their kind where several words share a small probability', () => {
    const named = nameObjects([view({ revolver: 0.02, holster: 0.02, tabby: 0.1 })], table);
    expect(named.map(({ named: name }) => name)).toEqual(['a gun']);
  });

  test('not on a page of text, unless they are likely', () => {
    expect(nameObjects([view({ cleaver: 0.05 })], table, { isPage: true })).toEqual([]);
    expect(nameObjects([view({ cleaver: 0.5 })], table, { isPage: true })).toMatchObject([{ kind: 'knife' }]);
  });

  test('when no table lists them, from a third on', () => {
    expect(nameObjects([view({ tabby: 0.4, plate: 0.3 })], table)).toMatchObject([{ named: 'a tabby', kind: null }]);
  });

  test('where the map of their class is strongest', () => {
    const map = { values: Float32Array.from([0, 9, 0, 8]), columns: 2, rows: 2 };
    expect(locateClass({ map, place: whole }, 0)).toEqual({ x: 0.5, y: 0, width: 0.5, height: 1 });
  });
});

describe('nudity', () => {
  const porn = [0.001, 0.001, 0.004, 0.99, 0.004];
  const beach = [0.001, 0.001, 0.1, 0.75, 0.148];

  test('is explicit only where both looks say so', () => {
    expect(judgeNudity([view({}, porn), view({}, porn)], { hasSwimwear: false }).kind).toBe('explicit');
    expect(judgeNudity([view({}, porn), view({})], { hasSwimwear: false }).kind).toBe('none');
  });

  test('is suggestive at most where swimwear is seen and the network is not very sure', () => {
    expect(judgeNudity([view({}, beach), view({}, beach)], { hasSwimwear: true }).kind).not.toBe('explicit');
  });

  test('is none of a dressed person, and says how sure that is', () => {
    const seen = judgeNudity([view({}), view({})], { hasSwimwear: false });
    expect(seen.kind).toBe('none');
    expect(seen.probability).toBeGreaterThan(0.7);
  });
});

test('the description names what was seen, and quotes what is written', () => {
  const views = [view({ revolver: 0.6, tabby: 0.4 })];
  const nudity = judgeNudity(views, { hasSwimwear: false });
  expect(describeScene({ objects: nameObjects(views, table), nudity, text: 'HANDS\nUP' })).toBe(
    'The picture shows a revolver and perhaps a tabby. Written in it: “HANDS UP”.',
  );
  expect(describeScene({ objects: [], nudity, text: '' })).toBe('The picture shows nothing that is known by name.');
});

test('what matters to no clause, or is rather not there, is described and not weighed', () => {
  const see = (objects: Record<string, number>) => {
    const views = [view(objects)];
    return { objects: nameObjects(views, table), nudity: judgeNudity(views, { hasSwimwear: false }), text: '' };
  };
  expect(describeScene(keepWhatMatters(see({ revolver: 0.6, tabby: 0.4 })))).toBe('The picture shows a revolver.');
  expect(describeScene(see({ revolver: 0.3, tabby: 0.4 }))).toBe('The picture shows perhaps a gun and a tabby.');
  expect(describeScene(keepWhatMatters(see({ revolver: 0.3 })))).toBe(
    'The picture shows nothing that is known by name.',
  );
  expect(describeScene(keepWhatMatters(see({ cock: 0.9 })))).toBe('The picture shows nothing that is known by name.');
  expect(describeScene(keepWhatMatters(see({ bikini: 0.9 })))).toBe('The picture shows nothing that is known by name.');
});

test('every clause of the table is one of the default policy', async () => {
  const { defaultPolicy } = await import('@agonhq/engine/policy');
  const policy = JSON.stringify(await defaultPolicy());
  for (const clause of table.kinds.flatMap(({ clauses }) => clauses)) expect(policy).toContain(`"${clause}"`);
});
