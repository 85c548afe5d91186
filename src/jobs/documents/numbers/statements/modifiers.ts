import type { PlacedWord } from '../values/find-measures.ts';
import type { ScannedPeriod } from '../values/scan-periods.ts';

const stop =
  /^(?:was|were|is|are|be|been|has|had|have|grew|rose|fell|increased|decreased|declined|in|on|at|for|to|from|by|with|and|or|of|as|that|this|these|those|the|a|an|our|its|their|his|her|we|it|which|while|both|total|overall|group|company|consolidated|reported|annual|quarterly|full-year|fiscal|strong|solid|robust|higher|lower|record|weak|weaker|stronger|rising|falling|growing|declining|improved|increase|decrease|growth|decline|rise|fall|drop|change|also|however|meanwhile|similarly|accordingly|again|therefore|overall|combined|resulting|corresponding|year-on-year|year-over-year|net|same|respective|further|another|additional|about|approximately|level|levels|end|year|quarter|period|full|half|first|second|third|fourth|prior|previous|last|during|compared|when|where|all|each|every|per|than|more|less|most|only|even|still|already|first-quarter|second-quarter|third-quarter|fourth-quarter|generated|recorded|posted|reported|achieved|delivered|realised|realized|earned|saw|with|company-wide|group-wide|entire|aggregate|whole|business|management|board|result|results|performance|month|months|weeks|ended|ending|operations|continuing|because|so|but|although|though|until|since|through|over|into|after|before|between|under|above|below|around|nearly|roughly|just|almost|some|stood|came|went|hit|brought|made|left|took|gave|saw|met|won|up|down|shrank|will|would|can|may|should|could|did|does|do|not|no|number|numbers|count|percent|show|shows|showed|see|sees|include|includes|including|bring|brings|mean|means|give|gives|put|puts|state|states|list|lists|contain|contains|present|presents|record|records|report|reports|accounts|statements|at)$|^(?!supply$|family$|assembly$|specialty$)\p{Ll}+(?:ed|ly)$/u;

/** The words that narrow a measure down, before it and in the phrase behind it. */
export function findModifiers(
  sentence: string,
  metric: PlacedWord,
  words: readonly PlacedWord[],
  periods: readonly ScannedPeriod[],
  end: number,
): string[] {
  const inside = new Set<string>();
  const front = /((?:[\p{L}\d&'’.-]+\s+){0,5})$/u.exec(sentence.slice(0, metric.start))?.[1] ?? '';
  const fore = front
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  let reach = metric.start;
  for (const word of fore.toReversed()) {
    if (/^(?:and|&|or|group|company|business)(?:['’]s)?$/i.test(word)) {
      reach -= word.length + 1;
      continue;
    }
    if (isStopWord(word.replace(/['’]s$/, ''))) break;
    reach -= word.length + 1;
  }
  const phrase =
    /^\s*(?:\([^)]*\)\s*)?(?:in|from|of|for|at|across|within|on|related to|associated with|attributable to|used (?:in|for|by)|provided by)\s+(?:the\s+|our\s+)?((?:[\p{L}&'’-]+\s*){1,5})/iu.exec(
      sentence.slice(metric.end, end),
    );
  let tail = metric.end;
  if (phrase !== null) {
    tail = metric.end + phrase[0].length - phrase[1]!.length;
    for (const word of phrase[1]!.trim().split(/\s+/)) {
      if (isStopWord(word)) break;
      tail += word.length + 1;
    }
  }
  for (const { word, start, end: wordEnd } of words) {
    if (periods.some((period) => start < period.end && wordEnd > period.start)) continue;
    if (start >= reach - 1 && start < tail && !(start >= metric.start && wordEnd <= metric.end)) inside.add(word);
  }
  return [...inside];
}

/** A capital inside a sentence is a name's: "United" of "United Kingdom" is no verb. */
export function isStopWord(word: string): boolean {
  return stop.test(word) || (stop.test(word.toLowerCase()) && !/^\p{Lu}\p{Ll}+(?:ed|ly)$/u.test(word));
}
