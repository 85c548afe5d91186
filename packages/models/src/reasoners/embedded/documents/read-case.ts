import type { Question } from '@agonhq/engine/debate';
import {
  checkWholeClaim,
  isTableMatter,
  type Cover,
  type DocumentCaseFile,
  type NumberFinding,
} from '@agonhq/documents';
import { findCauses, type Causes } from './weighing/find-causes.ts';
import { weighClaim } from './weighing/weigh-claim.ts';
import { type Signal, type Weighed } from './weighing/signal.ts';
import { joinPlainWords } from '@agonhq/engine/text';

/** A claim's case as its roles argue from it. */
export interface ClaimReading extends Weighed {
  caseFile: DocumentCaseFile;
  /** Lines of the case file that speak for the claim, the strongest first. */
  support: readonly string[];
  /** What speaks against it, its quotes all from the case file. */
  against: readonly Signal[];
  conflicts: readonly NumberFinding[];
  confirmed: readonly NumberFinding[];
  /** How much of the claim code has shown. */
  shown: Cover;
  /** What else is said of the cause that the claim names; null when it names none. */
  causes: Causes | null;
}

const readings = new WeakMap<object, ClaimReading>();
const mostQuotes = 4;

/** Weighs a case, once for all its roles. */
export function readClaimCase({ caseFile }: Question<DocumentCaseFile>): ClaimReading {
  let reading = readings.get(caseFile);
  if (!reading) {
    reading = weighCase(caseFile);
    readings.set(caseFile, reading);
  }
  return reading;
}

function weighCase(caseFile: DocumentCaseFile): ClaimReading {
  const { claim, dossier, numbers } = caseFile;
  const { cover: shown } = checkWholeClaim(claim, dossier);
  const weighed = weighClaim(claim.text, dossier, { origin: claim.origin });
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  const confirmed = numbers.filter(({ outcome }) => outcome === 'holds');
  const decisive = weighed.signals.filter(({ weight }) => weight >= 0).flatMap(({ quotes }) => quotes);
  const causes = findCauses(claim.text, dossier, claim.origin);
  const ownSentence = claim.origin && weighed.cover < ownAloneCover ? findOwnSentence(caseFile) : [];
  const support = selectQuotable(
    [
      ...decisive,
      ...confirmed.map(({ statement }) => statement),
      ...(causes?.backing.slice(0, 1) ?? []),
      ...ownSentence,
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
    shown,
    causes: causes && { ...causes, alternatives: selectQuotable(causes.alternatives, caseFile) },
  };
}

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

/**
 * How the claim comes out. What code has shown is borne out; what only sounds like the nearest passages is at most
 * supported, and nothing but a number or a like statement contradicts: those are findings, and decide by themselves.
 */
export function decideOutcome(reading: ClaimReading): { side: Weighed['side']; score: number; partial: boolean } {
  const { caseFile, shown, support, causes, score } = reading;
  const isBacked = causes === null || causes.backing.length > 0;
  if (shown === 'whole' && support.length > 0) return { side: 'support', score: 0.97, partial: !isBacked };
  if (shown === 'part' && support.length > 0) return { side: 'support', score: 0.8, partial: true };
  const isOwn = caseFile.claim.origin !== null || isSaidVerbatim(caseFile);
  const isCaused = causes !== null && causes.backing.length > 0 && !/\d/.test(caseFile.claim.text);
  const isNear = isOwn ? isCaused : reading.side === 'support' && (causes === null || causes.known);
  if (isNear && support.length > 0) return { side: 'support', score: Math.max(score, 0.55), partial: true };
  return { side: 'unknown', score: Math.min(score, 0.45), partial: false };
}

/** A sentence is no support for itself, whoever puts it, where a table would have to bear it out. */
function isSaidVerbatim({ claim, dossier }: DocumentCaseFile): boolean {
  if (!isTableMatter(claim.text, dossier)) return false;
  const saying = joinPlainWords(claim.text);
  return dossier.documents.some(({ text, blocks }) =>
    blocks.some(
      ({ table, sentences }) =>
        table === undefined && sentences.some(({ start, end }) => joinPlainWords(text.slice(start, end)) === saying),
    ),
  );
}
