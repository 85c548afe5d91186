import { canonicalJson } from '../../../hash.ts';
import { splitWords, toOneLine } from '../../../text/index.ts';
import { checkThat, type Check } from '../../../debate/index.ts';
import type { Analysis, ClaimAnswer } from '../analysis.ts';
import { gatherNumbers, type ClaimNumbers } from '../claims/find-claim-numbers.ts';
import { listBlocks, widenToSentences, type Dossier } from '../document.ts';
import type { NumberFinding, Place } from '../numbers/finding.ts';
import { isOutcomeOf, readArithmetic } from './recorded-arithmetic.ts';
import { readProgramLine } from './recorded-programs.ts';

/*
 * Number findings of a reader that is no longer here. Whether it would find them again cannot be said; whether they are
 * right can: each points to figures that stand in the documents, and its arithmetic, computed again from them, comes to
 * its outcome.
 */

export function checkRecordedNumbers(analysis: Analysis): Check {
  const problem = findProblem(analysis);
  return checkThat(
    'numbers',
    problem === null,
    problem ??
      `${analysis.numbers.length} number finding(s) of an earlier reader were computed again from their figures`,
  );
}

function findProblem(analysis: Analysis): string | null {
  const listed = analysis.numbers.map((finding, index) => {
    const isInPlace = finding.id === `number-${String(index + 1).padStart(3, '0')}`;
    const isSorted = finding.outcome === 'holds' || analysis.numbers[index - 1]?.outcome !== 'holds';
    return isInPlace && isSorted ? findFlaw(finding, analysis) : `${finding.id} is not in its place`;
  });
  const flaw = listed.find((one) => one !== null);
  if (flaw !== undefined) return flaw;
  for (const claim of analysis.claims) {
    const own = listOwnFindings(claim, analysis).map((finding) => findFlaw(finding, analysis, claim.subject.text));
    const wrong = own.find((one) => one !== null);
    if (wrong !== undefined) return `${claim.subject.id}: ${wrong}`;
    if (canonicalJson(findRecordedNumbers(claim, analysis).findings) !== canonicalJson(claim.numbers))
      return `the number findings of ${claim.subject.id} are not those of the documents`;
  }
  return null;
}

/** What touches a claim: of the dossier's findings by their places, of its own statement as it is on record. */
export function findRecordedNumbers(claim: ClaimAnswer, analysis: Analysis): ClaimNumbers {
  return gatherNumbers(claim.subject, analysis.numbers, {
    findings: listOwnFindings(claim, analysis),
    cover: 'whole',
  });
}

/** Those that were made of the claim's own words. */
function listOwnFindings({ numbers }: ClaimAnswer, analysis: Analysis): NumberFinding[] {
  const known = new Set(analysis.numbers.map(canonicalJson));
  return numbers.filter((finding) => !known.has(canonicalJson(finding)));
}

/**
 * What is wrong with a finding, in words; null where it follows from what it points to. `claim`: words it may quote.
 */
export function findFlaw(finding: NumberFinding, dossier: Dossier, claim = ''): string | null {
  const { id, places, arithmetic, statement, outcome } = finding;
  if (!places.every((place) => isInDossier(place, dossier))) return `${id} points to what is not in the documents`;
  const read = finding.program === undefined ? readArithmetic(arithmetic) : readProgramLine(finding);
  if (read === null) return `the arithmetic of ${id} cannot be read`;
  const texts = [claim, ...places.flatMap((place) => readAround(place, dossier))].map(toOneLine);
  const missing = read.figures.find((figure) => !texts.some((text) => isFigureIn(figure, text)));
  if (missing !== undefined) return `${missing}, of which ${id} is computed, does not stand where it points to`;
  if (!read.isRight || !isOutcomeOf(finding, read)) return `computed again, ${id} comes out otherwise: ${arithmetic}`;
  const agrees = /\bagrees with “|\bis the sum of its parts\.$|” follows from /u.test(statement);
  if (agrees !== (outcome === 'holds')) return `${id} says otherwise than it comes out`;
  // A cell is named with its period in one spelling, whatever its header says.
  const quoted = [...statement.replaceAll(periodOfCell, ']').matchAll(/“([^“”]*)”/gu)].map(([, text]) => text!);
  const known = listDossierWords(dossier);
  const claimed = new Set(listWords([claim]));
  // The last word of a long sentence may be cut.
  const strange = quoted
    .flatMap((text) => listWords([text.replace(/\S*…$/u, '')]))
    .find((word) => !known.has(word) && !claimed.has(word));
  return strange === undefined ? null : `${id} quotes what is not in the documents: ${strange}`;
}

const periodOfCell =
  /(?:, )?(?:FY\d{4}|[QH]\d(?: \d{4})?|YTD(?: \d{4})?|\dM to [\d-]+|M\d\d|\d{4}-\d\d(?:-\d\d)?)\](?=”)/gu;

const dossierWords = new WeakMap<Dossier, ReadonlySet<string>>();

function listDossierWords(dossier: Dossier): ReadonlySet<string> {
  let words = dossierWords.get(dossier);
  if (!words) dossierWords.set(dossier, (words = new Set(listWords(dossier.documents.map(({ text }) => text)))));
  return words;
}

function listWords(texts: readonly string[]): string[] {
  return texts.flatMap((text) => splitWords(text).map(({ folded }) => folded));
}

function isInDossier({ block, start, end, cell }: Place, dossier: Dossier): boolean {
  const standing = listBlocks(dossier).get(block);
  if (!standing || start >= end || start < standing.block.start || end > standing.block.end) return false;
  return (
    cell === undefined ||
    (standing.block.table?.cells ?? []).some(
      (one) => one.row === cell.row && one.column === cell.column && one.start <= start && end <= one.end,
    )
  );
}

/** A cell's own text; of prose the sentence. */
function readAround(place: Place, dossier: Dossier): string[] {
  const standing = listBlocks(dossier).get(place.block)!;
  const { start, end } = place.cell === undefined ? widenToSentences(standing, place) : place;
  return [standing.document.text.slice(start, end)];
}

/** As it stands there, but for the unit that a header gives it, and for the sign that a word does. */
function isFigureIn(figure: string, text: string): boolean {
  const plain = toOneLine(figure)
    .replace(/ (?:%|pp)$/u, '')
    .replace(/^[−-]/u, '')
    .trim();
  if (plain === '') return false;
  for (let at = text.indexOf(plain); at >= 0; at = text.indexOf(plain, at + 1))
    if (!/\d[.,]?$/u.test(text.slice(0, at)) && !/^[.,]?\d/u.test(text.slice(at + plain.length))) return true;
  return false;
}
