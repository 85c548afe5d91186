import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect } from 'vitest';
import { renderReport, renderReportFile } from '@agonhq/core/app';
import { renderVerdict } from '@agonhq/cli/views/render-verdict';
import type { Answer } from '@agonhq/engine/debate';
import type { JobAnswer } from '@agonhq/judges/job';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import { quarterlyAnalysis } from '../fixtures/analyses.ts';
import { policyFixture, unsafeAnswer } from '../fixtures/answers.ts';
import { evaluationPolicyFixture, implicitAnswer } from '../fixtures/evaluation-answers.ts';
import { harmlessLike, payloads as pagePayloads, walk } from '../support/report-page.ts';
import { describeHostile, type HostileCase } from './corpus.ts';

/*
 * What people, files and models say, in every field of an answer, into every report: it is shown, and makes no element,
 * attribute, address, formula or escape. The pages of the console are held to the same in packages/console/test/hostile.browser.test.ts.
 */

const payloads = [
  ...pagePayloads,
  '[click](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '<a href="https://evil.example">here</a>\n\n<script>alert(1)</script>',
  '`````\n</code><b onclick=alert(1)>x</b>\n`````',
  '| a | b |\n|---|---|\n<details open ontoggle=alert(1)>',
  '[ref]: https://evil.example "x"\n[ref]',
  '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u009b2J',
];

/** What a page is laid out by, and never is anybody's words. */
const shape = new Set(
  (
    'kind role label tool of source id key job version hash modality block check outcome concept behaviour ' +
    'method strength severity action seal inputHash reason lesson scale premise outlook document unit comparison period origin table column row'
  ).split(' '),
);

const subjects = {
  moderation: { answer: unsafeAnswer as JobAnswer, policy: policyFixture },
  evaluation: { answer: implicitAnswer as JobAnswer, policy: evaluationPolicyFixture },
  documents: { answer: quarterlyAnalysis as JobAnswer, policy: undefined },
};
type Subject = keyof typeof subjects;

function listFields(value: unknown): string[] {
  const found = new Set<string>();
  walk(value, (text, key) => {
    if (!shape.has(key)) found.add(key);
    return text;
  });
  return [...found].toSorted();
}

function withWords(subject: Subject, field: string, words: string): JobAnswer {
  return walk(subjects[subject].answer, (text, key) => (key === field ? `${text}${words}` : text));
}

/** Every element with the names of its attributes, and where it leads. */
function layOutPage(page: string): { elements: string[]; addresses: string[] } {
  const elements: string[] = [];
  const addresses: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      elements.push(`${name} ${Object.keys(attributes).join(' ')}`);
      for (const place of ['href', 'src', 'action', 'formaction', 'style', 'srcdoc'])
        if (attributes[place] !== undefined) addresses.push(attributes[place]);
    },
  });
  parser.end(page);
  return { elements, addresses };
}

/** What Markdown is made of beside text. */
function layOutMarkdown(text: string): string[] {
  const found: string[] = [];
  const visit = (node: { type: string; url?: string; children?: unknown[] }): void => {
    if (['html', 'link', 'image', 'definition', 'linkReference', 'imageReference'].includes(node.type))
      found.push(`${node.type} ${node.url ?? ''}`);
    for (const child of node.children ?? []) visit(child as typeof node);
  };
  visit(fromMarkdown(text));
  return found.toSorted();
}

const evil = /javascript:|evil\.example|example\.org\/\)/i;

// oxlint-disable-next-line no-control-regex -- what a terminal obeys
const escapes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

async function expectInert(subject: Subject, field: string, payload: string): Promise<void> {
  const { policy } = subjects[subject];
  const extras = policy ? { policy } : {};
  const said = withWords(subject, field, payload);
  const harmless = withWords(subject, field, harmlessLike(payload));
  const page = layOutPage(await renderReport(said, 'html', extras));
  const plain = layOutPage(await renderReport(harmless, 'html', extras));
  expect(new Set(page.elements)).toEqual(new Set(plain.elements));
  expect(page.elements).not.toContainEqual(expect.stringMatching(/ on\w+/));
  expect(
    page.addresses.filter(
      (address) => evil.test(decodeURIComponent(address.replace(/%(?![0-9a-f]{2})/gi, ''))) && !address.startsWith('#'),
    ),
  ).toEqual([]);
  for (const format of ['markdown', 'notice'] as const) {
    const made = layOutMarkdown(await renderReport(said, format, extras));
    expect(
      made.filter((node) => node.startsWith('html') || evil.test(node)),
      format,
    ).toEqual([]);
  }
  if (subject !== 'documents') for (const line of renderVerdict(said as Answer, 80)) expect(line).not.toMatch(escapes);
}

const fields: HostileCase[] = (Object.keys(subjects) as Subject[]).flatMap((subject) =>
  listFields(subjects[subject].answer).flatMap((field) =>
    // Each field meets a third of the payloads, each payload every third field: all pairs would take minutes.
    payloads
      .map((payload, index) => ({ payload, index }))
      .filter(({ index }) => (index + field.length + field.charCodeAt(0)) % 3 === 0)
      .map(({ payload, index }) => ({
        name: `${subject}.${field}: payload ${index + 1}`,
        run: () => expectInert(subject, field, payload),
      })),
  ),
);

// Cells that a spreadsheet would compute

const formulas = [
  '=1+1',
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '=HYPERLINK("https://evil.example","x")',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '|cmd',
  '%0A=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  '=1+1",=2+2',
  '"=1+1"',
];
const computes = /^[\s\u0000-\u001f]*[=+\-@|%＝＋－＠]/;

const cells: HostileCase[] = formulas.flatMap((formula, index): HostileCase[] => [
  {
    name: `a cell of a run's results: formula ${index + 1}`,
    run: () => {
      const [row] = parse(renderCsvRow([renderTextCell(formula), 'b']));
      expect(row).toHaveLength(2);
      expect(row![0]).not.toMatch(computes);
      expect(row![0]!.replace(/^'/, '')).toBe(formula);
    },
  },
  ...(['csv', 'xlsx'] as const).map((format) => ({
    name: `the findings of an analysis as ${format}: formula ${index + 1}`,
    run: async () => {
      const said = walk(subjects.documents.answer, (text, key) => (shape.has(key) ? text : `${formula}${text}`));
      const bytes = await renderReportFile(said, format);
      if (format === 'csv') {
        const rows = parse(new TextDecoder().decode(bytes), { relax_column_count: true, bom: true });
        for (const cell of rows.flat()) if (Number.isNaN(Number(cell))) expect(cell).not.toMatch(computes);
        return;
      }
      for (const [name, content] of Object.entries(unzipSync(bytes)))
        if (name.startsWith('xl/worksheets/')) expect(new TextDecoder().decode(content)).not.toMatch(/<f[ >]/);
    },
  })),
]);

describeHostile('markup', [...fields, ...cells], { every: 25 });
