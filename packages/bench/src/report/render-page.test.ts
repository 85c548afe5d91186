import { expect, test } from 'vitest';
import { makeUpResult, presentJob } from '@agonhq/test/support/made-up-result.ts';
import { computeFigures } from '../figures/compute-figures.ts';
import { renderBenchPage } from './render-page.ts';

test('items of one line have addresses of their own, and each link leads to its item', () => {
  const made = makeUpResult({ items: 20, systems: [{ name: 'debate', kind: 'debate', skill: 0, undecided: 0.5 }] });
  const result = {
    ...made,
    items: made.items.map((item, place) => ({ ...item, line: Math.floor(place / 5) + 1, id: `answer-${place}` })),
  };
  const page = renderBenchPage([{ job: presentJob(result), result, figures: computeFigures(result), own: [] }], {
    title: 'Answers',
    times: false,
  });
  const named = new Map(
    [...page.matchAll(/<details\s+class="item"\s+id="([^"]+)"[^]*?<code[^>]*>([^<]+)<\/code>/g)].map(
      ([, address, id]) => [address, id],
    ),
  );
  const links = [...page.matchAll(/<a href="#(item-[^"]+)">(?:<[^>]+>)*([^<]+)</g)];
  expect(named.size).toBe(20);
  expect(links.length).toBeGreaterThan(5);
  for (const [, address, id] of links) expect(named.get(address)).toBe(id);
});
