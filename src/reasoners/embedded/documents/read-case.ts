import type { Question } from '../../../debate/index.ts';
import type { DocumentCaseFile, NumberFinding } from '../../../jobs/documents/index.ts';
import { readAmounts } from './weighing/read-amounts.ts';
import { findCauses, type Causes } from './weighing/find-causes.ts';
import { weighClaim } from './weighing/weigh-claim.ts';
import { type Signal, type Weighed } from './weighing/signal.ts';

/** A claim's case as its roles argue from it. */
export interface CaseReading extends Weighed {
  caseFile: DocumentCaseFile;
  /** Lines of the case file that speak for the claim, the strongest first. */
  support: readonly string[];
  /** What speaks against it, its quotes all from the case file. */
  against: readonly Signal[];
  conflicts: readonly NumberFinding[];
  confirmed: readonly NumberFinding[];
  /** What else is said of the cause that the claim names; null when it names none. */
  causes: Causes | null;
}

const readings = new WeakMap<object, CaseReading>();
const mostQuotes = 4;

/** Weighs a case, once for all its roles. */
export function readCase({ caseFile }: Question<DocumentCaseFile>): CaseReading {
  let reading = readings.get(caseFile);
  if (!reading) readings.set(caseFile, (reading = weighCase(caseFile)));
  return reading;
}

function weighCase(caseFile: DocumentCaseFile): CaseReading {
  const { claim, dossier, numbers } = caseFile;
  const weighed = weighClaim(claim.text, dossier, { origin: claim.origin });
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  const confirmed = numbers.filter(({ outcome }) => outcome === 'holds');
  const decisive = weighed.signals.filter(({ weight }) => weight >= 0).flatMap(({ quotes }) => quotes);
  const causes = findCauses(claim.text, dossier, claim.origin);
  const own = claim.origin && weighed.cover < ownAloneCover ? findOwnSentence(caseFile) : [];
  const support = selectQuotable(
    [
      ...decisive,
      ...confirmed.map(({ statement }) => statement),
      ...(causes?.backing.slice(0, 1) ?? []),
      ...own,
      ...weighed.nearest,
    ],
    caseFile,
  ).slice(0, mostQuotes);
  const against = weighed.signals
    .filter(({ weight }) => weight < 0)
    .map((signal) => ({ ...signal, quotes: selectQuotable(signal.quotes, caseFile) }));
  return {
    ...weighed,
    caseFile,
    support,
    against,
    conflicts,
    confirmed,
    causes: causes && { ...causes, alternatives: selectQuotable(causes.alternatives, caseFile) },
  };
}

const carryingCover = 0.5;
/** Below, what stands elsewhere says too little: the claim's own sentence is quoted. */
const ownAloneCover = 0.5;

function findOwnSentence({ claim, dossier }: DocumentCaseFile): string[] {
  const { origin } = claim;
  const document = origin && dossier.documents.find(({ name }) => origin.block.startsWith(`${name}#`));
  return document ? [document.text.slice(origin.start, origin.end)] : [];
}

/** Those that stand in the case file, each once. */
export function selectQuotable(quotes: readonly string[], { sources }: DocumentCaseFile): string[] {
  const flat = Array.from(new Set(quotes.map((quote) => quote.trim()).filter((quote) => quote !== '')));
  return flat.filter((quote) => sources.some(({ text }) => text.includes(quote)));
}

/** How the claim comes out, once the numbers are counted in. */
export function decideOutcome(reading: CaseReading): { side: Weighed['side']; score: number; partial: boolean } {
  const { caseFile, lineCover, signals, support, confirmed, causes } = reading;
  if (caseFile.claim.origin) return decideOwnOutcome(reading);
  // Words that lie about in a document do not carry a claim; one line, a plain reading of a table or arithmetic does.
  const byTable = signals.some(({ kind }) => kind === 'table');
  const carried = (!byTable && lineCover >= carryingCover) || confirmed.length > 0 || signals.some(({ sure }) => sure);
  const doubts = signals.some(({ weight }) => weight < 0);
  const causeIsNowhere = causes !== null && !causes.known && confirmed.length === 0;
  if (reading.side === 'support' && support.length > 0 && !causeIsNowhere)
    return { side: 'support', score: reading.score, partial: doubts || !carried || !isCauseBacked(reading, 2) };
  const contradicted = reading.side === 'contradiction' && reading.against.some(({ quotes }) => quotes.length > 0);
  return { side: contradicted ? 'contradiction' : 'unknown', score: Math.min(reading.score, 0.49), partial: false };
}

/** Whether so many lines speak of the cause with its effect: a number that is right shows no cause. */
function isCauseBacked({ causes }: CaseReading, lines: number): boolean {
  return causes === null || causes.backing.length >= lines;
}

/**
 * A claim of the document itself is not held against its own words. Facts it may state; a cause needs something that
 * speaks for it elsewhere, and a forecast or a judgement is never more than said.
 */
function decideOwnOutcome(reading: CaseReading): ReturnType<typeof decideOutcome> {
  const { caseFile, signals, cover, lineCover, score, support, confirmed, against, causes } = reading;
  const { kind } = caseFile.claim;
  const opposed = against.some(
    (signal) =>
      signal.quotes.length > 0 && (signal.kind === 'table' || (signal.kind === 'opposite' && lineCover >= 0.8)),
  );
  if (opposed) return { side: 'contradiction', score: Math.min(score, 0.4), partial: false };
  const backed =
    confirmed.length > 0 ||
    signals.some(({ sure }) => sure) ||
    (cover >= 0.5 && !signals.some(({ weight }) => weight < 0));
  if (support.length === 0 || (!backed && kind !== 'assertion')) return { side: 'unknown', score: 0.4, partial: false };
  const isSaidAlone = kind === 'predictive' || kind === 'evaluative';
  const isCaused = kind === 'causal' || causes !== null;
  return {
    side: 'support',
    score: Math.max(score, 0.55),
    partial: !backed || isSaidAlone || !isMeasured(reading) || (isCaused && !isCauseBacked(reading, 1)),
  };
}

const multiple = /\b(?:doubled|tripled|quadrupled|halved)\b/giu;

/** Whether each amount of the claim's own sentence was recomputed: one that nothing else speaks of is only said. */
function isMeasured({ caseFile, confirmed, signals }: CaseReading): boolean {
  const { origin } = caseFile.claim;
  const text = findOwnSentence(caseFile)[0] ?? '';
  const stated = [
    ...readAmounts(text).filter(({ label }) => !label),
    ...Array.from(text.matchAll(multiple), ({ index, 0: word }) => ({ start: index, end: index + word.length })),
  ];
  const isFound = ({ start, end }: { start: number; end: number }): boolean =>
    confirmed.some(({ places }) =>
      places.some(
        (place) =>
          place.block === origin?.block && place.start < origin.start + end && place.end > origin.start + start,
      ),
    );
  return signals.some(({ sure }) => sure) || stated.every(isFound);
}
