import { needPart } from '@agonhq/engine/parts';
import { formatPlural } from '@agonhq/engine/view';
import type { FindSource, ReportExtras } from '@agonhq/judges/job/job-report';
import type { Analysis } from '../analysis.ts';
import { listOwnRisks } from '../verdicts/decide-outlook.ts';
import { light } from '@agonhq/engine/reports';
import { arrangeFindings } from '../findings/arrange-findings.ts';
import { numberFindings } from '../trace/index.ts';
import {
  countLabels,
  describeClaimDegradation,
  describeClaimLabel,
  describeOutlook,
  nameCheck,
  type Tone,
} from '../view.ts';
import {
  describeEdit,
  describePlaces,
  dropLeftOut,
  groupFindings,
  type ListedFinding,
} from '../findings/list-findings.ts';
import { sheetsOn, type RowLine } from './pdf-sheet.ts';
import { inStandardLetters } from './standard-letters.ts';

export const toneColours: Record<Tone, { text: string; ground: string }> = {
  good: { text: light.exoneration, ground: light.exonerationGround },
  bad: { text: light.risk, ground: light.riskGround },
  between: { text: light.caution, ground: light.cautionGround },
  open: { text: light.quiet, ground: light.line },
};

/**
 * The decision brief as a PDF: what is wrong first, then what could not be shown, all of it whole. One page where it
 * fits. The same trace gives the same bytes.
 */
export async function pdfBrief(analysis: Analysis, _?: FindSource, extras: ReportExtras = {}): Promise<Uint8Array> {
  needPart('documents');
  const { default: PDFDocument } = await import('pdfkit');
  const title = inStandardLetters(`Decision brief: ${analysis.documents.map(({ name }) => name).join(', ')}`);
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 50, left: 50, right: 50, bottom: 76 },
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    // The bytes follow from the trace, which has no date.
    info: { Title: title, Creator: 'Agon', Producer: 'Agon', CreationDate: new Date(0) },
  });
  const chunks: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });
  writeBrief(document, analysis, title, extras);
  document.end();
  await done;
  return new Uint8Array(Buffer.concat(chunks));
}

function writeBrief(
  document: PDFKit.PDFDocument,
  analysis: Analysis,
  title: string,
  { arranged = {}, corrections, edits }: ReportExtras,
): void {
  const { outlook, documents, seal } = analysis;
  const sheet = sheetsOn(document);
  const line = (text: string, colour?: string, size?: number): void => {
    const shown = inStandardLetters(text.trim());
    if (shown !== '') sheet.line(shown, { ...(colour ? { colour } : {}), ...(size ? { size } : {}) });
  };
  const words = describeOutlook(outlook.label);
  sheet.banner(title, inStandardLetters(`${words.title} outlook`), toneColours[words.tone]);
  line(countFindings(analysis), light.quiet);
  line(outlook.brief, light.ink, 10.5);
  for (const reserve of listReserves(analysis)) line(reserve, light.caution);
  const groups = groupFindings(analysis, { corrections, edits });
  const pick = (findings: readonly ListedFinding[]) => arrangeFindings(dropLeftOut(findings), analysis, arranged);
  const [wrong, mixed, open, held] = [groups.wrong, groups.mixed, groups.open, groups.held].map(pick) as [
    ListedFinding[],
    ListedFinding[],
    ListedFinding[],
    ListedFinding[],
  ];
  const section = (heading: string, findings: readonly ListedFinding[]): void => {
    if (findings.length > 0) sheet.heading(heading);
    for (const finding of findings) {
      const { title: label, tone } = describeVerdict(finding.verdict);
      const lines = describeLines(finding, analysis).map((one) => ({ ...one, text: inStandardLetters(one.text) }));
      const number = finding.claim === null ? '' : String(finding.claim);
      sheet.row(number, inStandardLetters(finding.text), lines, inStandardLetters(label), toneColours[tone]);
    }
  };
  section('What is wrong', wrong);
  section('What holds only in part', mixed);
  section('What could not be shown', open);
  section('What holds', held);
  const rest = (texts: readonly string[]) => texts.map((text) => inStandardLetters(text));
  sheet.list(
    'Further risks',
    rest(listOwnRisks(analysis).filter((risk) => !isSaid(risk, [...groups.wrong, ...groups.mixed]))),
  );
  sheet.list(
    'Open questions',
    rest(outlook.questions.filter((question) => !isSaid(question, [...groups.open, ...groups.mixed]))),
  );
  sheet.list(
    'About the files',
    rest(
      documents.flatMap(({ name, notes }) => notes.map((note) => (documents.length > 1 ? `${name}: ${note}` : note))),
    ),
  );
  sheet.footer(
    inStandardLetters(`Sealed as ${seal}. Check it offline: --report trace.json, then agon verify trace.json`),
  );
}

/** A risk or a question that only repeats a claim which stands above with its reason. */
function isSaid(text: string, findings: readonly ListedFinding[]): boolean {
  return findings.some(
    ({ claim, text: said }) => claim !== null && text.includes(said.replace(/(?<![.!?])[.!?]+$/u, '')),
  );
}

function describeVerdict(verdict: string): { title: string; tone: Tone } {
  return verdict === 'conflict' ? { title: 'Numbers conflict', tone: 'bad' } : describeClaimLabel(verdict);
}

function describeLines(finding: ListedFinding, analysis: Analysis): RowLine[] {
  const { why, numbers, stated, places, text, corrections } = finding;
  const where = describePlaces(places, analysis);
  const from = stated ? describePlaces([stated], analysis) : '';
  return [
    ...corrections.map((said) => ({ kind: 'reason' as const, text: `Corrected: ${said}` })),
    ...describeEdit(finding).map((said) => ({ kind: 'reason' as const, text: said })),
    ...(why === '' ? [] : [{ kind: 'reason' as const, text: why }]),
    ...numbers.flatMap(({ statement, arithmetic, check }): RowLine[] => [
      ...(statement === text ? [] : [{ kind: 'reason' as const, text: statement }]),
      { kind: 'arithmetic', text: `${nameCheck(check)}: ${arithmetic}` },
    ]),
    ...(from === '' && where === ''
      ? []
      : [
          {
            kind: 'place' as const,
            text: [from && `Stated: ${from}`, where && `Seen: ${where}`].filter(Boolean).join('. '),
          },
        ]),
  ];
}

function countFindings(analysis: Analysis): string {
  const { claims } = analysis;
  const findings = numberFindings(analysis);
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict').length;
  const labels = countLabels(claims)
    .map(([label, number]) => `${number} ${describeClaimLabel(label).title.toLowerCase()}`)
    .join(', ');
  return (
    `${formatPlural(claims.length, 'claim')}${labels && `: ${labels}`}. ` +
    `${formatPlural(conflicts, 'number conflict')}; ${formatPlural(findings.length - conflicts, 'number check')} ` +
    'without one.'
  );
}

/** What a reader should know before trusting it. */
function listReserves({ degraded, observations }: Analysis): string[] {
  const care = degraded.map(({ kind, detail }) => `${describeClaimDegradation(kind)}: ${detail}`);
  return [
    ...new Set(care),
    ...(observations.length > 0 ? ['The dossier addresses its judges: that text was not obeyed.'] : []),
  ];
}
