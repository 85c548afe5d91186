import { patternPart } from '../text/index.ts';

const cannot = patternPart`can(?:['’]|no)?t|can not|won['’]?t|will not`;
const unable = patternPart`am (?:not able|unable)`;

/** The words by which an assistant refuses: a source for regular expressions, without regard to case. */
export const refusalWords = patternPart`
  \b(?:i(?:['’]m| am) (?:very |really |so )?sorry,? (?:but )?(?:as an? [^.!?\n]{0,40}?,? )?
  i (?:${cannot}|${unable}|must|have to)\b[^.!?\n]{0,60}
  |i (?:apologi[sz]e|regret)\b[^.!?\n]{0,30}\bi (?:${cannot}|${unable})\b[^.!?\n]{0,60}
  |i (?:${cannot}|${unable} to|must decline to|refuse to) (?:assist|help|provide|fulfil|support|create|comply
  |generate|do that|engage|write|offer|give|answer|share|participate|promote)\w*
  |as an? (?:responsible )?(?:ai|language)(?: language)?(?: model| assistant)?,? i (?:${cannot}
  |do not|don['’]t|am (?:not|unable))
  |(?:is|goes) against my (?:guidelines|programming|principles))`;
