import { describe, expect, test } from 'vitest';
import type { ModerationReport } from '@agonhq/bench';
import { type FakeRequest } from '../fake-provider/index.ts';
import { panelReply } from '../support/fake-panel.ts';
import { openCourt } from '../support/run-agon.ts';
/** A panel that finds every knife, and is sure of it. */
const knives = (request: FakeRequest) => {
  const holds = request.prompt.includes('knife');
  const risk = { why: 'A knife.', evidence: holds ? ['knife'] : [], holds, clauses: holds ? ['weapons'] : [] };
  return panelReply({ arbiter: { risk, score: holds ? 0.9 : 0.1 } }, request);
};

/** Two in ten knives are for bread. */
const labelled = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const knife = index % 2 === 0;
    const wrong = index % 10 >= 8;
    return `${JSON.stringify({ id: `p${index}`, text: `Post ${index} with a ${knife ? 'knife' : 'spoon'}`, label: knife === wrong ? 'safe' : 'unsafe', category: knife ? 'knives' : 'spoons' })}\n`;
  }).join('');

describe.concurrent('agon bench moderation', () => {
  test('measures the debate without its parts beside the whole, each with its own configuration', async () => {
    const court = await openCourt(knives);
    await court.file('items.jsonl', labelled(2));
    const { stdout } = await court.agon([
      'bench',
      'moderation',
      '--data',
      'items.jsonl',
      '--systems',
      'full,without-loose,without-debate',
      '--json',
      '-q',
    ]);
    const { systems } = JSON.parse(stdout) as ModerationReport;
    expect(systems.map(({ name, usage }) => `${name} ${usage.calls}`)).toEqual([
      'full 12',
      'without-loose 8',
      'without-debate 4',
    ]);
    expect(new Set(systems.map(({ configuration }) => configuration)).size).toBe(3);
    expect(systems[1]!.behindFirst).toMatchObject({ first: 'full', f1: 0 });
  });
});
