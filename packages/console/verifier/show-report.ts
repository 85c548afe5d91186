import type { BundleReport } from '@agonhq/ledger/bundle/verify-bundle';
import type { Check } from '@agonhq/engine/debate';

/* What a bundle says is anybody's: it becomes text, and never markup. */

type Child = Node | string;

function element(name: string, className: string, ...children: Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const outcomes: Record<Check['outcome'], { mark: string; word: string }> = {
  ok: { mark: '✓', word: 'right' },
  wrong: { mark: '✗', word: 'wrong' },
  'not-checked': { mark: '–', word: 'not checked' },
};

/** The checks of a bundle, and what they come to. */
export function renderVerifyReport({ bundle, holds, checks, cases = [] }: BundleReport, name: string): Node[] {
  const isKnown = checks.some((check) => check.name === 'signer' && check.outcome === 'ok');
  const heading = element('h2', holds ? 'valid' : 'invalid', `The bundle is ${holds ? '' : 'not '}valid.`);
  const meaning = !holds
    ? 'Something in it is not what was signed, or does not follow from the rest. It proves nothing.'
    : isKnown
      ? 'It is as the owner of this key signed it, and what code can check of it is right.'
      : 'Nothing was changed since it was signed. Who signed it is not known: choose the issuer’s public key.';
  const broken = cases.filter((one) => !one.holds);
  return [
    heading,
    element('p', '', meaning),
    ...(bundle ? [renderFacts(bundle, name)] : []),
    renderChecks(checks),
    ...broken.flatMap((one) => [
      element('h3', '', one.id),
      renderChecks(one.checks.filter(({ outcome }) => outcome === 'wrong')),
    ]),
  ];
}

/** Why nothing could be checked. */
export function showVerifyProblem(message: string): Node {
  return element('p', 'invalid', message);
}

function renderChecks(checks: readonly Check[]): HTMLElement {
  return element(
    'ul',
    'checks',
    ...checks.map(({ name, outcome, detail }) => {
      const { mark, word } = outcomes[outcome];
      const sign = element('span', 'mark', mark);
      sign.setAttribute('aria-hidden', 'true');
      const said = element('span', 'spoken', `${word}: `);
      return element('li', outcome, sign, said, element('b', '', name), ' ', element('span', '', detail));
    }),
  );
}

function renderFacts(bundle: NonNullable<BundleReport['bundle']>, name: string): HTMLElement {
  const facts = [
    ['File', name],
    bundle.kind === 'case' ? ['Case', bundle.case] : ['Run', `${bundle.run}, ${bundle.cases.length} case(s)`],
    ['Job', bundle.job],
    ['As of', bundle.asOf],
    ['Made by', `Agon ${bundle.madeBy.agon}`],
    ['Key', bundle.keyId],
    ['Redacted', bundle.redacted ? 'yes' : 'no'],
  ];
  return element(
    'dl',
    'facts',
    ...facts.flatMap(([term, value]) => [element('dt', '', term!), element('dd', '', value!)]),
  );
}
