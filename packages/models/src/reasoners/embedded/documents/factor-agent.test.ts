import { expect, test } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import { answerFactorAgent } from './factor-agent.ts';

const grew = (words: number) => `Revenue grew by 15 % ${'and more '.repeat((words - 6) / 2)}everywhere.`;

async function claimsIn(...sentences: string[]) {
  const document = documentOf('report.md', ['# Results for 2024', ...sentences]);
  const sources = document.blocks
    .filter(({ kind }) => kind === 'paragraph')
    .map((block) => ({ id: `report.md#${block.id}`, text: document.text.slice(block.start, block.end) }));
  const question = { caseFile: { dossier: { documents: [document] }, sources } };
  return (await answerFactorAgent(question as never)).claims;
}
const quotesIn = async (...sentences: string[]) => (await claimsIn(...sentences)).map(({ quote }) => quote);

test.each<[string, string]>([
  ['a question', 'Did revenue grow by 15 %?'],
  ['what leads to something else', 'Revenue grew as follows, by 15 %:'],
  ['two words', 'Revenue grew.'],
  ['more than seventy words', grew(72)],
  ['a definition', 'Revenue is defined as the growth of all sales.'],
  ['what might happen', 'Revenue may grow if demand is strong.'],
  ['a footnote', '(1) Revenue grew by 15 % on the year.'],
  ['boilerplate', 'Forward-looking statements were made on growth of 15 %.'],
  ['what asserts nothing', 'We thank our partners for their trust.'],
])('%s is no claim', async (_, sentence) => {
  expect(await quotesIn(sentence)).toEqual([]);
});

test('a sentence of up to seventy words that asserts something is one, and a definition with a figure', async () => {
  expect(await quotesIn(grew(70))).toHaveLength(1);
  expect(await quotesIn('Revenue is defined as sales, of which $5 million was ours.')).toHaveLength(1);
});

test('a claim says what kind it is, what about and when, the most important first', async () => {
  const claims = await claimsIn(
    'The number of visitors was stable.',
    'Revenue grew by 15 % due to the campaign.',
    'It rose because of demand.',
    'Headcount is expected to remain stable in 2025.',
    'Production capacity was excellent.',
  );
  expect(claims.map(({ importance }) => importance)).toEqual(
    claims.map(({ importance }) => importance).toSorted((a, b) => b - a),
  );
  expect(claims[0]).toMatchObject({
    quote: 'Revenue grew by 15 % due to the campaign.',
    claim: 'Revenue grew by 15 % due to the campaign (2024).',
    kind: 'causal',
    domain: 'finance',
  });
  const byQuote = new Map(claims.map((claim) => [claim.quote, claim]));
  expect(byQuote.get('It rose because of demand.')).toMatchObject({
    claim: 'Results for 2024: It rose because of demand.',
  });
  expect(byQuote.get('Headcount is expected to remain stable in 2025.')).toMatchObject({
    claim: 'Headcount is expected to remain stable in 2025.',
    kind: 'predictive',
    domain: 'people',
  });
  expect(byQuote.get('Production capacity was excellent.')).toMatchObject({ kind: 'evaluative', domain: 'operations' });
});
