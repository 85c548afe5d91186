import { expect, test } from 'vitest';
import { noUsage, type Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { keptJudgementSchema, readJudgedResults } from '../systems/results.ts';
import { runSystem, type RunOptions } from '../systems/run-system.ts';
import type { MeasuredSystem, ItemPlace, OpenSystem } from '../systems/system.ts';
import { measureSystems } from './measure-set.ts';

const items = ['first', 'second'].map((words, index) => ({
  line: 1,
  key: `model-${index + 1}`,
  item: { id: words, label: 'safe', subject: words, category: null, trivial: false, raters: null, modality: null },
}));
const data = { file: 'answers.jsonl', sha256: '0'.repeat(64), lines: items };

async function makeRunner() {
  const results = await readJudgedResults(keptJudgementSchema, null);
  return (system: OpenSystem<string>, options: RunOptions) => runSystem(system, data, { ...options, results });
}

function measuredSystem(
  name: string,
  kind: MeasuredSystem['kind'],
  usageOf: (subject: string, place: ItemPlace) => Usage,
): MeasuredSystem<OpenSystem<string>> {
  const system: OpenSystem<string> = {
    name,
    configuration: name,
    judge: async (subject, _signal, place) => ({
      label: 'safe',
      score: 0,
      probability: null,
      usage: usageOf(subject, place),
    }),
    spent: () => noUsage,
    close: async () => {},
  };
  return { name, kind, models: [], rounds: null, of: kind === 'control' ? 'debate' : null, repeats: [system] };
}

test('the control may spend on an item what the debate spent on it, also where a line of the data holds several', async () => {
  const given = new Map<string, number | null | undefined>();
  const debate = measuredSystem('debate', 'debate', (subject) => ({
    ...noUsage,
    inputTokens: subject === 'first' ? 100 : 7,
  }));
  const control = measuredSystem('control', 'control', (subject, { tokens }) => {
    given.set(subject, tokens);
    return noUsage;
  });
  await measureSystems(data, [control, debate], {
    run: await makeRunner(),
    concurrency: 1,
    watch: (_about, work) => work({}),
    onNote: () => {},
  });
  expect([...given]).toEqual([
    ['first', 100],
    ['second', 7],
  ]);
});

const turn = (fallback: string | null) => ({
  key: 'round-1/a',
  seat: 'a',
  round: 1,
  statement: '',
  score: 0.5,
  label: null,
  quotes: [],
  fallback,
});

function failing(name: string, how: 'failed' | 'unheard'): MeasuredSystem<OpenSystem<string>> {
  const system: OpenSystem<string> = {
    name,
    configuration: name,
    judge: async () => {
      if (how === 'failed') throw new AgonError('models-away', 'It is down.', '');
      return {
        label: 'undecided',
        score: 0.5,
        probability: null,
        usage: noUsage,
        turns: [turn('unavailable'), turn('unavailable')],
      };
    },
    spent: () => noUsage,
    close: async () => {},
  };
  return { name, kind: 'baseline', models: [], rounds: null, of: null, repeats: [system] };
}

test.each([
  ['failed', 'nothing-judged'],
  ['unheard', 'nobody-heard'],
] as const)(
  'a system of which every item %s ends a bench that it leads, and is noted beside others',
  async (how, code) => {
    const measuring = async (systems: readonly MeasuredSystem<OpenSystem<string>>[]) => {
      const notes: string[] = [];
      const runs = await measureSystems(data, systems, {
        run: await makeRunner(),
        concurrency: 1,
        watch: (_about, work) => work({}),
        onNote: (note) => notes.push(note),
      });
      return { runs, notes };
    };
    const works = measuredSystem('works', 'baseline', () => noUsage);
    await expect(measuring([failing('mute', how), works])).rejects.toMatchObject({ code });
    const { runs, notes } = await measuring([works, failing('mute', how)]);
    expect(runs).toHaveLength(2);
    expect(notes).toEqual([expect.stringMatching(/^mute: No /)]);
  },
);
