import { has, listIn, textIn } from './cells.ts';
import type { DataFormat } from './format.ts';

export const findver: DataFormat = {
  name: 'findver',
  jobs: ['documents'],
  description:
    'FinDVer: claims about financial reports, entailed or refuted, with the parts that decide. Give the ' +
    'repository as --root.',
  source: 'data/testmini.json of the FinDVer repository; reports in its financial_reports folder',
  columns: 'example_id, statement, report, relevant_context, entailment_label, subset',
  recognises: (row) => has(row, 'statement', 'report', 'entailment_label'),
  read(row) {
    const report = textIn(row, 'report');
    return [
      {
        id: row['example_id'],
        claim: row['statement'],
        label: row['entailment_label'],
        doc: report === undefined ? undefined : places(report),
        evidence_ids: listIn(row, 'relevant_context')?.map(Number),
        category: textIn(row, 'subset'),
      },
    ];
  },
};

/** Reports are named with their ending or without, and may be packed. */
function places(report: string): string[] {
  const names = /\.(json|gz)$/i.test(report)
    ? [report, `${report}.gz`]
    : [`${report}.json`, `${report}.json.gz`, report];
  return ['financial_reports/', 'reports/', ''].flatMap((folder) => names.map((name) => `${folder}${name}`));
}
