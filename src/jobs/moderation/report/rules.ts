/**
 * The arbiter's three rules in the order of their priority, in our words; `side` is the finding that each is applied
 * to.
 */
export const rules: readonly {
  id: string;
  title: string;
  question: string;
  side?: 'risk' | 'exoneration';
  applied: string;
  passed: string;
}[] = [
  {
    id: 'contextual-exoneration',
    title: 'Contextual exoneration',
    side: 'exoneration',
    question: 'Is there evidence of a benign context that outweighs the risk?',
    applied: 'Yes. The context exonerates the content, so it is safe, whatever the rules below would say.',
    passed: 'No. The arbiter found no benign context that outweighs the risk.',
  },
  {
    id: 'risk-confirmation',
    title: 'Risk confirmation',
    side: 'risk',
    question: 'Is there concrete evidence that the content breaks the policy?',
    applied: 'Yes. A concrete violation is confirmed by quoted evidence, so the content is unsafe.',
    passed: 'No. The arbiter found no concrete violation.',
  },
  {
    id: 'default-safety',
    title: 'Default safety',
    question: 'Is neither a benign context nor a violation established?',
    applied: 'Yes. Neither is established, and in doubt content is safe.',
    passed: 'It did not decide.',
  },
];
