import { expect, test } from 'vitest';
import { noUsage, type Usage } from '../../debate/index.ts';
import { openResults } from '../systems/results.ts';
import type { Contender, ItemPlace, OpenSystem } from '../systems/system.ts';
import { measureSafety } from './measure-set.ts';

const items = ['first', 'second'].map((words, index) => ({ line: 1, key: `model-${index + 1}`, item: { id: words, unsafe: false, subject: words } }));
const data = { file: 'answers.jsonl', sha256: '0'.repeat(64), lines: items };

function contender(name: string, kind: Contender<unknown>['kind'], usageOf: (subject: string, place: ItemPlace) => Usage): Contender<OpenSystem<string>> {
  const system: OpenSystem<string> = {
    name, configuration: name,
    judge: async (subject, _signal, place) => ({ label: 'safe', score: 0, probability: null, usage: usageOf(subject, place) }),
    spent: () => noUsage,
    close: async () => {},
  };
  return { name, kind, models: [], rounds: null, of: kind === 'control' ? 'debate' : null, repeats: [system] };
}

test('the control may spend on an item what the debate spent on it, also where a line of the data holds several', async () => {
  const given = new Map<string, number | null | undefined>();
  const debate = contender('debate', 'debate', (subject) => ({ ...noUsage, inputTokens: subject === 'first' ? 100 : 7 }));
  const control = contender('control', 'control', (subject, { tokens }) => {
    given.set(subject, tokens);
    return noUsage;
  });
  await measureSafety(data as never, [control, debate], { results: await openResults(), concurrency: 1, watch: (_about, work) => work({}) });
  expect([...given]).toEqual([['first', 100], ['second', 7]]);
});
