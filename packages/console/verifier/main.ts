import { readPublicKeys } from '@agonhq/ledger/bundle/public-key';
import { readOpening } from '@agonhq/ledger/bundle/redact';
import { type BundleReport, verifyBundle } from '@agonhq/ledger/bundle/verify-bundle';
import type { AnswerVerifier, GivenEvidence } from '@agonhq/ledger/bundle/check-case';
import type { Answer, Check } from '@agonhq/engine/debate';
import { readAnalysis } from '@agonhq/documents/analysis-schema';
import type { Analysis } from '@agonhq/documents';
import { verifyAnalysis } from '@agonhq/documents/verify-analysis';
import { readEvaluationAnswer } from '@agonhq/judges/evaluation/evaluation-answer';
import { verifyEvaluation } from '@agonhq/judges/evaluation/verify-evaluation';
import type { JobAnswer } from '@agonhq/judges/job';
import { readModerationAnswer } from '@agonhq/judges/moderation/moderation-answer';
import { verifyAnswer } from '@agonhq/judges/moderation/verify-answer';

/* The page: files in, checks out. Nothing is fetched, and nothing leaves the page. */

const find = (id: string) => document.getElementById(id)!;
const findInput = (id: string) => find(id) as HTMLInputElement;
const inputs = {
  bundle: findInput('bundle'),
  key: findInput('key'),
  opening: findInput('opening'),
};
const result = find('result');
const drop = find('drop');

/** Files that were dropped take the place of those that were chosen. */
const dropped: Partial<Record<keyof typeof inputs, File>> = {};
const given = (name: keyof typeof inputs) => dropped[name] ?? inputs[name].files?.[0];

let latest = 0;

async function check(): Promise<void> {
  const turn = (latest += 1);
  const file = given('bundle');
  if (!file) return result.replaceChildren();
  result.setAttribute('aria-busy', 'true');
  try {
    const report = await verify(file);
    if (turn === latest) result.replaceChildren(...renderVerifyReport(report, file.name));
  } catch (error) {
    if (turn === latest)
      result.replaceChildren(showVerifyProblem(error instanceof Error ? error.message : String(error)));
  } finally {
    if (turn === latest) result.removeAttribute('aria-busy');
  }
}

async function verify(file: File): Promise<BundleReport> {
  const [key, opening] = [given('key'), given('opening')];
  const keys = key && (await readPublicKeys(await key.text()).catch(() => []));
  if (keys?.length === 0) throw new Error(`${key!.name} holds no public key.`);
  const opened = opening && readOpening(await opening.text());
  if (opening && !opened) throw new Error(`${opening.name} is not the opening of a redacted bundle.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return verifyBundle(bytes, { keys, opening: opened, findVerifier: findOwnJob });
}

/** What a file is, by how its name ends. */
function findKind({ name }: File): keyof typeof inputs {
  return name.endsWith('.pem') ? 'key' : name.endsWith('.json') || name.endsWith('.jsonl') ? 'opening' : 'bundle';
}

for (const [name, input] of Object.entries(inputs) as [keyof typeof inputs, HTMLInputElement][])
  input.addEventListener('change', () => {
    delete dropped[name];
    void check();
  });
for (const type of ['dragenter', 'dragover'])
  document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
for (const type of ['dragleave', 'drop']) document.addEventListener(type, () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  for (const file of event.dataTransfer?.files ?? []) {
    const kind = findKind(file);
    dropped[kind] = file;
    find(`${kind}-dropped`).textContent = file.name;
  }
  void check();
});

/* The jobs as they are, but for what judges: the page has no use for models, nor for readers of documents. */

const ownJobs: Readonly<Record<string, AnswerVerifier>> = {
  moderation: {
    readAnswer: readModerationAnswer,
    verify: (answer, { policy }) => verifyAnswer(answer as unknown as Answer, policy ? { policy } : {}),
  },
  evaluation: {
    readAnswer: readEvaluationAnswer,
    verify: (answer, { policy }) => verifyEvaluation(answer as unknown as Answer, policy ? { policy } : {}),
  },
  documents: { readAnswer: readAnalysis, verify: verifyDocuments },
};

/** The job of this id, if it is Agon's own. */
function findOwnJob(id: string): AnswerVerifier | undefined {
  return Object.hasOwn(ownJobs, id) ? ownJobs[id] : undefined;
}

function verifyDocuments(answer: JobAnswer, { files }: GivenEvidence): Check[] {
  const [seal, ...checks] = verifyAnalysis(answer as Analysis);
  const unread: Check = {
    name: 'files',
    outcome: 'not-checked',
    detail: 'this page does not read documents: agon verify reads them again, and holds all of it against them',
  };
  return [seal!, ...(files.size > 0 ? [unread] : []), ...checks];
}

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
function renderVerifyReport({ bundle, holds, checks, cases = [] }: BundleReport, name: string): Node[] {
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
function showVerifyProblem(message: string): Node {
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
