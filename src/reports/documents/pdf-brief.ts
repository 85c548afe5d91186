import type { Analysis } from '../../documents/index.ts';
import { light } from '../palette.ts';
import { plural } from '../words.ts';
import { findingsOf } from './finding-list.ts';
import { labelCounts } from './label-counts.ts';
import { sheetOn } from './pdf-sheet.ts';
import { inStandardLetters } from './standard-letters.ts';
import { checkWords, labelWords, outlookWords, ruleWords, type Tone } from './words.ts';

const most = { brief: 1100, claim: 220, item: 260, word: 60, claims: 24, items: 8 };
const colours: Record<Tone, { text: string; ground: string }> = {
  good: { text: light.exoneration, ground: light.exonerationGround }, bad: { text: light.risk, ground: light.riskGround },
  between: { text: light.caution, ground: light.cautionGround }, open: { text: light.quiet, ground: light.line },
};

/** The decision brief as a PDF of one page, or two: what a person takes into the meeting. The same trace gives the same bytes. */
export async function pdfBrief(analysis: Analysis): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const title = clipped(`Decision brief: ${analysis.documents.map(({ name }) => name).join(', ')}`, 110);
  const document = new PDFDocument({
    size: 'A4', margin: 50, bufferPages: true, lang: 'en', displayTitle: true,
    // The bytes follow from the trace, which has no date.
    info: { Title: title, Creator: 'Agon', Producer: 'Agon', CreationDate: new Date(0) },
  });
  const chunks: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });
  write(document, analysis, title);
  document.end();
  await done;
  return new Uint8Array(Buffer.concat(chunks));
}

function write(document: PDFKit.PDFDocument, analysis: Analysis, title: string): void {
  const { outlook, claims, seal } = analysis;
  const sheet = sheetOn(document);
  const findings = findingsOf(analysis);
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict');
  const words = outlookWords(outlook.label);
  sheet.banner(title, `${clipped(words.title, most.word)} outlook`, colours[words.tone]);
  sheet.line(countsOf(analysis, conflicts.length, findings.length - conflicts.length), { colour: light.quiet });
  sheet.line(clipped(outlook.rule.why, most.item), { colour: light.quiet });
  if (outlook.brief !== '') sheet.line(clipped(outlook.brief, most.brief), { size: 10.5 });
  if (claims.length > 0 && sheet.heading('Claims and verdicts', 40)) {
    for (const [index, { subject, verdict }] of claims.slice(0, most.claims).entries()) {
      const { title: label, tone } = labelWords(verdict.label);
      if (!sheet.row(String(index + 1), clipped(subject.text, most.claim), `Decided by ${clipped(ruleWords(verdict.rule.id), 90)}`, clipped(label, most.word), colours[tone])) break;
    }
    if (claims.length > most.claims) sheet.line(`and ${claims.length - most.claims} more in the full report`, { colour: light.quiet });
  }
  sheet.list({ title: 'Numbers in conflict', items: itemsOf(conflicts.map(({ finding }) =>
    `${clipped(finding.statement, most.item)}\n${clipped(checkWords(finding.check), most.word)}: ${clipped(finding.arithmetic, most.item)}`)) });
  const written = (texts: readonly string[]) => itemsOf(texts.map((text) => clipped(text, most.item)));
  sheet.lists([{ title: 'Risks', items: written(outlook.risks) }, { title: 'Open questions', items: written(outlook.questions) }]);
  sheet.footers(`Sealed as ${clipped(seal, 90)}. Check the trace offline: agon verify trace.json`);
}

function countsOf({ claims }: Analysis, conflicts: number, holding: number): string {
  const labels = labelCounts(claims).map(([label, number]) => `${number} ${clipped(labelWords(label).title, most.word).toLowerCase()}`).join(', ');
  return `${plural(claims.length, 'claim')}${labels && `: ${labels}`}. ${plural(conflicts, 'number conflict')}; ${plural(holding, 'number check')} without one.`;
}

function itemsOf(items: readonly string[]): string[] {
  const more = items.length - most.items;
  return more > 0 ? [...items.slice(0, most.items), `and ${more} more in the full report`] : [...items];
}

/** So many characters at most, in letters that the fonts have. */
function clipped(text: string, length: number): string {
  const characters = Array.from(text.trim().slice(0, length * 2));
  return inStandardLetters(characters.length > length ? `${characters.slice(0, length).join('').trimEnd()} …` : text.trim());
}
