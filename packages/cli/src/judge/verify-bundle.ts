import type { BundleReport } from '@agonhq/ledger/bundle';
import { AgonError } from '@agonhq/engine/agon-error';
import { readTextFile } from '../files.ts';
import { exitCodes } from '../print-error.ts';
import { renderChecks, renderOutcome } from '../terminal/checks.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

interface BundleFlags {
  job?: string;
  config?: string;
  key?: string;
  opening?: string;
  json?: boolean;
}

/** Checks a bundle without a ledger, and without settings but for a job of one's own. */
export async function verifyBundleFile(bytes: Uint8Array, flags: BundleFlags): Promise<number> {
  const { findJobVerifier } = await import('@agonhq/core/app');
  const { verifyBundle } = await import('@agonhq/ledger/bundle');
  const { readInstallation } = await import('../read-settings.ts');
  const { jobs } = await readInstallation({ config: flags.config, job: flags.job });
  const report = await verifyBundle(bytes, {
    keys: flags.key === undefined ? undefined : await readKeys(flags.key),
    opening: flags.opening === undefined ? undefined : await readOpeningFile(flags.opening),
    findVerifier: findJobVerifier(jobs),
  });
  printLines(flags.json ? [JSON.stringify(report)] : renderReport(report));
  return report.holds ? exitCodes.judged : exitCodes.failed;
}

async function readKeys(file: string) {
  const { readPublicKeys } = await import('@agonhq/ledger/bundle');
  const keys = await readPublicKeys(await readTextFile(file)).catch(() => []);
  if (keys.length > 0) return keys;
  throw new AgonError(
    'unreadable-bundle',
    `${file} holds no public key.`,
    'Ask the issuer for the file that `agon signing-key export` writes.',
  );
}

async function readOpeningFile(file: string) {
  const { readOpening } = await import('@agonhq/ledger/bundle');
  const opening = readOpening(await readTextFile(file));
  if (opening) return opening;
  throw new AgonError(
    'unreadable-bundle',
    `${file} is not the opening of a redacted bundle.`,
    'The issuer makes it with `agon bundle --redact --opening FILE`.',
  );
}

const casesShown = 10;

function renderReport({ checks, holds, bundle, cases = [] }: BundleReport): string[] {
  const broken = cases.filter((one) => !one.holds);
  return [
    ...renderChecks(checks),
    ...broken
      .slice(0, casesShown)
      .flatMap((one) => [
        style('bold', sanitize(one.id)),
        ...renderChecks(one.checks.filter(({ outcome }) => outcome === 'wrong')).map((line) => `  ${line}`),
      ]),
    ...(broken.length > casesShown ? [`… and ${broken.length - casesShown} more`] : []),
    ...(bundle ? [style('dim', sanitize(describeBundle(bundle)))] : []),
    renderOutcome(holds, 'The bundle'),
  ];
}

function describeBundle(bundle: NonNullable<BundleReport['bundle']>): string {
  const what = bundle.kind === 'case' ? `case ${bundle.case}` : `run ${bundle.run}`;
  return `Evidence of ${what} (${bundle.job}) as of ${bundle.asOf}, made by Agon ${bundle.madeBy.agon}.`;
}
