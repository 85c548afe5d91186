import { hashOf } from '../../../hash.ts';
import type { Claim, ClaimLabel } from '../analysis.ts';
import type { Dossier } from '../document.ts';
import { explainUnshown, type NumberCheck } from '../numbers/index.ts';
import { claimRules, firstClaimRules, type ClaimRule } from './claim-rules.ts';
import { findPrecision } from './proof-precision.ts';

/** The rules of a verdict as they were at a time. */
export interface Rulebook {
  /** What stands for them in provenance. */
  policy: { name: string; version: string; hash: string };
  rules: readonly ClaimRule[];
  /** Claims that nobody debated are decided, by what code has shown of them. */
  decidesUndebated: boolean;
  /** How sure a verdict is. `check`: what proves it; `said`: how sure the judge is. */
  findConfidence(label: ClaimLabel, check: NumberCheck | null, said: number | undefined): number | undefined;
  /** What was missing to show a claim that nobody debated; `held`: the arithmetic of a part that was found. */
  explainUnshown(claim: Claim, dossier: Dossier, held: string | null): string;
}

/** The rules that are applied. */
export const rulebook: Rulebook = {
  policy: { name: 'documents', version: '2', hash: hashOf(claimRules) },
  rules: claimRules,
  decidesUndebated: true,
  findConfidence: (label, check, said) => findPrecision(label, check) ?? said,
  explainUnshown,
};

/** The same rules, in the words of before they said what was missing. */
export const earlierRulebook: Rulebook = {
  ...rulebook,
  explainUnshown: (_claim, _dossier, held) =>
    held === null ? 'Nothing that could be computed bears it out.' : `Only a part was found: ${held}`,
};

/** The rules of answers from before statements were read as programs. */
export const firstRulebook: Rulebook = {
  policy: {
    name: 'documents',
    version: '1',
    hash: 'sha256:4206f8ed7289f955a4c4a860081a303777bf135fa0e2deca92bc2117294714b0',
  },
  rules: firstClaimRules,
  decidesUndebated: false,
  findConfidence: (_label, _check, said) => said,
  explainUnshown: earlierRulebook.explainUnshown,
};
