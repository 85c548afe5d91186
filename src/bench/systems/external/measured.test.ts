import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { status, text } from '../../../../test/fake-provider/index.ts';
import { setStage } from '../../../../test/fake-provider/stage.ts';
import type { Content } from '../../../jobs/moderation/index.ts';
import type { LabelledItem } from '../../datasets/labelled-item.ts';
import { openResults } from '../results.ts';
import { runSystem } from '../run-system.ts';
import { openExternalSystem } from './open-external-system.ts';

const items = ['Ducks swim.', 'Ducks duel.', 'Ducks mumble.', 'Ducks vanish.'].map((words, index) => ({
  line: index + 1,
  key: `d${index + 1}`,
  item: { id: `d${index + 1}`, unsafe: index === 1, subject: { text: words } satisfies Content },
}));
const data = { file: 'ducks.jsonl', sha256: '0'.repeat(64), lines: items };

async function outcomesOf(name: string, pool?: Awaited<ReturnType<typeof setStage>>['pool']) {
  const system = await openExternalSystem(name, { job: 'moderation', settings: {}, ...(pool ? { pool } : {}) });
  const results = await openResults();
  const { outcomes } = await runSystem<Content, LabelledItem<Content>>(system, data as never, {
    results,
    concurrency: 2,
  });
  return outcomes.map(({ said }) => said);
}

test(
  'a guard model is measured like a system of ours: what it does not decide and what it does not answer are ' +
    'told apart',
  async () => {
    await using stage = await setStage(
      ({ prompt }) =>
        prompt.includes('vanish')
          ? status(500)
          : text(prompt.includes('duel') ? 'unsafe\nS1' : prompt.includes('mumble') ? 'mmh' : 'safe'),
      { defaults: { retries: 0 } },
    );
    expect(await outcomesOf('llama-guard:vllm:guard', stage.pool)).toEqual(['safe', 'unsafe', 'undecided', 'failed']);
  },
);

test('so are the predictions of a system that nobody can call', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-measured-')), 'theirs.jsonl');
  await writeFile(
    file,
    '{"id":"d1","label":"unsafe"}\n{"line":2,"label":"unsafe","score":0.8}\n{"id":"d3","label":"undecided"}\n',
  );
  expect(await outcomesOf(`predictions:theirs=${file}`)).toEqual(['unsafe', 'unsafe', 'undecided', 'failed']);
});
