import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('importing the reasoners loads no SDK and no telemetry', async () => {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
    console.log(loaded.filter((url) => /node_modules\\/(ai|@ai-sdk|@opentelemetry)\\//.test(url)).join() || 'none of ' + loaded.length);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toMatch(/^none of \d\d/);
});
