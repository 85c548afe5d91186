import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Which folders of src/ a folder may import at run time, and whose types it may name. Everybody may use the leaves. */
const leaves = [
  'agon-home',
  'base64',
  'concurrency-limit',
  'container',
  'errors',
  'fingerprint',
  'hash',
  'keyed-request',
  'model-runtime',
  'need-node',
  'package-folder',
  'similarity',
  'refusals',
  'sensitivity',
  'actions',
  'item-context',
  'language',
  'lesson',
  'queue-rules',
  'setting',
  'watched',
  'webhook-events',
  'dsa-terms',
  'evidence',
  'text',
  'statistics',
  'personal-data',
];
const allowed: Record<string, { imports: string[]; types?: string[] }> = {
  ...Object.fromEntries(
    [...leaves, 'version', 'attacks', 'debate', 'policy', 'items'].map((room) => [room, { imports: [] }]),
  ),
  // What all jobs are made of: the interface, and how their items wait in the ledger.
  job: { imports: ['debate', 'policy', 'reports'], types: ['documents'] },
  moderation: { imports: ['debate', 'items', 'job', 'policy', 'reports', 'view'] },
  evaluation: { imports: ['debate', 'items', 'job', 'policy', 'reports', 'view'] },
  documents: { imports: ['debate', 'items', 'job', 'parts', 'policy', 'reports', 'view'] },
  jobs: { imports: ['job'] },
  // The jobs that Agon comes with, for the edges.
  'own-jobs': { imports: ['documents', 'evaluation', 'jobs', 'moderation'] },
  reasoners: {
    imports: ['debate', 'documents', 'evaluation', 'moderation', 'parts', 'policy'],
    types: ['learning'],
  },
  precedents: { imports: ['debate', 'policy'] },
  ledger: { imports: ['debate', 'parts'], types: ['precedents'] },
  learning: { imports: ['debate', 'policy', 'precedents'], types: ['jobs', 'ledger'] },
  // What has drifted.
  watching: { imports: ['ledger'] },
  // What builds are told.
  'ci-reports': { imports: ['reports'], types: ['jobs'] },
  // What an installation may lack, and can add.
  parts: { imports: [] },
  senses: { imports: ['parts'] },
  // Lists of images that nobody is to see.
  'known-images': { imports: [], types: ['debate', 'ledger'] },
  tools: { imports: ['debate'] },
  // What is shown, in words: runs in a browser.
  view: { imports: [], types: ['debate'] },
  reports: { imports: ['debate', 'policy', 'view'] },
  settings: { imports: ['debate', 'reasoners'], types: ['documents', 'evaluation', 'jobs', 'moderation'] },
  // What a team of an installation sets otherwise.
  teams: { imports: ['settings'], types: ['jobs', 'ledger'] },
  // Jobs put together from settings, whichever they are.
  kits: {
    imports: [
      'debate',
      'jobs',
      'known-images',
      'ledger',
      'policy',
      'precedents',
      'reasoners',
      'senses',
      'settings',
      'tools',
      'version',
    ],
  },
  app: {
    imports: [
      'kits',
      'own-jobs',
      'debate',
      'documents',
      'evaluation',
      'items',
      'jobs',
      'known-images',
      'learning',
      'ledger',
      'moderation',
      'parts',
      'policy',
      'precedents',
      'reasoners',
      'senses',
      'settings',
      'tools',
      'version',
    ],
    types: ['bundle'],
  },
  // Prompts and answers, judged on their way.
  guard: { imports: ['debate', 'evaluation', 'jobs', 'kits', 'moderation', 'settings'] },
  // The guard and the jobs in the words of other tools.
  integrations: { imports: ['guard', 'settings'], types: ['debate'] },
  // Evidence of cases, for others to check: made from the ledger, checked without it.
  bundle: { imports: ['debate', 'version'], types: ['ledger', 'policy'] },
  // What shows that a ledger was not rewritten, and can be kept elsewhere.
  checkpoints: { imports: ['ledger'], types: ['debate'] },
  // The ledger as a file, and back.
  backup: { imports: ['checkpoints', 'version'], types: ['ledger'] },
  // What is on record of those who wrote what was judged.
  authors: { imports: ['debate'], types: ['ledger'] },
  // Statements of reasons, and figures of a time.
  transparency: { imports: ['policy', 'reports'], types: ['ledger'] },
  index: {
    imports: [
      'app',
      'debate',
      'documents',
      'evaluation',
      'jobs',
      'own-jobs',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reports',
      'view',
      'retrials',
      'settings',
    ],
  },
  retrials: { imports: ['app', 'debate', 'jobs', 'ledger', 'policy', 'reasoners', 'settings'] },
  runs: {
    imports: [
      'app',
      'attacks',
      'debate',
      'documents',
      'evaluation',
      'items',
      'jobs',
      'own-jobs',
      'ledger',
      'policy',
      'reasoners',
      'retrials',
      'settings',
      'version',
    ],
  },
  bench: {
    imports: [
      'app',
      'ci-reports',
      'debate',
      'documents',
      'evaluation',
      'items',
      'jobs',
      'own-jobs',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reasoners',
      'reports',
      'view',
      'runs',
      'senses',
      'settings',
      'tools',
      'version',
    ],
  },
  // Records as they come, and results as they go.
  streams: { imports: ['items', 'parts'], types: ['ledger'] },
  api: { imports: ['debate', 'documents', 'evaluation', 'jobs', 'moderation', 'own-jobs'] },
  client: { imports: ['api'] },
  mcp: {
    imports: [
      'app',
      'debate',
      'documents',
      'evaluation',
      'jobs',
      'ledger',
      'moderation',
      'policy',
      'reports',
      'view',
      'retrials',
      'settings',
      'version',
    ],
  },
  server: {
    imports: [
      'app',
      'api',
      'bench',
      'authors',
      'backup',
      'bundle',
      'checkpoints',
      'debate',
      'documents',
      'evaluation',
      'items',
      'jobs',
      'known-images',
      'learning',
      'ledger',
      'moderation',
      'own-jobs',
      'parts',
      'policy',
      'precedents',
      'reasoners',
      'reports',
      'view',
      'retrials',
      'runs',
      'senses',
      'settings',
      'teams',
      'streams',
      'tools',
      'transparency',
      'version',
      'watching',
    ],
  },
  cli: {
    imports: [
      'app',
      'api',
      'attacks',
      'bench',
      'authors',
      'backup',
      'bundle',
      'checkpoints',
      'ci-reports',
      'debate',
      'documents',
      'evaluation',
      'items',
      'jobs',
      'known-images',
      'learning',
      'own-jobs',
      'ledger',
      'mcp',
      'moderation',
      'parts',
      'policy',
      'precedents',
      'reasoners',
      'reports',
      'view',
      'retrials',
      'runs',
      'server',
      'senses',
      'settings',
      'teams',
      'streams',
      'tools',
      'transparency',
      'version',
      'watching',
    ],
  },
};

const root = import.meta.dirname;
const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const imports = files.flatMap((file): Import[] =>
  [
    ...readFileSync(path.join(root, file), 'utf8').matchAll(
      /^(import|export)( type)?\b[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm,
    ),
  ].map((match) => ({
    from: file,
    to: path.normalize(path.join(path.dirname(file), match[3] ?? match[4]!)),
    typeOnly: match[2] !== undefined,
  })),
);

/** A folder of src/; each job is a room of its own, and what all jobs are made of is another. */
const roomOf = (file: string) => {
  const [first, second] = file.split('/');
  if (first === 'jobs') return second === 'index.ts' ? 'jobs' : second!.endsWith('.ts') ? 'job' : second!;
  return first!.replace(/\.ts$/, '');
};
const acrossRooms = imports.filter(({ from, to }) => roomOf(from) !== roomOf(to) && !to.startsWith('..'));

describe('the house', () => {
  test('has no room that this test does not know', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in allowed))).toEqual([]);
  });

  test('arrows point one way', () => {
    const wrong = acrossRooms.filter(({ from, to, typeOnly }) => {
      const { imports: reach, types = [] } = allowed[roomOf(from)]!;
      const target = roomOf(to);
      return ![...leaves, ...reach, ...(typeOnly ? types : [])].includes(target);
    });
    expect(wrong).toEqual([]);
  });

  test('nobody reaches past the public face of a folder', () => {
    const wrong = acrossRooms.filter(({ to }) => {
      const inside = to.startsWith('jobs/') ? to.slice('jobs/'.length) : to;
      return inside.includes('/') && path.basename(to) !== 'index.ts';
    });
    expect(wrong).toEqual([]);
  });

  test('only reasoners know the AI SDK, and the middleware that is made for it its types', () => {
    const knowing = files.filter((file) =>
      /^import (?!type\b)[^;]*from 'ai'|import\('ai'\)|@ai-sdk\//m.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(knowing.map(roomOf).filter((room) => room !== 'reasoners')).toEqual([]);
  });

  test('the console takes of the house the client, and words and places that run in a browser', () => {
    const web = path.join(root, '..', 'web', 'src');
    const taken = globSync('**/*.{ts,tsx}', { cwd: web }).flatMap((file) =>
      [
        ...readFileSync(path.join(web, file), 'utf8').matchAll(/^import (?!type\b)[^;]*?from '([./]+src\/[^']+)'/gm),
      ].map((match) => path.relative(root, path.join(web, path.dirname(file), match[1]!))),
    );
    expect(
      [...new Set(taken.map(roomOf))].filter(
        (room) =>
          ![
            'bench',
            'client',
            'documents',
            'errors',
            'evaluation',
            'evidence',
            'fingerprint',
            'moderation',
            'reports',
            'view',
            'text',
          ].includes(room),
      ),
    ).toEqual([]);
    const reached = new Set(taken);
    for (const file of reached)
      for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) reached.add(to);
    expect([...reached].filter((file) => /from 'node:/.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });

  test('every import was found: the pattern above still reads our files', () => {
    expect(acrossRooms.length).toBeGreaterThan(50);
  });
});
