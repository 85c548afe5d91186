import { findTurns, type Transcript } from '@agonhq/engine/debate';
import type { Claim, ClaimSelection, Analysis } from '../analysis.ts';
import { speakers } from '../answers.ts';
import { formatBlockId, type Dossier, listBlocks, widenToSentences } from '../document.ts';
import { ground } from '../grounding/ground-citation.ts';
import type { NumberPlace } from '../numbers/finding.ts';
import { countShared, foldCase, listContentStems, toOneLine, pattern } from '@agonhq/engine/text';

type Found = Omit<Claim, 'id'>;

/** Two claims that share so much of their words, and of whose numbers the one has all of the other's, say the same. */
const sameClaim = 0.8;

/**
 * From what the factor agent said to what is judged: quoted, each once, the most important first. All are checked, and
 * so many are debated; a judge that reads all at once is only asked about those.
 */
export function selectClaims(
  transcript: Transcript,
  dossier: Dossier,
  maxFactors: number,
  isCut: boolean,
): ClaimSelection {
  const stated = findTurns(transcript, speakers.factorAgent).flatMap((turn) =>
    turn.answer.claims.map((claim, index) => ({ claim, evidence: turn.evidence[index] })),
  );
  const found = stated.flatMap(({ claim: { claim, kind, domain, importance }, evidence }): Found[] => {
    const origin = evidence ? findOrigin(evidence, dossier) : null;
    return origin && claim.trim() !== ''
      ? [{ text: toOneLine(claim), kind, domain: toOneLine(domain), importance, origin }]
      : [];
  });
  const distinct = dropDuplicates(found.toSorted((a, b) => b.importance - a.importance));
  const claims = distinct.slice(0, isCut ? maxFactors : distinct.length).map(numberClaim);
  return {
    claims,
    dropped: {
      unquoted: stated.length - found.length,
      duplicates: found.length - distinct.length,
      overMax: Math.max(0, distinct.length - maxFactors),
    },
    coverage: findUncovered(dossier, found),
  };
}

/** The user's own claims, as they were put; those that are said twice once. */
export function numberOwnClaims(factors: readonly string[]): Claim[] {
  const stated = factors.map(toOneLine).filter((text) => text !== '');
  const distinct = [...Map.groupBy(stated, foldCase).values()];
  return distinct
    .map(([text]) => ({ text: text!, kind: 'assertion' as const, domain: '', importance: 1, origin: null }))
    .map(numberClaim);
}

function numberClaim(claim: Found, index: number): Claim {
  return { id: `claim-${String(index + 1).padStart(2, '0')}`, ...claim };
}

function findOrigin(evidence: Parameters<typeof ground>[0], dossier: Dossier): NumberPlace | null {
  const grounding = ground(evidence, dossier);
  if (!grounding) return null;
  const standing = listBlocks(dossier).get(formatBlockId(grounding.document, grounding.block))!;
  return { block: standing.id, ...widenToSentences(standing, grounding) };
}

function dropDuplicates(claims: readonly Found[]): Found[] {
  const kept: (Said & { claim: Found })[] = [];
  for (const claim of claims) {
    const stems = listContentStems(claim.text);
    const said = { claim, stems, numbers: new Set([...stems].filter((stem) => /\p{Nd}/u.test(stem))) };
    if (!kept.some((other) => isSameClaim(said, other))) kept.push(said);
  }
  return kept.map(({ claim }) => claim);
}

interface Said {
  stems: ReadonlySet<string>;
  /** Those of its stems that have digits. */
  numbers: ReadonlySet<string>;
}

function isSameClaim(a: Said, b: Said): boolean {
  const [fewer, more] = a.numbers.size < b.numbers.size ? [a.numbers, b.numbers] : [b.numbers, a.numbers];
  if (countShared(fewer, more) < fewer.size || (fewer.size === 0 && more.size > 0)) return false;
  const words = countShared(a.stems, b.stems) - fewer.size;
  return words >= sameClaim * (a.stems.size - a.numbers.size + b.stems.size - b.numbers.size - words);
}

// Words that make a sentence an assertion worth debating. Numbers alone do not: with a word of change they do.
const assertive: readonly { kind: string; pattern: RegExp; beside?: RegExp }[] = [
  {
    kind: 'causal',
    pattern: pattern('i')`
        \b(?:because of|due to|driven by|drove|drivers? of|caused? by|led to|leads to
        |result(?:s|ed|ing)? (?:in|from)|thanks to|attribut(?:ed|able) to|owing to|reflect(?:s|ed|ing)
        |as a (?:result|consequence))\b`,
  },
  {
    kind: 'predictive',
    pattern: pattern('i')`
        \b(?:expects?|(?:is|are|was|were) (?:expected|projected|forecast|anticipated) to|forecasts?|anticipates?
        |will (?:grow|increase|decrease|decline|remain|reach|continue|improve|exceed)|is likely to|are likely to
        |on track to|plans? to|aims? to)\b`,
  },
  {
    kind: 'evaluative',
    pattern: pattern('i')`
        \b(?:strong(?:est|er)?|weak(?:est|er)?|record|robust|solid|significant(?:ly)?|substantial(?:ly)?
        |successful(?:ly)?|leading|best|worst|outperform\w*|underperform\w*|exceed(?:s|ed)?|excellent|poor|sound
        |remarkabl[ey]|disappointing)\b`,
  },
  {
    kind: 'change',
    beside: pattern('i')`
        \d\s?(?:%|percent|per cent|pp\b|basis points|bps\b|million|billion|thousand|[mb]n\b)|[$€£¥]\s?\d
        |\b(?:to|by|from) \d`,
    pattern: pattern('i')`
        \b(?:gr[eo]w(?:th|n)?|ris(?:e|es|en|ing)|rose|increas\w+|decreas\w+|declin\w+|fell|fall(?:s|en)?
        |dropp?(?:ed|s)?|improv\w+|doubl\w+|tripl\w+|halv\w+|expand\w+|shr[aiu]nk|gain(?:s|ed)?|lost|up|down)\b`,
  },
];

/** Blocks of prose heavy with assertions that yielded no claim, each with its most assertive sentence. */
function findUncovered(dossier: Dossier, claims: readonly Pick<Claim, 'origin'>[]): Analysis['coverage'] {
  const covered = new Set(claims.map(({ origin }) => origin?.block));
  return [...listBlocks(dossier).values()]
    .filter(({ id, block }) => (block.kind === 'paragraph' || block.kind === 'list') && !covered.has(id))
    .flatMap(({ id, document, block }) => {
      const sentences = block.sentences
        .map(({ start, end }) => document.text.slice(start, end))
        .map((quote) => ({ quote, kinds: findAssertions(quote) }));
      const asserting = sentences
        .filter(({ kinds }) => kinds.length > 0)
        .toSorted((a, b) => b.kinds.length - a.kinds.length);
      const isHeavy =
        asserting.length > 1 || asserting.some(({ kinds }) => kinds.length > 1 || kinds[0]!.startsWith('change'));
      return isHeavy ? [{ block: id, quote: asserting[0]!.quote, why: asserting[0]!.kinds.join(', ') }] : [];
    });
}

function findAssertions(sentence: string): string[] {
  return assertive.flatMap(({ kind, pattern, beside }) => {
    const match = !beside || beside.test(sentence) ? pattern.exec(sentence) : null;
    return match ? [`${kind}: ${match[0].toLowerCase()}`] : [];
  });
}
