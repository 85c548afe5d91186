import type { Command } from 'commander';
import type { DocumentReaders } from '@agonhq/core/app';
import { badFlag } from '@agonhq/engine/agon-error';
import type { Job, Jobs } from '@agonhq/judges/job';
import { addExamples, setAction, addConfigFlag, addModuleFlag, collect } from '../define-command.ts';
import { decodeInput, readFileBytes, readInputFile } from '../files.ts';
import { exitCodes } from '../print-error.ts';
import { renderChecks, renderOutcome } from '../terminal/checks.ts';
import { printLines } from '../terminal/style.ts';

interface VerifyFlags {
  job?: string;
  config?: string;
  source?: string[];
  policy?: string;
  key?: string;
  opening?: string;
  json?: boolean;
}

/** `agon verify FILE` */
export function defineVerify(command: Command): void {
  command
    .description(
      'Check an answer of any job again, offline and by code alone: its seal, what was judged, every quotation, the ' +
        'equations, the arithmetic and the rules. Of an evidence bundle also its signature, and that nothing was ' +
        'added, left out or changed; of a proof, that the records of a case are in the trees of a signed checkpoint. ' +
        'Neither needs a ledger or settings.',
    )
    .argument(
      '<file>',
      'answer that --json or --report answer.json wrote, bundle that `agon bundle` wrote, or proof that `agon ledger ' +
        'prove` wrote; - reads standard input',
    )
    .option(
      '--source <file>',
      'text, image, prompt, response or report that was judged, to compare with the answer; for documents, each ' +
        'file; of a proof, the answer (repeatable)',
      collect,
    )
    .option('--policy <file>', 'policy that was judged by, if it is not the default one')
    .option(
      '--key <public.pem>',
      'of a bundle or a proof: public key of the issuer, who exports it with `agon signing-key export`',
    )
    .option('--opening <file>', 'of a redacted bundle: what opens it, which its issuer keeps')
    .option('--json', 'print the checks as JSON');
  addConfigFlag(addModuleFlag(command));
  addExamples(
    command,
    [
      'agon verify answer.json',
      'agon verify answer.json --source post.txt --policy my.yaml',
      'agon verify trace.json --source report.pdf --source figures.xlsx',
      'agon verify answer.json --job ./my-job.ts',
      'agon verify case.agon.zip --key issuer.pem',
      'agon verify case.agon.zip --key issuer.pem --opening opening.json',
      'agon verify proof.json --key issuer.pem',
    ],
    'Exit codes: 0 the answer, the bundle or the proof is valid, 1 it is not.',
  );
  setAction(command, verifyFile);
}

/** How every ZIP file begins. */
const zipBeginning = 'PK';

async function verifyFile(file: string, flags: VerifyFlags): Promise<number> {
  const given = await readInputFile(file);
  if (Buffer.from(given.subarray(0, 2)).toString('latin1') === zipBeginning) {
    if (flags.source ?? flags.policy)
      throw badFlag('A bundle brings its policy and its files along.', 'Leave out --source and --policy.');
    const { verifyBundleFile } = await import('./verify-bundle.ts');
    return verifyBundleFile(given, flags);
  }
  const json = decodeInput(given, file);
  const { isProof, verifyProofFile } = await import('../server/ledger-proof.ts');
  if (isProof(json)) return verifyProofFile(json, file, flags);
  if (flags.key ?? flags.opening)
    throw badFlag(
      '--key and --opening are for bundles and proofs, and this is none.',
      'Leave them out, or name an .agon.zip.',
    );
  const { defaultPolicy, loadPolicy } = await import('@agonhq/engine/policy');
  const { blockOf } = await import('@agonhq/core/settings');
  const { readInstallation } = await import('../read-settings.ts');
  const { settings, jobs } = await readInstallation({ config: flags.config, job: flags.job });
  const job = findAnswersJob(jobs, json);
  const answer = job.readAnswer(json, file === '-' ? 'Standard input' : file);
  const sources = await Promise.all(
    (flags.source ?? []).map(async (name) => ({ name, bytes: await readFileBytes(name) })),
  );
  const policy = flags.policy ? await loadPolicy(flags.policy) : await defaultPolicy();
  const checks = await readApart((readDocuments) =>
    job.verify(answer, {
      ...(flags.source ? { sources } : {}),
      policy,
      settings: blockOf(settings, job),
      readDocuments,
    }),
  );
  const holds = checks.every((check) => check.outcome !== 'wrong');
  printLines(
    flags.json
      ? [JSON.stringify({ version: 1, id: answer.id, holds, checks })]
      : [...renderChecks(checks), renderOutcome(holds, 'The answer')],
  );
  return holds ? exitCodes.judged : exitCodes.failed;
}

/** Does something with documents that are read in processes of their own. */
async function readApart<Result>(work: (readFiles: DocumentReaders['readFiles']) => Result): Promise<Awaited<Result>> {
  const { openDocumentReaders } = await import('@agonhq/core/app');
  const readers = openDocumentReaders({ own: true });
  try {
    return await work(readers.readFiles);
  } finally {
    await readers.close();
  }
}

/** The job that an answer names. Without one, the reader of the first job explains what is wrong with the file. */
function findAnswersJob(jobs: Jobs, json: string): Job {
  const name = readJobName(json);
  return name === undefined ? jobs.list()[0]! : jobs.require(name);
}

function readJobName(json: string): string | undefined {
  try {
    const { job } = (JSON.parse(json) ?? {}) as { job?: unknown };
    return typeof job === 'string' ? job : undefined;
  } catch {
    return undefined;
  }
}
