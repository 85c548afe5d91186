import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { status, text } from '@agonhq/test/fake-provider/index.ts';
import { setStage } from '@agonhq/test/fake-provider/stage.ts';
import type { Content } from '@agonhq/judges/moderation';
import { readContentAsText } from '../../jobs/moderation/labelled-content.ts';
import { openSafetyResults, runSafetySystem } from '../../jobs/safety/run-safety.ts';
import { openExternalSystem } from './open-external-system.ts';

const items = ['Ducks swim.', 'Ducks duel.', 'Ducks mumble.', 'Ducks vanish.'].map((words, index) => ({
  line: index + 1,
  key: `d${index + 1}`,
  item: {
    id: `d${index + 1}`,
    label: index === 1 ? ('unsafe' as const) : ('safe' as const),
    subject: { text: words } satisfies Content,
    category: null,
    trivial: false,
    raters: null,
    modality: 'text',
  },
}));
const data = { file: 'ducks.jsonl', sha256: '0'.repeat(64), lines: items };

async function outcomesOf(name: string, pool?: Awaited<ReturnType<typeof setStage>>['pool']) {
  const system = await openExternalSystem(name, {
    reader: readContentAsText(),
    settings: {},
    ...(pool ? { pool } : {}),
  });
  const results = await openSafetyResults();
  const { outcomes } = await runSafetySystem(system, data, {
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
