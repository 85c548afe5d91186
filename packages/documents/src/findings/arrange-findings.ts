import type { Arrangement } from '@agonhq/judges/job/findings';
import type { Analysis } from '../analysis.ts';
import { describeClaimLabel, labelOrder } from '../view.ts';
import { describePlaces, type ListedFinding } from './list-findings.ts';

/* Which findings are shown, and in which order: the console and the exports do the same by the same words. */

export const findingColumns = ['verdict', 'finding', 'where', 'arithmetic', 'confidence', 'said-by'] as const;
export type FindingColumn = (typeof findingColumns)[number];

/** `confidence`, or `-confidence` from the highest. */
export const findingSorts = [...findingColumns, ...findingColumns.map((column) => `-${column}` as const)] as const;

/** Labels of claims, and what else can be asked for. */
export const findingFilters = [
  'contradicted',
  'conflict',
  'mixed',
  'unsupported',
  'undecided',
  'supported',
  'verified-strong',
  'corrected',
  'edited',
  'left-out',
] as const;

export const nameVerdict = (verdict: string): string =>
  verdict === 'conflict' ? 'Numbers conflict' : describeClaimLabel(verdict).title;

/** Whose word stands: that of a person who corrected it, or the machine's. */
export const nameFindingSpeaker = ({ person }: ListedFinding): string => person?.by ?? 'Machine';

/** `page 3, row 2`: where it is stated; where nobody states it, what speaks to it. */
export const findWhere = ({ stated, places }: ListedFinding, analysis: Analysis): string =>
  describePlaces(stated ? [stated] : places, analysis);

export const joinArithmetic = ({ numbers, heldBy }: ListedFinding): string =>
  [...numbers, ...heldBy].map(({ arithmetic }) => arithmetic).join('\n');

/** Whether a finding is one of those that are asked for. A number conflict is also that of a claim. */
export function isOfKind({ verdict, numbers, person, edit }: ListedFinding, show: string): boolean {
  if (show === 'conflict') return numbers.some(({ outcome }) => outcome === 'conflict');
  if (show === 'corrected') return person !== null;
  if (show === 'edited') return edit !== null;
  if (show === 'left-out') return edit?.leftOut ?? false;
  return verdict === show;
}

/** Those that are asked for, in the order that is asked for; what is equal stays in the order of the report. */
export function arrangeFindings(
  findings: readonly ListedFinding[],
  analysis: Analysis,
  { sort, show, search }: Arrangement,
): ListedFinding[] {
  const words = (search ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  const kept = findings
    .filter((finding) => show === undefined || isOfKind(finding, show))
    .filter((finding) => {
      const text = writeSearched(finding, analysis).toLowerCase();
      return words.every((word) => text.includes(word));
    });
  if (sort === undefined) return kept;
  const isReverse = sort.startsWith('-');
  const column = findingColumns.find((one) => one === sort.replace(/^-/, ''));
  if (column === undefined) return kept;
  const keyOf = keys[column];
  const keyed = kept.map((finding) => ({ finding, key: keyOf(finding, analysis) }));
  return keyed
    .toSorted(({ key: one }, { key: other }) => {
      // What has no value comes last, whichever way.
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return (isReverse ? -1 : 1) * compareKeys(one, other);
    })
    .map(({ finding }) => finding);
}

type Key = string | readonly (string | number)[] | number | null;

const verdictRanks = ['contradicted', 'conflict', 'mixed', 'unsupported', 'undecided', 'supported', 'verified-strong'];

const keys: Record<FindingColumn, (finding: ListedFinding, analysis: Analysis) => Key> = {
  verdict: ({ verdict }) => {
    const rank = verdictRanks.indexOf(verdict);
    return rank < 0 ? verdictRanks.length + Math.max(0, labelOrder.indexOf(verdict)) : rank;
  },
  finding: ({ text, edit }) => edit?.wording ?? text,
  where: ({ stated, places }, { documents }) => {
    const [place] = stated ? [stated] : places;
    return place ? [documents.indexOf(place.document), place.start] : null;
  },
  arithmetic: (finding) => joinArithmetic(finding) || null,
  confidence: ({ confidence }) => confidence,
  'said-by': nameFindingSpeaker,
};

function compareKeys(one: NonNullable<Key>, other: NonNullable<Key>): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string')
    return one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });
  const [left, right] = [one as readonly number[], other as readonly number[]];
  return left[0]! - right[0]! || left[1]! - right[1]!;
}

function writeSearched(finding: ListedFinding, analysis: Analysis): string {
  const { text, why, edit, verdict, corrections } = finding;
  return [
    text,
    why,
    nameVerdict(verdict),
    joinArithmetic(finding),
    findWhere(finding, analysis),
    nameFindingSpeaker(finding),
    edit?.wording ?? '',
    edit?.note ?? '',
    ...corrections,
  ].join('\n');
}
