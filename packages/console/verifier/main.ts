import { readPublicKeys } from '@agonhq/ledger/bundle/public-key';
import { readOpening } from '@agonhq/ledger/bundle/redact';
import { verifyBundle, type BundleReport } from '@agonhq/ledger/bundle/verify-bundle';
import { findOwnJob } from './own-jobs.ts';
import { renderVerifyReport, showVerifyProblem } from './show-report.ts';

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
