import { parseArgs } from 'node:util';
import { createAgon } from '@agonhq/core';
import { table } from '../../table.ts';
import { composeStatements } from './compose.ts';

/*
 * Statements of seventeen kinds, true and false, in made-up reports: how many become claims, how each is labelled, and
 * how often the labels that claim a proof are right. `--held-out` takes kinds of report and phrasings that no reader
 * was written for; `--factors` passes the statements as the user's own claims.
 */

const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    'held-out': { type: 'boolean', default: false },
    factors: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    kind: { type: 'string', default: '' },
  },
});

interface Result {
  kind: string;
  isTrue: boolean;
  label: string;
  rule: string;
  check: string;
}
const results: Result[] = [];
const agon = await createAgon({}, { only: ['documents'] });
for (let index = 0; index < Number(values.reports); index++) {
  const report = composeStatements(Number(values.seed) * 1000 + index, values['held-out']);
  const { claims } = await agon.analyze([{ name: report.name, bytes: new TextEncoder().encode(report.text) }], {
    maxFactors: 200,
    ...(values.factors ? { factors: report.statements.map(({ text }) => text) } : {}),
  });
  for (const { kind, isTrue, text } of report.statements) {
    const claim = claims.find(({ subject }) => subject.text.includes(text.replace(/[.]$/, '')));
    const label = claim?.verdict.label ?? 'no claim';
    const wrong = isTrue
      ? ['contradicted', 'unsupported', 'no claim', 'mixed']
      : [
          'supported',
          'verified-strong',
          'mixed',
          'no claim',
          ...(kind === 'missing' ? ['contradicted'] : ['unsupported']),
        ];
    results.push({ kind, isTrue, label, rule: claim?.verdict.rule.id ?? '', check: claim?.numbers[0]?.check ?? '' });
    if (values.misses && wrong.includes(label) && kind.includes(values.kind))
      console.log(
        `${isTrue ? 'true ' : 'FALSE'} ${label.padEnd(15)} ${kind.padEnd(10)} ${text}  [${claim?.numbers.map(({ arithmetic }) => arithmetic)[0] ?? claim?.verdict.rule.id}]`,
      );
  }
}
await agon.close();

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part}/${whole} (${Math.round((100 * part) / whole)} %)`;
const rowOf = (name: string, some: readonly Result[]): string[] => {
  const [right, wrong] = [some.filter(({ isTrue }) => isTrue), some.filter(({ isTrue }) => !isTrue)];
  const count = (of: readonly Result[], ...labels: string[]): number =>
    of.filter(({ label }) => labels.includes(label)).length;
  return [
    name,
    share(some.length - count(some, 'no claim'), some.length),
    share(count(right, 'verified-strong', 'supported'), right.length),
    share(count(right, 'contradicted'), right.length),
    share(
      wrong.filter(({ kind, label }) => label === (kind === 'missing' ? 'unsupported' : 'contradicted')).length,
      wrong.length,
    ),
    share(count(wrong, 'contradicted', 'unsupported'), wrong.length),
    share(count(wrong, 'contradicted'), count(some, 'contradicted')),
    share(count(right, 'verified-strong'), count(some, 'verified-strong')),
  ];
};
const kinds = [...new Set(results.map(({ kind }) => kind))].toSorted();
console.log(
  table(
    [
      '',
      'became claims',
      'true: supported or better',
      'true: contradicted',
      'false: labelled as it should be',
      'false: contradicted or unsupported',
      'precision of contradicted',
      'precision of verified-strong',
    ],
    [
      ...kinds.map((kind) =>
        rowOf(
          kind,
          results.filter((result) => result.kind === kind),
        ),
      ),
      rowOf('all', results),
    ],
  ),
);
