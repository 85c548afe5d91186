import type { Analysis, Claim } from '../analysis.ts';
import type { Dossier } from '../document.ts';
import { listBlocks } from '../standing.ts';

// Words that make a sentence an assertion worth debating. Numbers alone do not: with a word of change they do.
const assertive: readonly { kind: string; pattern: RegExp; beside?: RegExp }[] = [
  {
    kind: 'causal',
    pattern:
      /\b(?:because of|due to|driven by|drove|drivers? of|caused? by|led to|leads to|result(?:s|ed|ing)? (?:in|from)|thanks to|attribut(?:ed|able) to|owing to|reflect(?:s|ed|ing)|as a (?:result|consequence))\b/i,
  },
  {
    kind: 'predictive',
    pattern:
      /\b(?:expects?|(?:is|are|was|were) (?:expected|projected|forecast|anticipated) to|forecasts?|anticipates?|will (?:grow|increase|decrease|decline|remain|reach|continue|improve|exceed)|is likely to|are likely to|on track to|plans? to|aims? to)\b/i,
  },
  {
    kind: 'evaluative',
    pattern:
      /\b(?:strong(?:est|er)?|weak(?:est|er)?|record|robust|solid|significant(?:ly)?|substantial(?:ly)?|successful(?:ly)?|leading|best|worst|outperform\w*|underperform\w*|exceed(?:s|ed)?|excellent|poor|sound|remarkabl[ey]|disappointing)\b/i,
  },
  {
    kind: 'change',
    beside:
      /\d\s?(?:%|percent|per cent|pp\b|basis points|bps\b|million|billion|thousand|[mb]n\b)|[$€£¥]\s?\d|\b(?:to|by|from) \d/i,
    pattern:
      /\b(?:gr[eo]w(?:th|n)?|ris(?:e|es|en|ing)|rose|increas\w+|decreas\w+|declin\w+|fell|fall(?:s|en)?|dropp?(?:ed|s)?|improv\w+|doubl\w+|tripl\w+|halv\w+|expand\w+|shr[aiu]nk|gain(?:s|ed)?|lost|up|down)\b/i,
  },
];

/**
 * Blocks of prose that are heavy with assertions and yielded no claim, each with its most assertive sentence: one that
 * states a change in numbers or asserts in two ways, or any of several that assert.
 */
export function findUncovered(dossier: Dossier, claims: readonly Pick<Claim, 'origin'>[]): Analysis['coverage'] {
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
