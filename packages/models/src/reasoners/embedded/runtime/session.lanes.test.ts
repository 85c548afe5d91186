import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFolder } from '@agonhq/engine/package-folder';
import { openWidening, type WideningSession } from './session.ts';

const modelFile = join(packageFolder(import.meta.dirname), 'models', 'guard-2', 'glance.onnx');
const several = Math.min(2, availableParallelism());

async function readInTurn(session: WideningSession, times: number): Promise<number[]> {
  const logits: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const inputs = { input_ids: new BigInt64Array(8).fill(2_000n), attention_mask: new BigInt64Array(8).fill(1n) };
    logits.push((await session.run({ inputs, rows: 1 }))['logit']![0]!);
  }
  return logits;
}

it('has one lane for texts that come one by one, and more once batches wait for each other and it is allowed', async () => {
  const session = await openWidening({ modelFile, forMany: false });
  const logits = (await Promise.all([readInTurn(session, 30), readInTurn(session, 30)])).flat();
  expect(session.lanes()).toBe(1);
  session.allowLanes();
  logits.push(...(await readInTurn(session, 30)));
  expect(session.lanes()).toBe(1);
  await expect
    .poll(async () => {
      logits.push(...(await Promise.all([readInTurn(session, 20), readInTurn(session, 20)])).flat());
      return session.lanes();
    })
    .toBe(several);
  logits.push(...(await readInTurn(session, 5)));
  await session.close();
  expect(new Set(logits).size).toBe(1);
});
