import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import { needPart } from '@agonhq/engine/parts';
import type { ReportExtras, ReportFile } from '@agonhq/judges/job/job-report';
import type { Analysis } from '../index.ts';
import { arrangeFindings, joinArithmetic, nameFindingSpeaker, nameVerdict } from '../findings/arrange-findings.ts';
import { describePlaces, dropLeftOut, listFindings, type ListedFinding } from '../findings/list-findings.ts';

type RenderFile = ReportFile<Analysis>['render'];

/* Findings as rows for a spreadsheet. What a document says is text there, never a formula. */

const columns = [
  'No.',
  'Verdict',
  'Finding',
  'Why',
  'Arithmetic',
  'Stated in',
  'Seen in',
  'Quotations',
  'Corrected',
  'Confidence',
  'Whose word',
  'Own wording',
  'Note',
  'Edited by',
] as const;
const widths = [6, 18, 60, 60, 50, 30, 40, 60, 60, 12, 18, 60, 60, 18];
/** A cell of a spreadsheet holds no more. */
const longestCell = 32_000;

function listRows(analysis: Analysis, { arranged = {}, ...words }: ReportExtras): string[][] {
  const shown = arrangeFindings(dropLeftOut(listFindings(analysis, words)), analysis, arranged);
  return shown.map((finding) => [
    finding.claim === null ? '' : String(finding.claim),
    nameVerdict(finding.verdict),
    finding.text,
    explain(finding),
    joinArithmetic(finding),
    finding.stated ? describePlaces([finding.stated], analysis) : '',
    describePlaces(finding.places, analysis),
    finding.places.map(({ quote }) => quote).join('\n'),
    finding.corrections.join('\n'),
    finding.confidence === null ? '' : `${Math.round(finding.confidence * 100)} %`,
    nameFindingSpeaker(finding),
    finding.edit?.wording ?? '',
    finding.edit?.note ?? '',
    finding.edit?.by ?? '',
  ]);
}

function explain({ why, numbers, text }: ListedFinding): string {
  const statements = numbers.map(({ statement }) => statement).filter((statement) => statement !== text);
  return [why, ...statements].filter((part) => part !== '').join('\n');
}

/** Findings as separated values, in UTF-8 with the mark that spreadsheets know it by. */
export const csvFindings: RenderFile = async (analysis, _, extras = {}) => {
  const rows = [[...columns], ...listRows(analysis, extras).map((row) => row.map(renderTextCell))];
  return new TextEncoder().encode(`\uFEFF${rows.map((row) => renderCsvRow(row)).join('')}`);
};

/** Findings as a workbook: one row each under a header that stays, and what the whole comes to. */
export const xlsxFindings: RenderFile = async (analysis, _, extras = {}) => {
  needPart('documents');
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const text = (value: string) => ({
    value: cleanCell(value),
    type: String,
    wrap: true,
    alignVertical: 'top' as const,
  });
  const heading = (value: string) => ({ value, type: String, fontWeight: 'bold' as const });
  const { outlook, documents, seal } = analysis;
  const about: [string, string][] = [
    ['Outlook', outlook.label],
    ['Summary', outlook.brief],
    ...documents.map(({ name, hash }): [string, string] => ['File', `${name} ${hash}`]),
    ...documents.flatMap(({ name, notes }) => notes.map((note): [string, string] => ['Note', `${name}: ${note}`])),
    ['Seal', seal],
  ];
  return await writeExcelFile([
    {
      sheet: 'Findings',
      columns: widths.map((width) => ({ width })),
      stickyRowsCount: 1,
      data: [columns.map(heading), ...listRows(analysis, extras).map((row) => row.map(text))],
    },
    {
      sheet: 'About',
      columns: [{ width: 12 }, { width: 110 }],
      data: about.map(([name, value]) => [heading(name), text(value)]),
    },
  ]).toBuffer();
};

/** Without what XML cannot hold. */
function cleanCell(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '\ufffd')
    .slice(0, longestCell);
}
