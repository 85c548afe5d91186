import type { ClaimAnswer, Outlook, Analysis } from '../analysis.ts';
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
): Pick<Outlook, 'label' | 'rule'> {
  const decided = claims.filter(({ verdict }) => verdict.label !== 'undecided');
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').length;
  const conflicting = formatCount(conflicts, 'number conflicts', 'numbers conflict');
  if (decided.length === 0 && conflicts > 0)
    return rule('mixed', 'numbers-only', `No claim was decided, but ${conflicting}.`);
  if (decided.length === 0) return rule('undecided', 'nothing-decided', 'No claim was decided.');
  const weigh = (...labels: string[]) =>
    decided
      .filter(({ verdict }) => labels.includes(verdict.label))
      .reduce((sum, { subject }) => sum + subject.importance, 0);
  const good = weigh('verified-strong', 'supported');
  const bad = weigh('contradicted', 'unsupported');
  const all = good + bad + weigh('mixed');
  if (bad > good)
    return rule('negative', 'more-against', 'What is contradicted or unsupported weighs more than what is supported.');
  const contradicted = decided.find(
    ({ subject, verdict }) => verdict.label === 'contradicted' && subject.importance >= important,
  );
  if (contradicted)
    return rule(
      'mixed',
      'important-contradiction',
      `An important claim is contradicted: “${contradicted.subject.text}”`,
    );
  if (conflicts > 0) return rule('mixed', 'number-conflict', `${conflicting} in the document.`);
  if (good * 2 > all)
    return rule(
      'positive',
      'supported',
      'What is verified or supported weighs more than half, and nothing important is contradicted.',
    );
  return rule('mixed', 'no-majority', 'What is verified or supported does not weigh more than half.');
}

function rule(label: Outlook['label'], id: string, why: string): Pick<Outlook, 'label' | 'rule'> {
  return { label, rule: { id, why } };
}

function formatCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The risks that say more than a number conflict, which is shown with its arithmetic beside them. */
export function listOwnRisks({ outlook, numbers }: Analysis): string[] {
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').map(({ statement }) => statement);
  return outlook.risks.filter((risk) => !conflicts.some((statement) => risk.includes(statement)));
}
