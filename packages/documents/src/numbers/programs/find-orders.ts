import { pattern } from '@agonhq/engine/text';

const superlative = pattern('gi')`
  \b(?:(?<ordinal>second|third|fourth|fifth|2nd|3rd|4th|5th|next)[ -])?(?:(?<high>highest|largest|biggest|greatest|most
  |strongest|best|top|longest|busiest|fastest|heaviest|steepest|maximum|peak|leading|sharpest|costliest|richest|oldest
  |quickest)|(?<low>lowest|smallest|fewest|least|weakest|worst|shortest|quietest|slowest|minimum|trough|lightest
  |poorest|cheapest|youngest))(?:[ -](?<kind>growing|rising|falling|growth|selling|earning|spending))?\b`;

const placed = pattern('gi')`
  \b(?:ranked|came|finished|placed|was|is|stood|in|took|takes|holds|held|occupied|occupies)\s+(?:in\s+|the\s+|on\s+)*
  (?<ordinal>first|second|third|fourth|fifth|last)(?:\s+(?:place|position|spot|rank)\b|\s+(?:in|by|for|among|on|with)\b
  |(?=[.,;]|\s*$))`;

const peaked = pattern('gi')`
  \b(?:(?<high>peaked|(?:reached|hit|saw|recorded|marked|touched|set) (?:its|their|a|an all-time|the) (?:peak|high
  |maximum|high point|record|record high)|the (?:peak|high point|maximum) (?:of|in|for)\b[^.;]*?\b(?:came|was|fell
  |occurred|lay))|(?<low>the (?:trough|low point|minimum) (?:of|in|for)\b[^.;]*?\b(?:came|was|fell|occurred|lay)|bottomed(?: out)?|(?:reached|hit|saw|recorded|marked|touched
  |set) (?:its|their|a|an all-time|the) (?:low|trough|minimum|low point|bottom|record low)))\b`;

/** "Led all regions in", "no other region had higher", "higher than in any other": the first of all. */
const leads = pattern('giu')`
  \b(?:led|leads|headed|heads|topped|tops)\s+(?:all|the|every|its)\s+(?:other\s+)?\p{L}+
  |\bno\s+other\s+\p{L}+\s[^.;]*?\b(?:more|higher|larger|bigger|greater|stronger|better|(?<low>less|lower|smaller|fewer
  |weaker))\b[^.;]*?\bthan\b
  |\b(?:more|higher|larger|bigger|greater|stronger|better|(?<lower>less|lower|smaller|fewer|weaker))\b[^.;]*?\bthan\s+
  (?:(?:in|at|for|of|those of|that of|those in|that in)\s+)?(?:any|all|every)(?:\s+of\s+the)?\s+others?\b`;

/** "Second place in sales went to": an ordinal that is given away. */
const given = pattern('giu')`
  \b(?<ordinal>first|second|third|fourth|fifth|last)\s+(?:place|position|spot|rank)\b[^.;]*?\b(?:went|goes|fell|belongs?
  |belonged)\s+to\b`;

const places: Record<string, number> = {
  first: 1,
  second: 2,
  '2nd': 2,
  next: 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  fifth: 5,
  '5th': 5,
};

/** Which place a text gives to something, and from which end. */
export interface Order {
  start: number;
  end: number;
  place: number;
  from: 'highest' | 'lowest';
  /** Of changes, and not of values. */
  change: 1 | -1 | 0;
  word: string;
}

/** The words of a text that put something in order: peaks, superlatives, places. */
export function findOrders(text: string): Order[] {
  const found: Order[] = [];
  for (const { 0: match, index, groups } of text.matchAll(peaked))
    found.push({
      start: index,
      end: index + match.length,
      place: 1,
      from: groups!['high'] === undefined ? 'lowest' : 'highest',
      change: 0,
      word: 'peak',
    });
  if (found.length > 0) return found;
  for (const { 0: match, index, groups } of text.matchAll(superlative)) {
    if (
      /\bat\s+$/i.test(text.slice(0, index)) ||
      (/^(?:most|least|top|best|peak|leading)$/i.test(match) &&
        /^\s+(?:of|recent|likely|importantly|notably)\b/i.test(text.slice(index + match.length)))
    )
      continue;
    const after = text.slice(index + match.length, index + match.length + 40);
    const grown = /^\s+(?:\p{L}+\s+)?(?:growth|increase|rise|gain|improvement|growth rate)\b/iu.test(after);
    const fallen = /^\s+(?:\p{L}+\s+)?(?:decline|decrease|drop|fall|reduction|loss)\b/iu.test(after);
    const pace =
      /growing|rising|growth/i.test(groups!['kind'] ?? '') ||
      (/fastest|quickest|slowest/i.test(match) && !/selling/i.test(match)) ||
      /\b(?:grew|rose|increased|expanded)\s+(?:the\s+)?$/i.test(text.slice(0, index));
    found.push({
      start: index,
      end: index + match.length,
      place: places[groups!['ordinal']?.toLowerCase() ?? 'first'] ?? 1,
      from: groups!['high'] === undefined ? 'lowest' : 'highest',
      change:
        fallen ||
        /falling/i.test(match) ||
        /\b(?:fell|declined|dropped|decreased)\s+(?:the\s+)?$/i.test(text.slice(0, index))
          ? -1
          : grown || pace
            ? 1
            : 0,
      word: match.toLowerCase(),
    });
  }
  if (found.length > 0) return found.slice(0, 1);
  for (const { 0: match, index, groups } of text.matchAll(leads))
    found.push({
      start: index,
      end: index + match.length,
      place: 1,
      from: (groups!['low'] ?? groups!['lower']) === undefined ? 'highest' : 'lowest',
      change: 0,
      word: /^\s+(?:year|quarter|month|half|period|week)s?\b/.test(text.slice(index + match.length)) ? 'peak' : 'lead',
    });
  for (const { 0: match, index, groups } of [...text.matchAll(given), ...text.matchAll(placed)]) {
    const word = groups!['ordinal']!.toLowerCase();
    if (/^\s*(?:quarter|half|year|month|time)/i.test(text.slice(index + match.length))) continue;
    found.push({
      start: index,
      end: index + match.length,
      place: word === 'last' ? 1 : places[word]!,
      from: word === 'last' ? 'lowest' : 'highest',
      change: 0,
      word,
    });
  }
  return found.slice(0, 1);
}
