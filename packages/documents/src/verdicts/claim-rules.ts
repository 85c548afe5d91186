import type { ClaimLabel } from '../analysis.ts';

export interface ClaimRule {
  id: string;
  label: ClaimLabel;
  when: string;
}

/**
 * The rules, in their order: the first that applies decides. A quote that is in no source decides nothing. An attack
 * *stands* when the synthesizer says so or the affirmative concedes it, and code did not strike it; it is *material*
 * when it also is a contradiction, an outlier or an alternative explanation that quotes the document.
 */
export const claimRules = [
  { id: 'unsupported-language', label: 'undecided', when: 'the language is one that no seat can judge' },
  { id: 'nobody-heard', label: 'undecided', when: 'no seat gave an answer' },
  {
    id: 'number-conflict',
    label: 'contradicted',
    when: "the numbers of the document contradict the claim's own statement",
  },
  { id: 'shown', label: 'verified-strong', when: 'the claim was not debated, and code has shown all of it' },
  { id: 'shown-in-part', label: 'supported', when: 'the claim was not debated, and code has shown all but its cause' },
  { id: 'not-shown', label: 'unsupported', when: 'the claim was not debated, and code has not shown it' },
  { id: 'synthesizer-unheard', label: 'undecided', when: 'the synthesizer gave no answer' },
  { id: 'contradiction', label: 'contradicted', when: 'the document says otherwise, in words that were found in it' },
  {
    id: 'contradiction-struck',
    label: 'undecided',
    when: 'a contradiction was found, but no quote of it is in the document',
  },
  { id: 'evidence-struck', label: 'unsupported', when: 'support was found, but no quote of it is in the document' },
  { id: 'no-support', label: 'unsupported', when: 'the document does not say so' },
  { id: 'attack-stands', label: 'mixed', when: 'there is support, but a material attack stands' },
  { id: 'side-conflict', label: 'mixed', when: 'there is support, but numbers that the claim stands on conflict' },
  { id: 'partial-support', label: 'supported', when: 'the document says so in part' },
  {
    id: 'objection-stands',
    label: 'supported',
    when: 'there is full support, but an attack that is not material stands',
  },
  { id: 'untested', label: 'supported', when: 'there is full support, but no attack tested it' },
  {
    id: 'own-words',
    label: 'unsupported',
    when: "there is full support, but only in the claim's own sentence, wherever it is repeated",
  },
  {
    id: 'not-computed',
    label: 'supported',
    when: 'there is full support, and no attack stands, but neither arithmetic nor a like statement shows all of it',
  },
  { id: 'withstood', label: 'verified-strong', when: 'code has shown all of it, and no attack stands' },
] as const satisfies readonly ClaimRule[];
