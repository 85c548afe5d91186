import weights from '../../../../models/reader-1/weights.json' with { type: 'json' };
import type { DocumentCaseFile } from '../../../jobs/documents/index.ts';
import { pattern, splitMessageSentences, tokenize } from '../../../text/index.ts';
import { openReader, type PassageReading } from '../reader/index.ts';
import { findOnlyRecord, findRecord, type ListedRecord } from './find-record.ts';
import { listLines, rankLines, type Line } from './weighing/rank-lines.ts';
import type { Signal, Weighed } from './weighing/signal.ts';
import { selectContent } from './weighing/weigh-text.ts';

/** What the reader says to a claim: it may let it pass as supported in part, or hold it back, and nothing more. */
export interface ReaderVoice {
  about: Matter;
  bears: boolean;
  /** How often it was right when it said so, of texts that it had not seen. */
  confidence: number;
  signal: Signal;
}

/** What the reader was measured to help with: records, and what somebody shall, must or may do. */
type Matter = 'record' | 'duty';

interface Reference {
  about: Matter;
  passage: ListedRecord | readonly string[];
  /** As it stands in the document: what is quoted. */
  nearest: string;
}

/** Where one line has so much of a claim, by the rarity of its words, they are compared, and need no reader. */
const nearLine = 0.5;

/**
 * Asks the reader about a claim of the user's that no rule reads. Null where it has no say: numbers and tables, prose
 * that tells rather than obliges, wording that is near to a line; and where it is not sure, or sees a contradiction.
 */
export async function consultReader(
  caseFile: DocumentCaseFile,
  { lineCover }: Weighed,
  signal: AbortSignal,
): Promise<ReaderVoice | null> {
  if (caseFile.claim.origin || lineCover >= nearLine) return null;
  const found = findReference(caseFile);
  if (!found) return null;
  const reader = await openReader();
  return speak(found, await reader.read(caseFile.claim.text, found.passage, signal));
}

const retrieved = 40;

function findReference({ claim, dossier }: DocumentCaseFile): Reference | null {
  const lines = listLines(dossier);
  const stems = selectContent(tokenize(claim.text)).map(({ stem }) => stem);
  const ranked = rankLines(stems, lines, retrieved).map(({ line }) => line);
  const [nearest] = ranked;
  const record = nearest ? findRecord(nearest.document, nearest.block) : findOnlyRecord(dossier);
  if (record) return { about: 'record', passage: record, nearest: nearest?.text ?? record.lines[0]! };
  const prose = ranked.filter(({ block }) => !block.table);
  if (!statesDuty(claim.text) || !regulates(prose)) return null;
  const near = new Set(prose);
  const passage = lines.all.filter((line) => near.has(line)).map(({ text }) => text);
  return { about: 'duty', passage, nearest: prose[0]!.text };
}

const duty = pattern('i')`
  \b(?:shall|must|may|(?:is|are) (?:not )?(?:entitled|obliged|permitted|required|allowed) to)\b`;

function statesDuty(claim: string): boolean {
  return duty.test(claim) && splitMessageSentences(claim).length === 1;
}

const looked = 12;

/** A text that lays down what is to be done says so again and again. */
function regulates(prose: readonly Line[]): boolean {
  const nearest = prose.slice(0, looked);
  return nearest.filter(({ text }) => duty.test(text)).length * 3 > nearest.length;
}

const passages: Record<Matter, string> = { record: 'the record', duty: 'the nearest passages' };

function speak({ about, nearest }: Reference, reading: PassageReading): ReaderVoice | null {
  const says = (['supports', 'neither'] as const).find((way) => reading[way] >= weights.bar);
  if (says === undefined) return null;
  const share = reading[says];
  const bears = says === 'supports';
  return {
    about,
    bears,
    confidence: weights.precision[about][says].findLast(({ from }) => share >= from)!.right,
    signal: {
      kind: 'reader',
      weight: bears ? 0 : -1,
      why: bears
        ? `The reader takes ${passages[about]} to support it (${share.toFixed(2)}).`
        : `The reader finds it not mentioned (${share.toFixed(2)}).`,
      quotes: bears ? [nearest] : [],
      missing: [],
    },
  };
}
