import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Which folders of src/ a folder may import at run time, and whose types it may name. Everybody may use the leaves. */
const leaves = [
  'base64',
  'errors',
  'hash',
  'package-folder',
  'similarity',
  'refusals',
  'evidence',
  'statistics',
  'text',
];
const allowed: Record<string, { imports: string[]; types?: string[] }> = {
  base64: { imports: [] },
  errors: { imports: [] },
  hash: { imports: [] },
  'package-folder': { imports: [] },
  similarity: { imports: [] },
  statistics: { imports: [] },
  refusals: { imports: [] },
  version: { imports: [] },
  evidence: { imports: [] },
  text: { imports: [] },
  debate: { imports: [] },
  policy: { imports: [] },
  documents: { imports: ['debate', 'policy'] },
  reasoners: { imports: ['debate'], types: ['documents', 'evaluation', 'learning', 'moderation', 'policy'] },
  precedents: { imports: ['debate', 'policy'] },
  ledger: { imports: ['debate'], types: ['precedents'] },
  learning: { imports: ['debate', 'moderation', 'policy', 'precedents'], types: ['ledger'] },
  retrials: { imports: ['app', 'debate', 'documents', 'evaluation', 'ledger', 'moderation', 'policy', 'settings'] },
  tools: { imports: ['debate'] },
  moderation: { imports: ['debate', 'policy'] },
  evaluation: { imports: ['debate', 'policy'] },
  attacks: { imports: [] },
  runs: {
    imports: [
      'app',
      'attacks',
      'debate',
      'documents',
      'evaluation',
      'ledger',
      'moderation',
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
      'debate',
      'documents',
      'evaluation',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reasoners',
      'reports',
      'runs',
      'settings',
      'tools',
      'version',
    ],
  },
  reports: { imports: ['debate', 'documents'], types: ['evaluation', 'moderation', 'policy'] },
  settings: { imports: ['debate', 'documents', 'evaluation', 'moderation', 'reasoners'] },
  app: {
    imports: [
      'debate',
      'documents',
      'evaluation',
      'learning',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reasoners',
      'settings',
      'tools',
      'version',
    ],
  },
  index: {
    imports: [
      'app',
      'debate',
      'documents',
      'evaluation',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reports',
      'retrials',
      'settings',
    ],
  },
  api: { imports: [] },
  client: { imports: ['api'] },
  mcp: {
    imports: [
      'app',
      'debate',
      'documents',
      'evaluation',
      'ledger',
      'moderation',
      'policy',
      'reports',
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
      'debate',
      'documents',
      'evaluation',
      'learning',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reasoners',
      'reports',
      'retrials',
      'runs',
      'settings',
      'tools',
      'version',
    ],
  },
  cli: {
    imports: [
      'app',
      'api',
      'attacks',
      'bench',
      'debate',
      'documents',
      'evaluation',
      'learning',
      'ledger',
      'moderation',
      'policy',
      'precedents',
      'reasoners',
      'reports',
      'retrials',
      'runs',
      'server',
      'mcp',
      'settings',
      'tools',
      'version',
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

/** A folder of src/; each job is a room of its own. */
const roomOf = (file: string) =>
  (file.startsWith('jobs/') ? file.split('/')[1]! : file.split('/')[0]!).replace(/\.ts$/, '');
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
    const wrong = acrossRooms.filter(({ to }) => to.includes(path.sep) && path.basename(to) !== 'index.ts');
    expect(wrong).toEqual([]);
  });

  test('only reasoners know the AI SDK', () => {
    const knowing = files.filter((file) =>
      /from 'ai'|import\('ai'\)|@ai-sdk\//.test(readFileSync(path.join(root, file), 'utf8')),
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
        (room) => !['bench', 'client', 'documents', 'errors', 'evidence', 'reports', 'text'].includes(room),
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
