import { toOneLine } from '@agonhq/engine/text';
import type { ClaimLabel, ClaimVerdict, RecalledCorrection } from '../analysis.ts';
import type { Likeness } from './recall-corrections.ts';

/** The rule by which the word of a person decides. It is in no rulebook: without a correction nothing is decided by it. */
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
