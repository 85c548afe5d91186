import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';

/* The documentation as a site: the same files that are read in the repository, with a sidebar and a search. */

/** A copy of docs/, with the reference beside it: build.ts makes it. */
const docs = path.join(import.meta.dirname, '..', 'pages');

/** Every page once, under what a reader is after. A page that is in none of these fails the build. */
const chapters: Record<string, Record<string, string>> = {
  'Learn it in ten minutes': {
    'tutorials/moderation-team': 'A moderation team',
    'tutorials/llm-evaluator': 'An LLM evaluator',
    'tutorials/analyst': 'An analyst',
    'tutorials/integrator': 'An integrator',
  },
  Jobs: {
    moderation: 'Moderation',
    evaluation: 'Evaluation',
    documents: 'Documents',
    images: 'Images',
    recordings: 'Recordings',
    'own-job': 'A job of your own',
    answer: 'The answer',
  },
  Judgement: {
    embedded: 'The embedded reasoner',
    policy: 'Policies',
    precedents: 'Precedents',
    learning: 'Learning',
    attacks: 'Attacks',
  },
  'Where people work': {
    console: 'The console',
    commands: 'Commands and the library',
    ci: 'In your builds',
    guard: 'Guard a model',
    integrations: 'In other tools',
    'local-models': 'Local language models',
    server: 'The server',
    client: 'The client',
    mcp: 'MCP',
    openai: 'OpenAI’s moderation API',
    streams: 'Streams',
    webhooks: 'Webhooks',
    'deploy/README': 'Deployment',
    teams: 'Teams',
    configuration: 'Configuration',
    install: 'Installation',
    versions: 'Versions',
  },
  'Runs and figures': {
    runs: 'Runs',
    bench: 'The bench',
    results: 'Results',
    watching: 'Watching',
    performance: 'Performance',
    scale: 'Scale',
  },
  'On record': {
    ledger: 'The ledger',
    bundles: 'Evidence bundles',
    privacy: 'Privacy',
    transparency: 'Transparency',
    care: 'Care of people',
    security: 'Security',
    chaos: 'Chaos',
  },
  Inside: { architecture: 'Architecture' },
};

/** Decisions by their number, and the reference by its modules, as they lie in their folders. */
function listPages(folder: string, title: (name: string) => string): DefaultTheme.SidebarItem[] {
  const place = path.join(docs, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place).flatMap((name) => {
    const page = path.join(folder, name);
    if (name === 'index.md') return [];
    if (name.endsWith('.md')) return [{ text: title(name.slice(0, -3)), link: `/${page.slice(0, -3)}` }];
    return [{ text: name, collapsed: true, items: listPages(page, title) }];
  });
}

const decision = (name: string) => name.replace(/^0*(\d+)-/, '$1. ').replaceAll('-', ' ');

function assertComplete(): void {
  const listed = new Set(Object.values(chapters).flatMap((pages) => Object.keys(pages)));
  const missing = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(?:api|decisions)\//.test(file) && file !== 'index.md')
    .map((file) => file.slice(0, -3))
    .filter((page) => !listed.has(page));
  if (missing.length > 0) throw new Error(`In no chapter of docs/site/.vitepress/config.ts: ${missing.join(', ')}.`);
}
assertComplete();

export default defineConfig({
  title: 'Agon',
  description: 'Verdicts a person can check.',
  srcDir: docs,
  outDir: path.join(docs, '..', '..', '..', 'artifacts', 'docs'),
  cleanUrls: false,
  lastUpdated: false,
  rewrites: { 'deploy/README.md': 'deploy/index.md' },
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorials', link: '/tutorials/moderation-team' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'API reference', link: '/api/agon/' },
    ],
    sidebar: [
      ...Object.entries(chapters).map(([text, pages]) => ({
        text,
        collapsed: text !== 'Learn it in ten minutes' && text !== 'Jobs',
        items: Object.entries(pages).map(([page, title]) => ({
          text: title,
          link: `/${page.replace('deploy/README', 'deploy/')}`,
        })),
      })),
      { text: 'Decisions', collapsed: true, items: listPages('decisions', decision) },
      { text: 'API reference', collapsed: true, items: listPages('api', (name) => name) },
    ],
  },
  markdown: {
    config(markdown) {
      // What lies outside docs/ is not on the site: it is named, and not linked.
      markdown.core.ruler.push('outside', ({ tokens, env }) => {
        const from = path.dirname((env as { relativePath?: string }).relativePath ?? '');
        for (const { children } of tokens) {
          let outside = false;
          for (const token of children ?? []) {
            const href = token.attrGet('href');
            if (token.type === 'link_open' && href && isOutside(from, href)) {
              outside = true;
              token.tag = 'span';
              token.attrs = [['class', 'in-the-repository']];
            } else if (token.type === 'link_close' && outside) {
              outside = false;
              token.tag = 'span';
            }
          }
        }
      });
    },
  },
});

function isOutside(from: string, href: string): boolean {
  if (/^(?:[a-z]+:|[#/])/i.test(href)) return false;
  const target = path.posix.normalize(path.posix.join(from, decodeURI(href.replace(/#.*$/, ''))));
  return target.startsWith('..') || !/(?:\.md|\.png|\/|^\.)$/.test(target);
}
