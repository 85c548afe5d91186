import { describe, expect, test } from 'vitest';
import { hugeSet, laterSet, makeUpResult, measureMadeUp, poorSets } from '@agonhq/test/support/made-up-result.ts';
import { walk } from '@agonhq/test/support/report-page.ts';
import { renderBenchMarkdown } from './render-markdown.ts';
import { describeComparison } from './blocks/comparisons.ts';
import { describeGain, describeTotal } from './blocks/debate-gains.ts';
import { writeCount, writeDollars, formatProbability, writeSigned } from './write-values.ts';

const letters = measureMadeUp(makeUpResult({ items: 60 }));
const claims = measureMadeUp(
  makeUpResult({
    title: 'Village claims',
    job: 'documents',
    classes: ['entailed', 'refuted', 'neutral'],
    positive: null,
    items: 40,
    seed: 3,
    repeats: 2,
    raters: true,
  }),
);
const options = { title: 'Letters and claims', times: false };

/** One table of a Markdown document, by its heading. */
const section = (markdown: string, heading: string) =>
  markdown.split(/^#+ /m).find((part) => part.startsWith(heading)) ?? '';

describe('the Markdown of a bench', () => {
  const markdown = renderBenchMarkdown([letters, claims], options);

  test('leads with every system on every set, trained cells marked and explained', () => {
    const summary = section(markdown, 'Moderation: all sets at a glance');
    expect(summary).toContain('| System | Made-up letters (F1, 60 items) |');
    expect(section(markdown, 'Documents: all sets at a glance')).toContain(
      '| System | Village claims (Balanced accuracy, 40 items) |',
    );
    expect(section(markdown, 'Documents: overall accuracy')).toContain(
      '| System | Village claims (Accuracy, 40 items) |',
    );
    expect(summary).toMatch(/\| `guard` \| (?:\*\*|<ins>)?\d+\.\d†(?:\*\*|<\/ins>)? \(\d+\.\d–\d+\.\d\)/);
    expect(summary).toContain('† trained in-domain');
    expect(summary).not.toContain('‡');
  });

  test('does not call the best what was trained on these very items', () => {
    const perfect = makeUpResult({
      items: 30,
      systems: [
        { name: 'honest', kind: 'debate', skill: 0.5, rounds: 1 },
        { name: 'leaked', kind: 'baseline', skill: 40, trained: 'these-items' },
        { name: 'other', kind: 'baseline', skill: 0.1 },
      ],
    });
    const markdown = renderBenchMarkdown([measureMadeUp(perfect), measureMadeUp(perfect)], options);
    for (const table of [section(markdown, 'All sets at a glance'), section(markdown, 'Scores')]) {
      expect(table).toMatch(/\| `leaked` \| 100\.0‡ \([78]\d\.\d–100\.0\) \|/);
      expect(table).toMatch(/\| `(?:honest|other)` \| \*\*/);
      expect(table).toContain('‡ trained on these very items');
    }
  });

  test('says everything once where there is one set', () => {
    expect(renderBenchMarkdown([letters], options)).not.toContain('at a glance');
  });

  test('counts what was not settled as a mean over the repeats, and lists all of it', () => {
    const result = makeUpResult({
      items: 30,
      repeats: 3,
      systems: [{ name: 'wavers', kind: 'baseline', skill: 1, undecided: 0.5 }],
    });
    const open = result.systems[0]!.repeats.map(
      (outcomes) => outcomes.filter(({ said }) => said === 'undecided').length,
    );
    const mean = open.reduce((sum, count) => sum + count, 0) / 3;
    const markdown = renderBenchMarkdown([measureMadeUp(result)], options);
    expect(section(markdown, 'Scores')).toContain(`| ${Number.isInteger(mean) ? mean : mean.toFixed(1)} | 0 |`);
    expect(section(markdown, 'Undecided and failed items')).toContain('in one repeat at least');
  });

  test('holds no time unless asked, and then in the last table alone', () => {
    expect(renderBenchMarkdown([laterSet(letters), laterSet(claims)], options)).toBe(markdown);
    expect(markdown).not.toMatch(/\d ms\b|items a second/);
    const timed = renderBenchMarkdown([letters, claims], { ...options, times: true });
    expect(timed.slice(0, markdown.length - 1)).toBe(markdown.slice(0, -1));
    expect(timed.slice(markdown.length - 1)).toMatch(/^\n\n## Time\n/);
  });

  test('aligns numbers to the right, and makes the best bold without its interval', () => {
    const scores = section(markdown, 'Scores');
    expect(scores).toMatch(/^\| --- \| ---: \|/m);
    expect(scores).toMatch(/\| \*\*\d+\.\d\*\* \(\d+\.\d–\d+\.\d\) \|/);
    expect(scores).toMatch(/<ins>\d+\.\d<\/ins> \(/);
  });

  test('is the same to the byte for the same result', () => {
    expect(renderBenchMarkdown([measureMadeUp(makeUpResult({ items: 60 })), claims], options)).toBe(markdown);
  });

  test('puts published figures beside ours with their source', () => {
    expect(section(markdown, 'Compared with published figures')).toMatch(
      /\| Larch-Guard \| 86\.1 \| {2}\| The letters paper, table 2 \|[^]*\| `full` \| \d+\.\d \(.+?\) \| \d+\.\d \(.+?\) \| measured here \|/,
    );
  });

  test('puts no ablation beside published figures', () => {
    const ablation = letters.result.systems.find(({ kind }) => kind === 'ablation')!.name;
    expect(section(markdown, 'Scores')).toContain(`| \`${ablation}\` |`);
    expect(section(markdown, 'Compared with published figures')).not.toContain(`\`${ablation}\``);
  });

  test('shows both rules for undecided items where they differ', () => {
    const settled = makeUpResult({ items: 30, systems: [{ name: 'sure', kind: 'baseline', skill: 1 }] });
    const open = makeUpResult({ items: 30, systems: [{ name: 'sure', kind: 'baseline', skill: 1, undecided: 0.5 }] });
    expect(renderBenchMarkdown([measureMadeUp(settled)], options)).not.toContain('by both rules');
    expect(section(renderBenchMarkdown([measureMadeUp(open)], options), 'Undecided items, by both rules')).toMatch(
      /Accuracy, as errors \| Accuracy, left out/,
    );
  });

  test('leaves out what the data cannot measure', () => {
    const ofClaims = markdown.slice(markdown.indexOf('## Village claims'));
    expect(section(ofClaims, 'Scores')).not.toContain('Precision');
    expect(ofClaims).toContain('### Consistency');
    expect(ofClaims).toContain('### Raters');
    expect(markdown.slice(0, markdown.indexOf('## Village claims'))).not.toContain('### Consistency');
  });

  test('is made of little or nothing too: an empty set, a broken line, a system that failed throughout', () => {
    const written = renderBenchMarkdown(poorSets(), options);
    expect(written).toContain('3 items (3 without a readable label)');
    expect(written).not.toMatch(/\b(?:NaN|undefined|Infinity|null)\b/);
  });

  test('has the tables of the job after our own', () => {
    const table = { head: [{ text: 'Method' }], rows: [[{ text: 'debate' }]] };
    const own = [{ title: 'Table 3: without roles', lead: 'Of the paper.', table }];
    expect(renderBenchMarkdown([{ ...letters, own }], options)).toMatch(
      /### Table 3: without roles\n\nOf the paper\.\n\n\| Method \|/,
    );
  });

  test('stays small when every text of the data is a megabyte long', () => {
    expect(renderBenchMarkdown([hugeSet()], options).length).toBeLessThan(500_000);
  });

  test('reads no name of the data as markup', () => {
    const attack = ' <b>|`[x](http://example.org) @everyone #1\n# heading';
    const attacked = walk(makeUpResult({ items: 30 }), (text, key) =>
      ['id', 'category', 'title', 'file', 'name', 'of', 'model', 'problem', 'source', 'system'].includes(key)
        ? text + attack
        : text,
    );
    const text = renderBenchMarkdown([measureMadeUp(attacked)], {
      ...options,
      title: attack,
      about: [{ name: attack, value: attack }],
    });
    const outsideCode = text
      .split('\n')
      .map((line) => line.replaceAll(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, ''))
      .join('\n');
    expect(outsideCode).not.toMatch(/<b>|http|@everyone|# heading$/m);
  });
});

describe('in words', () => {
  test.each([
    [{ value: 0.04, interval: [0.01, 0.07] as [number, number] }, 0.01, 'clearly better'],
    [{ value: -0.04, interval: [-0.07, -0.01] as [number, number] }, 0.01, 'clearly worse'],
    [{ value: 0.04, interval: [0.01, 0.07] as [number, number] }, 0.2, 'no clear difference'],
    [{ value: 0.04, interval: [-0.01, 0.09] as [number, number] }, 0.01, 'no clear difference'],
    [{ value: 0.04, interval: null }, 0.01, 'no clear difference'],
    [{ value: null, interval: null }, null, 'no clear difference'],
  ])('%j with a corrected p of %s is %s', (difference, corrected, words) => {
    expect(describeComparison({ difference, corrected })).toBe(words);
  });

  test('a receipt ends with what was won and what it took', () => {
    const place = { line: 1, id: null, gold: 'safe', from: 'unsafe', to: 'safe' };
    const gain = {
      metric: 'f1' as const,
      gain: { value: 0.02, interval: [0.01, 0.03] as [number, number] },
      accuracy: { value: 0.02, interval: null },
      extraTokens: 1234.4,
      extraUsd: 0.0021,
      better: [place, place, place],
      worse: [place],
      otherwise: [],
      items: 20,
      leftOut: 0,
      estimated: false,
    };
    expect(describeTotal(gain)).toBe(
      '3 answers corrected, 1 broken: 2 items won in all, for +1,234 tokens and +$0.0021 per item.',
    );
    expect(describeTotal({ ...gain, better: [], worse: [], extraTokens: null, extraUsd: null })).toBe(
      'No answer became right or wrong.',
    );
    expect(describeTotal({ ...gain, extraTokens: 0, extraUsd: 0 })).toBe(
      '3 answers corrected, 1 broken: 2 items won in all, at no cost.',
    );
    expect(describeGain(gain)).toBe('a clear gain');
    expect(describeGain({ ...gain, gain: { value: 0.02, interval: [0, 0.03] } })).toBe('no clear difference');
  });

  test.each([
    [0, '$0'],
    [0.6, '$0.60'],
    [0.000_252, '$0.000252'],
    [1234.5, '$1,234.50'],
    [-0.02, '−$0.02'],
    [0.259_4, '$0.259'],
  ])('%s dollars are %s', (value, words) => {
    expect(writeDollars(value)).toBe(words);
  });

  test.each([
    [12.000_000_000_000_002, '12'],
    [11.666_666, '11.7'],
    [1234.5, '1,234.5'],
    [0, '0'],
  ])('%s is counted as %s', (value, words) => {
    expect(writeCount(value)).toBe(words);
  });

  test('small probabilities are not rounded to nothing, and differences have a sign', () => {
    expect([formatProbability(0.0004), formatProbability(0.05)]).toEqual(['< 0.001', '0.050']);
    expect([writeSigned(3, String), writeSigned(-3, String), writeSigned(0, String)]).toEqual(['+3', '−3', '±0']);
  });
});
