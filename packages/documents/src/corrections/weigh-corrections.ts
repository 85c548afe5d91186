import { toOneLine, countShared, splitWords } from '@agonhq/engine/text';
import type { ClaimLabel, ClaimVerdict, RecalledCorrection, Claim } from '../analysis.ts';
import { hashOf } from '@agonhq/engine/hash';
import type { JobCorrection, KnownCorrections } from '@agonhq/judges/job/correction';
import type { Dossier } from '../document.ts';
import { claimMatterSchema, dropPeriods, listNames, sampleSentences, type ClaimMatter } from './claim-matter.ts';

/**
 * The rule by which the word of a person decides. It is in no rulebook: without a correction nothing is decided by it.
 */
export const correctedRule = 'corrected';

/** These say that something was shown: by arithmetic, by a like statement, or in words of the documents. */
const shownLabels: ReadonlySet<string> = new Set<ClaimLabel>(['verified-strong', 'contradicted']);

/** Who says `supported` of what code has verified does not speak against it. */
const sides: Record<ClaimLabel, string> = {
  'verified-strong': 'for',
  supported: 'for',
  mixed: 'between',
  contradicted: 'against',
  unsupported: 'open',
  undecided: 'open',
};

/** How sure a verdict can be that a person overturned on a claim alike. */
const mostSure: Record<Exclude<Likeness, 'same'>, number> = { words: 0.5, wording: 0.5, statement: 0.5, kind: 0.75 };

/**
 * A verdict in the light of what people corrected. On the same claim and evidence their word decides, and says so. What
 * only code can show it cannot become by anybody's word: that is put beside the verdict, and a person looks at it. A
 * correction of a claim that is only alike changes no label: it makes the verdict less sure.
 */
export function weighCorrections(verdict: ClaimVerdict, recalled: readonly RecalledCorrection[]): ClaimVerdict {
  const [nearest] = recalled;
  if (nearest?.likeness === 'same') return followCorrection(verdict, nearest);
  const contrary = recalled.filter(({ label }) => sides[label] !== sides[verdict.label]);
  if (contrary.length === 0 || verdict.confidence === null) return verdict;
  const bounds = contrary.map(({ likeness }) => mostSure[likeness as keyof typeof mostSure]);
  return { ...verdict, confidence: Math.min(verdict.confidence, ...bounds) };
}

function followCorrection(verdict: ClaimVerdict, correction: RecalledCorrection): ClaimVerdict {
  const { label } = correction;
  if (label === verdict.label) return verdict;
  if (shownLabels.has(label)) return { ...verdict, escalate: true };
  return {
    ...verdict,
    label,
    confidence: null,
    escalate: label === 'undecided',
    rule: {
      id: correctedRule,
      why:
        `${describeCorrection(correction)} ` +
        `By the rules it is ${verdict.label} (${verdict.rule.id.replaceAll('-', ' ')}): ${toOneLine(verdict.rule.why)}`,
    },
  };
}

/** Who said what, when and why, as a sentence. */
function describeCorrection({ by, at, verdict, label, why }: RecalledCorrection): string {
  const reason = toOneLine(why).replace(/(?<![.\s])[.\s]+$/u, '');
  return `${toOneLine(by)} corrected ${verdict} to ${label} on ${at.slice(0, 10)}: ${reason}.`;
}

/** How a corrected claim is alike: the nearest first. */
export const likenesses = ['same', 'words', 'wording', 'statement', 'kind'] as const;
type Likeness = (typeof likenesses)[number];

/** So many are brought into one debate, the nearest first. */
const mostRecalled = 5;
/** Of the words of two sentences, numbers apart. */
const nearWording = 0.8;
const fewestWords = 3;
/** Of the sentences of two documents. */
const sameEdition = 0.2;

/**
 * Those that may concern a dossier: made on one of its documents or an edition of it, or on a statement whose rows it
 * names. Others change nothing about its case.
 */
export function selectCorrections(known: KnownCorrections, dossier: Dossier): KnownCorrections {
  const { version, corrections } = known;
  if (version !== null || corrections.length === 0) return known;
  const words = new Set(dossier.documents.flatMap(({ text }) => splitWords(text).map(({ folded }) => folded)));
  const chosen = corrections.filter(({ matter }) => {
    const read = claimMatterSchema.safeParse(matter).data;
    return (
      read !== undefined &&
      (relateDocuments(read.documents, describeDocuments(dossier)) !== null ||
        read.statements.some((statement) => listNames(statement).every((name) => words.has(name))))
    );
  });
  if (chosen.length === 0) return { version: null, corrections: [] };
  return { version: hashOf(chosen.map(({ id }) => id).toSorted()), corrections: chosen };
}

function describeDocuments({ documents }: Dossier): ClaimMatter['documents'] {
  return documents.map((document) => ({
    name: document.name,
    hash: document.hash,
    sentences: sampleSentences(document),
  }));
}

/** The corrections of claims that are the same or alike, each with how. Of two on the same, the later one. */
export function recallCorrections(
  claim: Pick<Claim, 'text'>,
  matter: ClaimMatter,
  corrections: readonly (Omit<JobCorrection, 'at' | 'withdrawn'> & { at: Date | string })[],
): RecalledCorrection[] {
  const found = corrections.flatMap((correction): RecalledCorrection[] => {
    const read = claimMatterSchema.safeParse(correction.matter);
    const alike = read.success ? compareClaims(claim, matter, correction, read.data) : null;
    if (alike === null) return [];
    const { id, case: of, claim: corrected, text, verdict, label, why, by, at } = correction;
    return [
      {
        id,
        case: of,
        claim: corrected,
        text,
        verdict,
        label: label as RecalledCorrection['label'],
        why,
        by,
        at: new Date(at).toISOString(),
        matter: read.data!,
        ...alike,
      },
    ];
  });
  return found
    .toSorted(
      (a, b) =>
        likenesses.indexOf(a.likeness) - likenesses.indexOf(b.likeness) ||
        b.at.localeCompare(a.at) ||
        a.id.localeCompare(b.id),
    )
    .slice(0, mostRecalled);
}

function compareClaims(
  claim: Pick<Claim, 'text'>,
  matter: ClaimMatter,
  corrected: Pick<JobCorrection, 'text'>,
  before: ClaimMatter,
): { likeness: Likeness; alike: string } | null {
  const relation = relateDocuments(before.documents, matter.documents);
  const hasSameWords = toOneLine(claim.text) === toOneLine(corrected.text);
  if (hasSameWords && (hasSameFiles(before, matter) || before.evidence === matter.evidence))
    return { likeness: 'same', alike: 'the same claim, on the same evidence' };
  if (relation !== null) {
    if (hasSameWords) return { likeness: 'words', alike: `the same words in ${relation}, on other evidence` };
    const shared = measureWording(claim.text, corrected.text);
    if (shared >= nearWording)
      return { likeness: 'wording', alike: `${Math.floor(shared * 100)} % of the words, in ${relation}` };
    const stated = before.statements.find((statement) => matter.statements.includes(statement));
    if (stated !== undefined)
      return { likeness: 'statement', alike: `the same measure, entity and period in ${relation}: ${stated}` };
  }
  const kinds = matter.statements.map(dropPeriods);
  const kind = before.statements.map(dropPeriods).find((statement) => kinds.includes(statement));
  return kind === undefined ? null : { likeness: 'kind', alike: `the same kind of statement, bound alike: ${kind}` };
}

function hasSameFiles(one: ClaimMatter, other: ClaimMatter): boolean {
  const list = ({ documents }: ClaimMatter) => [...new Set(documents.map(({ hash }) => hash))].toSorted().join();
  return list(one) === list(other);
}

/** Numbers apart: what a later edition says of another year are the same words. */
function measureWording(one: string, other: string): number {
  const [first, second] = [one, other].map(
    (text) => new Set(splitWords(text).flatMap(({ folded }) => (/\p{Nd}/u.test(folded) ? [] : folded))),
  ) as [Set<string>, Set<string>];
  if (Math.min(first.size, second.size) < fewestWords) return 0;
  const shared = countShared(first, second);
  return shared / (first.size + second.size - shared);
}

/** What the nearest of two dossiers' documents are to each other, in words; null where they have nothing in common. */
function relateDocuments(before: ClaimMatter['documents'], now: ClaimMatter['documents']): string | null {
  const pairs = before.flatMap((one) => now.map((other) => [one, other] as const));
  if (pairs.some(([one, other]) => one.hash === other.hash)) return 'the same document';
  if (pairs.some(([one, other]) => measureEdition(one.sentences, other.sentences) >= sameEdition))
    return 'another edition of the document';
  return pairs.some(([one, other]) => foldName(one.name) === foldName(other.name))
    ? 'a document of the same name'
    : null;
}

/** How many of their sentences two documents share, told from the smallest hashes of both together. */
function measureEdition(one: readonly string[], other: readonly string[]): number {
  const union = [...new Set([...one, ...other])].toSorted().slice(0, Math.max(one.length, other.length));
  if (union.length === 0) return 0;
  return union.filter((hash) => one.includes(hash) && other.includes(hash)).length / union.length;
}

/** `Report 2024 (v2).pdf` and `report-2025.pdf` are of the same name. */
function foldName(name: string): string {
  return splitWords(name.replace(/\.\w+$/u, ''))
    .map(({ folded }) => folded.replaceAll(/\p{Nd}+/gu, ''))
    .filter((word) => word !== '' && word !== 'v' && word !== 'fy' && word !== 'q')
    .join(' ');
}
