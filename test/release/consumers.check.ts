import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { packageParts } from '@agonhq/engine/parts/package-parts';
import { version } from '@agonhq/engine/version';
import { openRelease, type Release } from './installation.ts';

/* Agon in the hands of those who build on it: their compilers, their bundlers, and every Node that we say we run on. */

const bin = path.join(import.meta.dirname, '..', '..', 'node_modules', '.bin');
const ofParts = [...packageParts.flatMap(({ brings }) => brings), 'onnxruntime-node', 'usearch'].map(
  (name) => new RegExp(`^${name}(?:/|$)`),
);
let release: Release;
let folder: string;

beforeAll(async () => {
  release = await openRelease();
  folder = release.makeFolder('project');
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
  const quiet = ['--no-audit', '--no-fund'];
  const wanted = [`@agonhq/agon@${version}`, '@arethetypeswrong/cli@0.18.5'];
  expect(await release.run('npm', ['install', ...wanted, ...quiet], folder)).toMatchObject({ code: 0 });
}, 600_000);
afterAll(() => release.registry[Symbol.asyncDispose]());

describe('types', () => {
  test.each([
    ['node16', ['--module', 'node16', '--moduleResolution', 'node16']],
    ['nodenext', ['--module', 'nodenext']],
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('resolve under %s, strictly and down to the last declaration', async (_name, flags) => {
    writeFileSync(
      path.join(folder, 'typed.ts'),
      `
      import { createAgon, moderate, type ModerationAnswer, type Settings } from '@agonhq/agon';
      import { AgonClientError, createClient, type EventStream } from '@agonhq/agon/client';
      const settings: Settings = { seats: { default: 'openai:gpt-4o' }, moderation: { rounds: 1 } };
      export const answer: Promise<ModerationAnswer> = moderate('text', { settings });
      export const label: Promise<'safe' | 'unsafe' | 'undecided'> = answer.then(({ verdict }) => verdict.label);
      // @ts-expect-error A setting that does not exist is an error.
      export const wrong = createAgon({ seat: {} });
      const client = createClient({ baseUrl: 'http://127.0.0.1:4100', key: 'agon_…' });
      export async function ask() {
        const { id } = await client.moderations.create({ text: 'Hello' });
        // @ts-expect-error A verdict is said in words of the contract.
        await client.cases.feedback(id, { label: 'fine' });
        // @ts-expect-error There is no such group.
        await client.verdicts.list();
      }
      export const isClients = (error: unknown): string | null => (error instanceof AgonClientError ? error.hint : null);
      export type Stream = EventStream<{ type: string }, { id: string }>;
    `,
    );
    // Node's own types are asked for: the ledger names some of them.
    const types = path.join(bin, '..', '@types');
    const always = ['--noEmit', '--strict', '--target', 'es2024', '--typeRoots', types, '--types', 'node', 'typed.ts'];
    const { stdout } = await release.run(path.join(bin, 'tsc'), [...always, ...flags], folder);
    expect(stdout).toBe('');
  });

  test('compile strictly without the parts, and the guard fits the newest Hono, which is not the one of Agon', async () => {
    const place = release.makeFolder('hono');
    writeFileSync(path.join(place, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
    // The last one the types of the AI SDK ask for.
    const others = ['hono@4', 'express@5', '@types/express@5', '@types/node@24', 'ai@7', '@types/json-schema'];
    const wanted = [`@agonhq/agon@${version}`, ...others];
    const installed = await release.run('npm', ['install', ...wanted, '--no-audit', '--no-fund'], place);
    expect(installed).toMatchObject({ code: 0 });
    for (const name of packageParts.flatMap(({ brings }) => brings))
      expect(existsSync(path.join(place, 'node_modules', name)), name).toBe(false);
    writeFileSync(
      path.join(place, 'guarded.ts'),
      `
      import express from 'express';
      import { Hono } from 'hono';
      import { createAgon } from '@agonhq/agon';
      import { guardMiddleware } from '@agonhq/agon/ai';
      import { createGuard, guardExpress, guardFetch, guardHono } from '@agonhq/agon/http';
      import { createClient } from '@agonhq/agon/client';
      const guard = createGuard();
      const app = new Hono<{ Variables: { user: string } }>();
      app.use(guardHono({ guard }));
      app.use('/chat', guardHono({ guard, fields: ['/message'], responses: 'judge' }));
      export const chained = new Hono().post('/chat', guardHono({ guard }), (context) => context.text('Hello'));
      express().post('/chat', guardExpress({ guard }), (request, response) => void response.json(request.body));
      export const handler = guardFetch((request) => new Response(request.body), { guard });
      export const kept = [createAgon, createClient, guardMiddleware({ mode: 'hold' })];
    `,
    );
    const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2024'];
    const types = ['--types', 'node', 'guarded.ts'];
    expect((await release.run(path.join(bin, 'tsc'), [...flags, ...types], place)).stdout).toBe('');
  });

  test('are right by the judgement of `attw`, for those who import', async () => {
    const asked = [
      'attw',
      path.join('node_modules', '@agonhq', 'agon'),
      '--pack',
      '--profile',
      'esm-only',
      '--no-emoji',
    ];
    const { code, stdout } = await release.run('npx', asked, folder);
    expect({ code, stdout }).toMatchObject({ code: 0 });
  });
});

test("a consumer's bundler takes in no server for `moderate()`", async () => {
  writeFileSync(
    path.join(folder, 'entry.js'),
    "import { moderate } from '@agonhq/agon'; console.log(await moderate('Hello'));",
  );
  const taken = new Set<string>();
  await build({
    root: folder,
    logLevel: 'error',
    // What a part brings is not there, and would be marked as external.
    build: { ssr: 'entry.js', write: false, target: 'node24', rolldownOptions: { external: ofParts } },
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'list-what-is-loaded-at-once',
        generateBundle(_options, bundle) {
          const waiting = Object.values(bundle).filter((chunk) => chunk.type === 'chunk' && chunk.isEntry);
          const seen = new Set(waiting.map(({ fileName }) => fileName));
          for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
            if (chunk.type !== 'chunk') continue;
            for (const module of chunk.moduleIds) taken.add(module);
            for (const name of chunk.imports.filter((each) => bundle[each] && !seen.has(each))) {
              seen.add(name);
              waiting.push(bundle[name]!);
            }
          }
        },
      },
    ],
  });
  const modules = [...taken].filter((module) => module.includes('node_modules'));
  expect(modules.some((module) => module.endsWith('agon/dist/index.js'))).toBe(true);
  expect(
    modules.filter((module) => /\/(?:hono|@hono|openid-client)\/|\/dist\/(?:server|mcp|serve)-/.test(module)),
  ).toEqual([]);
});

describe('on every Node that `engines` names and npm has', async () => {
  const least = Number.parseInt(manifest.engines.node.replace(/\D+/, ''), 10);
  const { stdout: listed } = await promisify(execFile)('npm', ['view', 'node', 'versions', '--json']);
  const versions = JSON.parse(listed) as string[];
  const majors = [...new Set(versions.map((each) => Number.parseInt(each, 10)))].filter((major) => major >= least);
  test.each(majors)('%i judges a text', async (major) => {
    const place = path.join(release.folder, `node-${major}`);
    mkdirSync(place);
    writeFileSync(path.join(place, 'package.json'), '{ "private": true }');
    const installed = await release.run('npm', ['install', `node@${major}`, '--no-audit', '--no-fund'], place);
    expect(installed).toMatchObject({ code: 0 });
    const node = path.join(place, 'node_modules', 'node', 'bin', 'node');
    expect((await release.run(node, ['--version'], place)).stdout).toMatch(new RegExp(`^v${major}\\.`));
    const command = path.join(folder, 'node_modules', '@agonhq', 'agon', 'bin', 'agon.js');
    const { code, stdout, stderr } = await release.run(node, [command, 'moderate', 'Good morning!', '--json'], place);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: { label: 'safe' } });
  });
});
