import type { Question } from '../../../debate/index.ts';
import type { DocumentCaseFile, NumberFinding } from '../../../documents/index.ts';
import { weighClaim, type Signal, type Weighed } from './weighing/index.ts';

/** A claim's case as its roles argue from it. */
export interface CaseReading extends Weighed {
  caseFile: DocumentCaseFile;
  /** Lines of the case file that speak for the claim, the strongest first. */
  support: readonly string[];
  /** What speaks against it, its quotes all from the case file. */
  against: readonly Signal[];
  conflicts: readonly NumberFinding[];
  confirmed: readonly NumberFinding[];
}

const readings = new WeakMap<object, CaseReading>();
const mostQuotes = 4;

/** Weighs a case, once for all its roles. */
export function readCase({ caseFile }: Question): CaseReading {
  let reading = readings.get(caseFile);
  if (!reading) readings.set(caseFile, (reading = readAnew(caseFile as DocumentCaseFile)));
  return reading;
}

function readAnew(caseFile: DocumentCaseFile): CaseReading {
  const { claim, dossier, numbers } = caseFile;
  const weighed = weighClaim(claim.text, dossier, { origin: claim.origin });
  const [conflicts, confirmed] = (['conflict', 'holds'] as const).map((outcome) => numbers.filter((finding) => finding.outcome === outcome)) as [NumberFinding[], NumberFinding[]];
  const decisive = weighed.signals.filter(({ weight }) => weight >= 0).flatMap(({ quotes }) => quotes);
  const own = claim.origin && weighed.cover < ownAloneCover ? ownSentence(caseFile) : [];
  const support = quotable([...decisive, ...confirmed.map(({ statement }) => statement), ...own, ...weighed.nearest], caseFile).slice(0, mostQuotes);
  const against = weighed.signals.filter(({ weight }) => weight < 0).map((signal) => ({ ...signal, quotes: quotable(signal.quotes, caseFile) }));
  return { ...weighed, caseFile, support, against, conflicts, confirmed };
}

const carryingCover = 0.5;
/** Below, what stands elsewhere says too little: the claim's own sentence is quoted. */
const ownAloneCover = 0.5;

function ownSentence({ claim, dossier }: DocumentCaseFile): string[] {
  const { origin } = claim;
  const document = origin && dossier.documents.find(({ name }) => origin.block.startsWith(`${name}#`));
  return document ? [document.text.slice(origin.start, origin.end)] : [];
}

/** Those that stand in the case file, each once. */
export function quotable(quotes: readonly string[], { sources }: DocumentCaseFile): string[] {
  const flat = Array.from(new Set(quotes.map((quote) => quote.trim()).filter((quote) => quote !== '')));
  return flat.filter((quote) => sources.some(({ text }) => text.includes(quote)));
}

/** How the claim comes out, once the numbers are counted in. */
export function outcomeOf(reading: CaseReading): { side: Weighed['side']; score: number; partial: boolean } {
  const { caseFile, lineCover, signals, support, confirmed } = reading;
  const { origin, kind } = caseFile.claim;
  // Words that lie about in a document do not carry a claim; one line, a plain reading of a table or arithmetic does.
  const byTable = signals.some(({ kind }) => kind === 'table');
  const carried = (!byTable && lineCover >= carryingCover) || confirmed.length > 0 || signals.some(({ sure }) => sure);
  const doubts = signals.some(({ weight }) => weight < 0);
  if (origin) return outcomeOfOwn(reading, kind === 'assertion');
  if (reading.side === 'support' && support.length > 0) return { side: 'support', score: reading.score, partial: doubts || !carried };
  const contradicted = reading.side === 'contradiction' && reading.against.some(({ quotes }) => quotes.length > 0);
  return { side: contradicted ? 'contradiction' : 'unknown', score: Math.min(reading.score, 0.49), partial: false };
}

/**
 * A claim of the document itself is not held against its own words. Facts it may state; a cause, a forecast or a
 * judgement needs something that speaks for it elsewhere.
 */
function outcomeOfOwn({ signals, cover, lineCover, score, support, confirmed, against }: CaseReading, isFact: boolean): ReturnType<typeof outcomeOf> {
  const opposed = against.some(({ kind, quotes }) => kind === 'opposite' && quotes.length > 0) && lineCover >= 0.8;
  if (opposed) return { side: 'contradiction', score: Math.min(score, 0.4), partial: false };
  const backed = confirmed.length > 0 || (cover >= 0.5 && !signals.some(({ weight }) => weight < 0));
  if (support.length === 0 || (!backed && !isFact)) return { side: 'unknown', score: 0.4, partial: false };
  return { side: 'support', score: Math.max(score, 0.55), partial: !backed };
}
