import { beforeAll, describe, expect, test } from 'vitest';
import {
  hugeSet,
  laterSet,
  makeUpResult,
  measureMadeUp,
  poorSets,
  presentJob,
} from '@agonhq/test/support/made-up-result.ts';
import { computeFigures } from '../figures/compute-figures.ts';
import type { MeasuredSet } from './block.ts';
import { renderBenchPage } from './render-page.ts';

const letters = measureMadeUp(makeUpResult({ items: 60 }));
const claims = measureMadeUp(
  makeUpResult({
    title: 'Village claims',
    job: 'documents',
    classes: ['entailed', 'refuted', 'neutral'],
    positive: null,
    items: 40,
    seed: 3,
    repeats: 2,
    raters: true,
  }),
);
/** Without its style. */
const draw = async (sets: readonly MeasuredSet[], times = false) =>
  (await renderBenchPage(sets, { title: 'Letters and claims', times })).replace(/<style>[^]*?<\/style>/, '');

describe('the page of a bench', () => {
  let page: string;
  beforeAll(async () => {
    page = await draw([letters, claims]);
  });

  test('has every part, each once a set', async () => {
    for (const title of [
      'Scores',
      'Compared with published figures',
      'Comparisons',
      'What the debate adds',
      'By class',
      'Confusion',
      'Errors by category',
      'By modality',
      'Debate trajectories',
      'Rounds',
      'Cost',
      'Cost by model',
      'Undecided and failed items',
      'Items',
    ]) {
      expect([title, page.match(new RegExp(`<h3[^>]*>${title}</h3>`, 'g'))?.length]).toEqual([title, 2]);
    }
    for (const title of ['Curves', 'Reliability', 'Ranking and calibration', 'Consistency', 'Raters'])
      expect([title, page.match(new RegExp(`<h3[^>]*>${title}</h3>`, 'g'))?.length]).toEqual([title, 1]);
  });

  test('says in words what each drawing shows', async () => {
    expect(page.match(/<svg class="chart [^"]*"/g)!.length).toBeGreaterThan(8);
    for (const [drawing] of page.matchAll(/<svg class="chart [^"]*"[^>]*>(?:<desc>[^<]*)?/g))
      expect(drawing).toMatch(/aria-label="[^"]+"[^>]*><desc>[^<]{20,}/);
  });

  test('holds no time unless asked', async () => {
    expect(await draw([laterSet(letters), laterSet(claims)])).toBe(page);
    expect(await draw([letters], true)).toMatch(/<h2[^>]*>Time<\/h2>[^]*\d ms/);
  });

  test('draws quality against milliseconds only where nothing costs and times are asked for', async () => {
    const free = measureMadeUp(
      makeUpResult({
        items: 30,
        systems: [
          { name: 'one', kind: 'debate', skill: 2 },
          { name: 'two', kind: 'baseline', skill: 1 },
        ],
      }),
    );
    expect(await draw([free])).not.toContain('F1 against cost');
    expect(await draw([free], true)).toMatch(/milliseconds per item[^]*the first system pays for the rest/);
    expect(await draw([letters], true)).toMatch(/dollars per item\s*<\/text\s*>/);
  });

  test('marks in a drawing what was trained on these very items', async () => {
    const leaked = makeUpResult({
      items: 30,
      systems: [
        { name: 'honest', kind: 'debate', skill: 0.5, rounds: 1 },
        { name: 'leaked', kind: 'baseline', skill: 40, trained: 'these-items' },
      ],
    });
    expect(await draw([measureMadeUp(leaked)])).toContain('>100.0‡</text>');
  });

  test('is made of little or nothing too: an empty set, a broken line, a system that failed throughout', async () => {
    const written = await draw(poorSets());
    expect(written).toContain('3 items (3 without a readable label)');
    expect(written.replace(/<script>[^]*<\/script>/, '')).not.toMatch(/\b(?:NaN|undefined|Infinity|null)\b/);
  });

  test('has the tables of the job after our own', async () => {
    const own = [
      {
        title: 'Table 3: without roles',
        lead: 'Of the paper.',
        table: { head: [{ text: 'Method' }], rows: [[{ text: 'debate' }]] },
      },
    ];
    expect(await draw([{ ...letters, own }])).toMatch(
      /<h3[^>]*>Undecided and failed items<\/h3>[^]*<h3[^>]*>Table 3: without roles<[^]*<h3[^>]*>Items</,
    );
  });

  test('strikes quotes that are in no source, and tells who was not heard', async () => {
    const result = makeUpResult({ items: 4 });
    const turn = {
      key: 'round-1/a',
      seat: 'a',
      round: 1,
      statement: 'Said.',
      score: 0.4,
      label: null,
      quotes: [
        { text: 'in it', verified: true },
        { text: 'not in it', verified: false },
      ],
      fallback: 'refused',
    };
    const page = await draw([
      measureMadeUp({
        ...result,
        systems: result.systems.map((system) => ({
          ...system,
          repeats: system.repeats.map((outcomes) => outcomes.map((outcome) => ({ ...outcome, turns: [turn] }))),
        })),
      }),
    ]);
    const [kept, struck] = page.match(/<li class="words[^]*?<\/li>/g)!;
    expect(kept).toMatch(/<q>in it<\/q><\/li>/);
    expect(kept).not.toContain('line-through');
    expect(struck).toMatch(/line-through[^]*<q>not in it<\/q>[^]*\(not in the source\)/);
    expect(page).toContain('no answer: refused');
  });

  test('stays small when every text of the data is a megabyte long', async () => {
    const page = await draw([hugeSet()]);
    expect(page.length).toBeLessThan(3_000_000);
    expect(page).not.toContain('\u202e');
    expect(page).not.toContain('<b><b>');
  });
});

test('items of one line have addresses of their own, and each link leads to its item', async () => {
  const made = makeUpResult({ items: 20, systems: [{ name: 'debate', kind: 'debate', skill: 0, undecided: 0.5 }] });
  const result = {
    ...made,
    items: made.items.map((item, place) => ({ ...item, line: Math.floor(place / 5) + 1, id: `answer-${place}` })),
  };
  const page = await draw([{ job: presentJob(result), result, figures: computeFigures(result), own: [] }]);
  const named = new Map(
    [...page.matchAll(/<details class="item" id="([^"]+)"[^]*?<code[^>]*>([^<]+)<\/code>/g)].map(([, address, id]) => [
      address,
      id,
    ]),
  );
  const links = [...page.matchAll(/<a href="#(item-[^"]+)"[^>]*>(?:<[^>]+>)*([^<]+)</g)];
  expect(named.size).toBe(20);
  expect(links.length).toBeGreaterThan(5);
  for (const [, address, id] of links) expect(named.get(address)).toBe(id);
});
