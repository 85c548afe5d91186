import { parseArgs } from 'node:util';
import { createAgon } from '@agonhq/core';
import { checkNumbers } from '@agonhq/documents/numbers';
import { ingestDocument } from '@agonhq/documents/ingest';
import type { NumberPlace } from '@agonhq/documents';
import { table } from '../table.ts';
import { reportPairs, type ReportFormat } from './generate.ts';
import type { Truth } from './report.ts';
import { atRightPlace } from './right-place.ts';

/*
 * How many planted contradictions the number tools flag at the right place, and on how many consistent twins they raise
 * an alarm; beside it the embedded zero-shot judge, which contradicts claims or does not (`--no-baseline` leaves it
 * out). `--json` prints the numbers, `--misses` what went wrong.
 */

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '7' },
    format: { type: 'string', default: 'pdf,xlsx,csv' },
    json: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

interface Result {
  id: string;
  format: string;
  truth: Truth;
  flagged: boolean;
  alarms: readonly string[];
  raised: readonly string[];
  zeroShot: { flagged: boolean; alarm: boolean } | null;
}

const judge = values.baseline
  ? await createAgon({ documents: { method: 'zero-shot' } }, { only: ['documents'] })
  : null;
/** Where the zero-shot judge sees a claim contradicted. */
async function contradicted(name: string, bytes: Uint8Array): Promise<NumberPlace[]> {
  const { claims } = await judge!.analyze([{ name, bytes }]);
  return claims.flatMap(({ subject, verdict }) =>
    verdict.label === 'contradicted' && subject.origin !== null ? [subject.origin] : [],
  );
}

const results: Result[] = [];
for await (const { id, format, truth, consistent, contradictory } of reportPairs(
  Number(values.pairs),
  Number(values.seed),
  values.format.split(',') as ReportFormat[],
)) {
  const [clean, planted] = await Promise.all(
    [consistent, contradictory].map(async (bytes) => ({
      documents: [await ingestDocument(bytes, `${id}.${format}`, { readImageText: null })],
    })),
  );
  const conflicts = checkNumbers(planted!).filter(({ outcome }) => outcome === 'conflict');
  const told = (list: typeof conflicts): string[] =>
    list.map(({ check, statement, arithmetic }) => `${check}: ${statement} [${arithmetic}]`);
  const zeroShot =
    judge === null
      ? null
      : {
          flagged: (await contradicted(`${id}.${format}`, contradictory)).some((place) =>
            atRightPlace({ places: [place] }, truth, planted!),
          ),
          alarm: (await contradicted(`${id}.${format}`, consistent)).length > 0,
        };
  results.push({
    id,
    format,
    truth,
    zeroShot,
    flagged: conflicts.some((finding) => atRightPlace(finding, truth, planted!)),
    alarms: told(checkNumbers(clean!).filter(({ outcome }) => outcome === 'conflict')),
    raised: told(conflicts),
  });
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part}/${whole} (${Math.round((100 * part) / whole)} %)`;
const rowOf = (name: string, some: readonly Result[]): string[] => [
  name,
  share(some.filter(({ flagged }) => flagged).length, some.length),
  share(some.filter(({ alarms }) => alarms.length > 0).length, some.length),
  ...(judge === null
    ? []
    : [
        share(some.filter(({ zeroShot }) => zeroShot?.flagged === true).length, some.length),
        share(some.filter(({ zeroShot }) => zeroShot?.alarm === true).length, some.length),
      ]),
];
const groups = (key: (result: Result) => string): string[][] =>
  [...new Set(results.map(key))].toSorted().map((name) =>
    rowOf(
      name,
      results.filter((result) => key(result) === name),
    ),
  );

if (values.json)
  console.log(
    JSON.stringify(
      {
        pairs: results.length,
        seed: Number(values.seed),
        flagged: results.filter(({ flagged }) => flagged).length,
        falseAlarms: results.filter(({ alarms }) => alarms.length > 0).length,
        zeroShot:
          judge === null
            ? null
            : {
                flagged: results.filter(({ zeroShot }) => zeroShot?.flagged === true).length,
                falseAlarms: results.filter(({ zeroShot }) => zeroShot?.alarm === true).length,
              },
        results,
      },
      null,
      2,
    ),
  );
else
  console.log(
    table(
      [
        '',
        'contradiction flagged at its place',
        'consistent twin with an alarm',
        ...(judge === null ? [] : ['zero-shot: contradicted at its place', 'zero-shot: alarm on the twin']),
      ],
      [...groups(({ truth }) => truth.kind), ...groups(({ format }) => format), rowOf('all', results)],
    ),
  );
if (values.misses) {
  for (const { id, truth, flagged, alarms, raised } of results) {
    if (!flagged)
      console.log(`\nmissed ${id} ${JSON.stringify(truth)}\n${raised.map((one) => `   raised ${one}`).join('\n')}`);
    for (const alarm of alarms) console.log(`\nalarm ${id} ${alarm}`);
  }
}
await judge?.close();
