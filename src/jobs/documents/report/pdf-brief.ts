import { formatPlural } from '../../../view/index.ts';
import { listOwnRisks, type Analysis } from '../index.ts';
import { light } from '../../../reports/index.ts';
import { findingsOf } from './finding-list.ts';
import {
  countLabels,
  nameCheck,
  describeDegradation,
  describeLabel,
  describeOutlook,
  describeRule,
  type Tone,
} from '../view.ts';
import { sheetOn } from './pdf-sheet.ts';
import { inStandardLetters } from './standard-letters.ts';
import { shortenCharacters } from '../../../text/index.ts';

/** How much of each part a page has: letters of a brief, a claim and an item; claims and items of a list. */
interface Measure {
  brief: number;
  claim: number;
  item: number;
  claims: number;
  items: number;
}

/** From the most generous to one that always leaves room for every part. */
const measures: readonly Measure[] = [
  { brief: 1100, claim: 220, item: 260, claims: 24, items: 8 },
  { brief: 900, claim: 220, item: 260, claims: 14, items: 6 },
  { brief: 900, claim: 220, item: 220, claims: 12, items: 5 },
  { brief: 900, claim: 160, item: 200, claims: 12, items: 4 },
  { brief: 700, claim: 160, item: 160, claims: 10, items: 3 },
  { brief: 600, claim: 150, item: 130, claims: 12, items: 3 },
  { brief: 500, claim: 75, item: 130, claims: 12, items: 3 },
  { brief: 400, claim: 75, item: 80, claims: 7, items: 2 },
];
const longestWord = 60;
const colours: Record<Tone, { text: string; ground: string }> = {
  good: { text: light.exoneration, ground: light.exonerationGround },
  bad: { text: light.risk, ground: light.riskGround },
  between: { text: light.caution, ground: light.cautionGround },
  open: { text: light.quiet, ground: light.line },
};

/**
 * The decision brief as a PDF of one page: what a person takes into the meeting. The same trace gives the same bytes.
 */
export async function pdfBrief(analysis: Analysis): Promise<Uint8Array> {
  for (const measure of measures.slice(0, -1)) {
    const { bytes, full } = await drawn(analysis, measure);
    if (!full) return bytes;
  }
  return (await drawn(analysis, measures.at(-1)!)).bytes;
}

async function drawn(analysis: Analysis, measure: Measure): Promise<{ bytes: Uint8Array; full: boolean }> {
  const { default: PDFDocument } = await import('pdfkit');
  const title = clipped(`Decision brief: ${analysis.documents.map(({ name }) => name).join(', ')}`, 110);
  const document = new PDFDocument({
    size: 'A4',
    margin: 50,
    lang: 'en',
    displayTitle: true,
    // The bytes follow from the trace, which has no date.
    info: { Title: title, Creator: 'Agon', Producer: 'Agon', CreationDate: new Date(0) },
  });
  const chunks: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });
  const full = write(document, analysis, title, measure);
  document.end();
  await done;
  return { bytes: new Uint8Array(Buffer.concat(chunks)), full };
}

/** Whether something had to be left out for want of room. */
function write(document: PDFKit.PDFDocument, analysis: Analysis, title: string, most: Measure): boolean {
  const { outlook, claims, seal } = analysis;
  const sheet = sheetOn(document);
  const findings = findingsOf(analysis);
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict');
  const words = describeOutlook(outlook.label);
  sheet.banner(title, `${clipped(words.title, longestWord)} outlook`, colours[words.tone]);
  sheet.line(countsOf(analysis, conflicts.length, findings.length - conflicts.length), { colour: light.quiet });
  sheet.line(clipped(outlook.rule.why, most.item), { colour: light.quiet });
  if (outlook.brief !== '') sheet.line(clipped(outlook.brief, most.brief), { size: 10.5 });
  const reserves = reservesOf(analysis);
  if (reserves !== '') sheet.line(clipped(reserves, most.item), { colour: light.caution });
  if (claims.length > 0 && sheet.heading('Claims and verdicts', 40)) {
    for (const [index, { subject, verdict }] of claims.slice(0, most.claims).entries()) {
      const { title: label, tone } = describeLabel(verdict.label);
      if (
        !sheet.row(
          String(index + 1),
          clipped(subject.text, most.claim),
          `Decided by ${clipped(describeRule(verdict.rule.id), 90)}`,
          clipped(label, longestWord),
          colours[tone],
        )
      )
        break;
    }
    if (claims.length > most.claims)
      sheet.line(`and ${claims.length - most.claims} more in the full report`, { colour: light.quiet });
  }
  const items = (texts: readonly string[]) =>
    texts.length > most.items
      ? [...texts.slice(0, most.items), `and ${texts.length - most.items} more in the full report`]
      : texts;
  sheet.list({
    title: 'Numbers in conflict',
    items: items(
      conflicts.map(
        ({ finding }) =>
          `${clipped(finding.statement, most.item)}\n${clipped(nameCheck(finding.check), longestWord)}: ` +
          clipped(finding.arithmetic, most.item),
      ),
    ),
  });
  const written = (texts: readonly string[]) => items(texts.map((text) => clipped(text, most.item)));
  sheet.lists([
    { title: 'Risks', items: written(listOwnRisks(analysis)) },
    { title: 'Open questions', items: written(outlook.questions) },
  ]);
  return sheet.footer(`Sealed as ${clipped(seal, 90)}. Check the trace offline: agon verify trace.json`);
}

function countsOf({ claims }: Analysis, conflicts: number, holding: number): string {
  const labels = countLabels(claims)
    .map(([label, number]) => `${number} ${clipped(describeLabel(label).title, longestWord).toLowerCase()}`)
    .join(', ');
  return (
    `${formatPlural(claims.length, 'claim')}${labels && `: ${labels}`}. ` +
    `${formatPlural(conflicts, 'number conflict')}; ${formatPlural(holding, 'number check')} ` +
    'without one.'
  );
}

/** What a reader should know before trusting it. */
function reservesOf({ degraded, observations }: Analysis): string {
  const care = [...new Set(degraded.map(({ kind }) => describeDegradation(kind)))].map((words) => `${words}.`);
  return [
    ...care,
    ...(observations.length > 0 ? ['The dossier addresses its judges: that text was not obeyed.'] : []),
  ].join(' ');
}

/** So many characters at most, in letters that the fonts have. */
function clipped(text: string, length: number): string {
  return inStandardLetters(shortenCharacters(text.trim(), length));
}
