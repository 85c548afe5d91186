import type { ClaimAnswer, ClaimSubject, Outlook, Analysis } from '../analysis.ts';
import type { NumberFinding } from '../numbers/finding.ts';

/** From this importance on, a claim that is contradicted weighs on the whole document. */
const important = 0.5;

/**
 * What the verdicts come to, by importance: *negative* when what is contradicted or unsupported weighs more than what
 * is verified or supported; *positive* when no important claim is contradicted, no number conflicts, and what is
 * verified or supported weighs more than half; *mixed* otherwise; *undecided* when nothing was decided.
 */
export function decideOutlook(
  claims: readonly Pick<ClaimAnswer, 'subject' | 'verdict'>[],
  numbers: readonly NumberFinding[],
  nameClaim: (claim: ClaimSubject) => string = ({ text }) => `: “${text}”`,
): Pick<Outlook, 'label' | 'rule'> {
  const decided = claims.filter(({ verdict }) => verdict.label !== 'undecided');
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').length;
  if (decided.length === 0) {
    if (conflicts > 0)
      return {
        label: 'mixed',
        rule: {
          id: 'numbers-only',
          why: `No claim was decided, but ${formatCount(conflicts, 'number conflicts', 'numbers conflict')}.`,
        },
      };
    return { label: 'undecided', rule: { id: 'nothing-decided', why: 'No claim was decided.' } };
  }
  const weigh = (...labels: string[]) =>
    decided
      .filter(({ verdict }) => labels.includes(verdict.label))
      .reduce((sum, { subject }) => sum + subject.importance, 0);
  const good = weigh('verified-strong', 'supported');
  const bad = weigh('contradicted', 'unsupported');
  const all = good + bad + weigh('mixed');
  if (bad > good)
    return {
      label: 'negative',
      rule: { id: 'more-against', why: 'What is contradicted or unsupported weighs more than what is supported.' },
    };
  const contradicted = decided.find(
    ({ subject, verdict }) => verdict.label === 'contradicted' && subject.importance >= important,
  );
  if (contradicted)
    return {
      label: 'mixed',
      rule: {
        id: 'important-contradiction',
        why: `An important claim is contradicted${nameClaim(contradicted.subject)}`,
      },
    };
  if (conflicts > 0)
    return {
      label: 'mixed',
      rule: {
        id: 'number-conflict',
        why: `${formatCount(conflicts, 'number conflicts', 'numbers conflict')} in the document.`,
      },
    };
  if (good * 2 > all)
    return {
      label: 'positive',
      rule: {
        id: 'supported',
        why: 'What is verified or supported weighs more than half, and nothing important is contradicted.',
      },
    };
  return {
    label: 'mixed',
    rule: { id: 'no-majority', why: 'What is verified or supported does not weigh more than half.' },
  };
}

function formatCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The risks that say more than a number conflict, which is shown with its arithmetic beside them. */
export function listOwnRisks({ outlook, numbers }: Analysis): string[] {
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').map(({ statement }) => statement);
  return outlook.risks.filter((risk) => !conflicts.some((statement) => risk.includes(statement)));
}
