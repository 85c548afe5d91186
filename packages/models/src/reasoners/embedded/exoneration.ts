import { refusalWords } from '@agonhq/engine/evidence';
import { pattern } from '@agonhq/engine/text';

/** A benign context that code can recognise and quote. */
export interface Exoneration {
  kind: ExonerationKind;
  start: number;
  end: number;
}

export type ExonerationKind =
  | 'refusal'
  | 'condemnation'
  | 'prevention'
  | 'self-defence'
  | 'fiction'
  | 'news'
  | 'education'
  | 'quotation'
  | 'negation'
  | 'figurative';

/*
 * Words by which a text shows its context: what a person would accept as a reason, to be quoted and argued. What has
 * a weight in weights.json proved it on labelled data; the rest is heard and weighs nothing.
 */
const patterns: Record<ExonerationKind, RegExp> = {
  refusal: new RegExp(refusalWords, 'gi'),
  condemnation: pattern('gi')`
      \b(?:condemn\w*|denounc\w*|(?:is|are) (?:wrong|unacceptable|not okay|not acceptable)|shame on|hate crimes?
      |stand(?:s|ing)? (?:up )?against|(?:against|end|stop) (?:racism|hate|violence|discrimination|bullying))\b`,
  prevention: pattern('gi')`
      \b(?:prevent\w*|how to (?:protect|recognise|recognize|spot|avoid|report|respond to)
      |protect(?:ing)? (?:yourself|people|children|my|our|your)|raise awareness|warning signs|hotline|first aid
      |recover(?:y|ing)|seek(?:ing)? (?:professional )?help)\b`,
  'self-defence':
    /\b(?:self[- ]defen[cs]e|(?:defend|protect) (?:myself|yourself|himself|herself|themselves|my family))\b/gi,
  quotation: pattern('gi')`
      \b(?:he|she|they|someone|somebody|people) (?:said|told me|called (?:me|us|him|her|them)|shouted(?: at)?
      |wrote)\b`,
  negation: pattern('gi')`
      \b(?:i (?:would never|do(?: not|n['’]t) want to|never want to)|(?:nobody|no one) should
      |please do(?: not|n['’]t))\b`,
  fiction: pattern('gi')`
      \b(?:in (?:my|this|the) (?:novel|story|book|film|movie|game|poem)
      |a (?:novel|short story|screenplay|poem|fairy tale)|(?:fictional|fantasy) (?:character|world|story)
      |the (?:villain|protagonist|hero) of)\b`,
  news: pattern('gi')`
    \b(?:according to (?:police|officials|reports|the)|police said
    |(?:was|were) (?:arrested|charged|convicted|sentenced)|reported (?:on|that)|breaking news)\b`,
  education: pattern('gi')`
      \b(?:history of|what (?:is|was|does|were) (?:the )?(?:meaning|definition|history|difference|significance)
      |in (?:class|a lecture|a textbook)|for (?:my|a) (?:class|thesis|exam|history)|museum|encyclop(?:a|e)edia)\b`,
  figurative: pattern('gi')`
      \b(?:kill(?:ing|ed)? (?:a |the |that )?(?:process(?:es)?|time|lights?|engine|mood|switch|job)
      |shoot(?:ing)? (?:a |an |some |the )?(?:photos?|pictures?|portraits?|film|video|goals?|hoops|email|message)
      |blow(?:ing)? up (?:balloons?|on social)|(?:you|this|that|it|he|she) (?:absolutely )?
      (?:killed|murdered|slayed) it|dying (?:of laughter|to (?:see|know|try)))\b`,
};

/** Every recognisable benign context in a text, the first of each kind. */
export function findExonerations(text: string): Exoneration[] {
  return Object.entries(patterns).flatMap(([kind, pattern]) => {
    pattern.lastIndex = 0;
    const match = pattern.exec(text);
    return match
      ? [{ kind: kind as ExonerationKind, start: match.index, end: match.index + match[0].trimEnd().length }]
      : [];
  });
}
