import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../api/index.ts';
import { routesFile, renderRoutes } from './generate.ts';
import { createClient } from './index.ts';

test('the routes are those of the contract: npm run generate:client writes them anew', () => {
  expect(readFileSync(routesFile, 'utf8')).toBe(renderRoutes());
});

test('every operation has its method, by group and verb', () => {
  const client = createClient() as unknown as Record<string, Record<string, unknown>>;
  for (const { id } of operations) {
    const [group, verb] = id.split('.') as [string, string];
    expect(typeof client[group]![verb], id).toBe('function');
  }
});
