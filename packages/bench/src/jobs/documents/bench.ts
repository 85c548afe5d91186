import { documentsJob } from '@agonhq/documents';
import { resolveBelow } from '@agonhq/engine/items';
import type { JobBench } from '../../job-bench.ts';
import { cell, formatPercentEstimate, tableHead, type BenchBlock } from '../../report/block.ts';
import { documentsFormats } from './formats.ts';
import { claimClasses, readLabelledClaim, type LabelledClaim } from './labelled-claim.ts';
import { buildDocumentsReport, toClaimClass, type DocumentsReport } from './report.ts';
import { claimRecordSchema, readClaimResults, runClaims, type ClaimRun, type JudgedClaim } from './run-claims.ts';
import { offerSystems } from '../../systems/offered-systems.ts';
import { claimSystemNames, documentsAblations, openClaimSystems, type DocumentsSystem } from './systems.ts';

/** Documents on the bench: claims that a document entails, refutes, or does not speak of. */
export const documentsBench: JobBench<LabelledClaim, DocumentsSystem, JudgedClaim, ClaimRun, DocumentsReport> = {
  job: documentsJob.id,
  itemFields: ['claim', 'doc', 'doc_text'],
  ownFields: ['claim'],
  recognizesItem: (fields) => Object.hasOwn(fields, 'claim'),
  example: '{"id":"1","claim":"…","label":"entailed","doc":"report.pdf"}',
  formats: documentsFormats,
  readItem: readLabelledClaim,
  readText: ({ claim, source }) => ({
    whole: claim,
    response: null,
    // The same claim about another document is another item.
    about: 'text' in source ? source.text : `${source.path}#${source.entry ?? ''}`,
  }),
  describeItem: ({ claim }) => ({ excerpt: claim, model: null }),
  listClasses: (labels) => claimClasses.filter((label) => label !== 'neutral' || labels.has('neutral')),
  positive: null,
  presentation: { title: documentsJob.title, leadingMetric: 'accuracy', accuracyTitle: 'Overall accuracy' },
  async toRunInput({ claim, source }, { root, keepText }) {
    const file = 'text' in source ? await keepText(source.text) : resolveBelow(root, source.path, 'document');
    return { files: [{ file }], claims: [claim] };
  },
  offeredSystems: offerSystems([
    'full',
    'single',
    'zero-shot',
    'vote',
    'control',
    'all-arbiter',
    'all-debaters',
    'all:provider:model',
    'seat:NAME=provider:model',
  ]),
  systemNames: claimSystemNames,
  defaultSystem: 'full',
  ablations: documentsAblations,
  openSystems: openClaimSystems,
  async openRunner(store) {
    const results = await readClaimResults(store);
    return {
      run: (system, data, options) => runClaims(system, data, { ...options, results }),
      findRecord(key) {
        const claims = results.judged.get(key);
        return claims && { claims };
      },
    };
  },
  readRecord(record) {
    const read = claimRecordSchema.safeParse(record);
    return new Map(read.data?.claims.map((claim) => [claim.key, claim]));
  },
  readOutcome({ label, opening }, classes) {
    const hasNeutral = classes.includes('neutral');
    return {
      said: toClaimClass(label, hasNeutral),
      score: null,
      opening: opening && { said: toClaimClass(opening, hasNeutral), score: null },
    };
  },
  buildReport: ({ data, runs }) =>
    buildDocumentsReport(
      data,
      runs.map(([first]) => first!),
    ),
  buildBlocks: (report) => (report.data.withEvidence === 0 ? [] : [citationsBlock(report)]),
};

function citationsBlock({ systems }: DocumentsReport): BenchBlock {
  return {
    title: 'Citations',
    lead:
      'Of the parts that a verdict cites, how many are gold evidence; and of the gold evidence, how much is ' +
      'cited. Means over claims, in percent, with 95 % intervals.',
    table: {
      head: tableHead('System', 'Precision | Recall'),
      rows: systems.map(({ name: system, metrics, intervals }) => [
        cell.name(system),
        cell.number(formatPercentEstimate({ value: metrics.citationPrecision, interval: intervals.citationPrecision })),
        cell.number(formatPercentEstimate({ value: metrics.citationRecall, interval: intervals.citationRecall })),
      ]),
    },
  };
}
