import { describe, expect, test } from 'vitest';
import { listJobBenches } from '../jobs/index.ts';
import { isOffered } from './offered-systems.ts';

describe('offered systems', () => {
  test.each(listJobBenches())('of $job are systems that it has, its usual one first', (bench) => {
    const names = bench.offeredSystems.map(({ name }) => name);
    expect(names[0]).toBe(bench.defaultSystem);
    for (const name of names) expect(bench.systemNames).toContain(name);
  });

  test.each([
    ['full', true],
    ['judge:openai:gpt-5', true],
    ['all:ollama:llama3.2', true],
    ['seat:arbiter=openai:gpt-5', true],
    ['seat:auditor#2=openai:gpt-5', true],
    ['judge:provider', false],
    ['judge: openai:gpt-5', false],
    ['seat:../x=openai:gpt-5', false],
    ['predictions:mine=/etc/passwd', false],
    ['judge-4-shot', false],
    ['fullest', false],
  ])('%s: %s', (name, offered) => {
    const [moderation] = listJobBenches();
    expect(isOffered(name, moderation!.offeredSystems)).toBe(offered);
  });
});
