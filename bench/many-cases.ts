import { sha256 } from '../src/hash.ts';
import type { Ledger, LedgerLine } from '../src/ledger/index.ts';
import { answerTo } from '../test/support/ledger-cases.ts';

/* Many cases with whole answers, for benchmarks of a ledger that has been in use for a while. */

const beginning = Date.UTC(2026, 0, 1);
const moment = (index: number) => new Date(beginning + index * 1_000).toISOString();
const of = <Item>(items: readonly Item[], index: number) => items[index % items.length]!;
const words = [
  'bread',
  'bridge',
  'kettle',
  'harbour',
  'ladder',
  'meadow',
  'orchard',
  'parcel',
  'quarry',
  'ribbon',
  'saddle',
  'tunnel',
];
const categories = ['weapons', 'hate', 'fraud', 'privacy', 'violence'];

/**
 * Puts so many cases into a ledger. One in a thousand tells of zymurgy. Without their trials they are there much
 * sooner.
 */
export async function fillLedger(
  ledger: Ledger,
  cases: number,
  { trials = true }: { trials?: boolean } = {},
): Promise<void> {
  await ledger.import(manyCases(cases, trials));
}

async function* manyCases(cases: number, trials: boolean): AsyncGenerator<LedgerLine> {
  yield { kind: 'policy', version: 1, hash: 'policy', name: 'house rules', policyVersion: '1', document: {} };
  for (let index = 0; index < cases; index += 1) yield* linesOf(index, trials);
}

function* linesOf(index: number, trials: boolean): Generator<LedgerLine> {
  const id = `mod-${sha256(String(index)).slice(7, 23)}`;
  const subject = `sha256:${sha256(`subject ${index}`).slice(7)}`;
  const text =
    `Case number ${index} of many, about a ${of(words, index * 7)} and a ` +
    `${of(words, index * 5 + 3)}${index % 1_000 === 0 ? ' and zymurgy' : ''}, with some words that a ` +
    'person may look for.';
  const label = index % 50 === 0 ? 'undecided' : index % 3 === 0 ? 'unsafe' : 'safe';
  const named = label === 'unsafe' ? [{ id: of(categories, index), clause: `${of(categories, index)}.first` }] : [];
  const answer = answerTo(
    id,
    {
      label,
      score: (index % 100) / 100,
      confidence: ((index * 7) % 100) / 100,
      escalate: label === 'undecided',
      categories: named,
      degraded: [],
    },
    trials ? {} : { transcript: [], sources: [], precedents: [] },
  );
  const models = Object.fromEntries(
    Object.keys(answer.provenance.models).map((seat) => [seat, `fake:model-${index % 10}`]),
  );
  const judged = { ...answer, provenance: { ...answer.provenance, models } };
  yield {
    kind: 'subject',
    version: 1,
    hash: subject,
    content: { text },
    excerpt: text.slice(0, 160),
    attachments: [],
    openedAt: moment(index),
    forgottenAt: null,
  };
  yield {
    kind: 'debate',
    version: 1,
    id,
    job: 'moderation',
    subject,
    configuration: 'c',
    settings: {},
    policy: 'policy',
    run: index % 20 === 0 ? 'run-1' : null,
    again: null,
    openedAt: moment(index),
    forgottenAt: null,
  };
  yield {
    kind: 'verdict',
    version: 1,
    debate: id,
    label,
    score: answer.verdict.score,
    probability: null,
    escalate: label === 'undecided',
    rule: answer.verdict.rule.id,
    categories: named.map((category) => category.id),
    degraded: false,
    modality: 'text',
    answer: judged,
    seal: answer.seal,
    closedAt: moment(index),
  };
}
