import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';

/* `npm run docs` fails on such things, too, and takes a minute; this takes a moment. */

const root = path.join(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'integrations/**/*.md'], {
  cwd: root,
  exclude: ['docs/site/**'],
});

interface Node {
  type: string;
  url?: string;
  value?: string;
  children?: Node[];
}

function* walk(node: Node): Generator<Node, void, void> {
  yield node;
  for (const child of node.children ?? []) yield* walk(child);
}

const readTree = (file: string) => fromMarkdown(readFileSync(path.join(root, file), 'utf8')) as Node;
const textOf = (node: Node): string => [...walk(node)].map(({ value }) => value ?? '').join('');

const anchorsOf = new Map<string, ReadonlySet<string>>();

/** As code hosts name headings. */
function listAnchors(file: string): ReadonlySet<string> {
  const known = anchorsOf.get(file);
  if (known) return known;
  const anchors = new Set<string>();
  anchorsOf.set(file, anchors);
  for (const node of walk(readTree(file))) {
    if (node.type !== 'heading') continue;
    const name = textOf(node)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    for (let count = 0; ; count += 1) {
      const anchor = count === 0 ? name : `${name}-${count}`;
      if (anchors.has(anchor)) continue;
      anchors.add(anchor);
      break;
    }
  }
  return anchors;
}

test.each(pages)('every link of %s leads somewhere', (file) => {
  const broken = [...walk(readTree(file))].flatMap(({ url }) => {
    if (url === undefined || /^[a-z]+:/i.test(url)) return [];
    const [target, anchor] = url.split('#') as [string, string | undefined];
    const found = target === '' ? file : path.join(path.dirname(file), decodeURI(target));
    if (!existsSync(path.join(root, found))) return [url];
    return anchor && found.endsWith('.md') && !listAnchors(found).has(anchor) ? [url] : [];
  });
  expect(broken).toEqual([]);
});

test('the site has a place for every page', () => {
  const config = readFileSync(path.join(root, 'docs', 'site', '.vitepress', 'config.ts'), 'utf8');
  const missing = pages.filter((file) => {
    const page = file.slice('docs/'.length, -'.md'.length);
    if (!file.startsWith('docs/') || /^docs\/(?:decisions\/|index\.md)/.test(file)) return false;
    return !new RegExp(`^ +(?:'${page}'|${page}): |\\{ ${page}: `, 'm').test(config);
  });
  expect(missing).toEqual([]);
});
