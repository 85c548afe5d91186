import type { Command } from 'commander';
import type { Check } from '../../debate/index.ts';
import type { Job } from '../../jobs/index.ts';
import { addExamples, setAction, addConfigFlag, addModuleFlag, collect } from '../define-command.ts';
import { readBytes, readText } from '../files.ts';
import { exitCodes } from '../print-error.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

interface VerifyFlags {
  job?: string;
  config?: string;
  source?: string[];
  policy?: string;
  json?: boolean;
}

/** `agon verify FILE` */
export function defineVerify(command: Command): void {
  command
    .description(
      'Check an answer of any job again, offline and by code alone: its seal, what was judged, every quotation, the ' +
        'equations, the arithmetic and the rules.',
    )
    .argument('<answer.json>', 'answer that --json or --report answer.json wrote; - reads standard input')
    .option(
      '--source <file>',
      'text, image, prompt, response or report that was judged, to compare with the answer; for documents, each file ' +
        '(repeatable)',
      collect,
    )
    .option('--policy <file>', 'policy that was judged by, if it is not the default one')
    .option('--json', 'print the checks as JSON');
  addConfigFlag(addModuleFlag(command));
  addExamples(
    command,
    [
      'agon verify answer.json',
      'agon verify answer.json --source post.txt --policy my.yaml',
      'agon verify trace.json --source report.pdf --source figures.xlsx',
      'agon verify answer.json --job ./my-job.ts',
    ],
    'Exit codes: 0 the answer is valid, 1 it is not.',
  );
  setAction(command, verifyFile);
}

async function verifyFile(file: string, flags: VerifyFlags): Promise<number> {
  const { readDossier } = await import('../../app/index.ts');
  const { defaultPolicy, loadPolicy } = await import('../../policy/index.ts');
  const { blockOf } = await import('../../settings/index.ts');
  const { loadJob, readInstallationSettings } = await import('../read-settings.ts');
  const settings = await readInstallationSettings({ config: flags.config });
  const json = await readText(file);
  if (flags.job !== undefined) await loadJob(flags.job, flags.config);
  const job = await findAnswersJob(json);
  const answer = job.readAnswer(json, file === '-' ? 'Standard input' : file);
  const sources = await Promise.all((flags.source ?? []).map(async (name) => ({ name, bytes: await readBytes(name) })));
  const checks = await job.verify(answer, {
    ...(flags.source ? { sources } : {}),
    policy: flags.policy ? await loadPolicy(flags.policy) : await defaultPolicy(),
    settings: blockOf(settings, job),
    readDocuments: readDossier,
  });
  const holds = checks.every((check) => check.outcome !== 'wrong');
  printLines(flags.json ? [JSON.stringify({ version: 1, id: answer.id, holds, checks })] : renderChecks(checks, holds));
  return holds ? exitCodes.judged : exitCodes.failed;
}

/** The job that an answer names. Without one, the reader of the first job explains what is wrong with the file. */
async function findAnswersJob(json: string): Promise<Job> {
  const { listJobs, requireJob } = await import('../../jobs/index.ts');
  const name = readJobName(json);
  return name === undefined ? listJobs()[0]! : requireJob(name);
}

function readJobName(json: string): string | undefined {
  try {
    const { job } = (JSON.parse(json) ?? {}) as { job?: unknown };
    return typeof job === 'string' ? job : undefined;
  } catch {
    return undefined;
  }
}

const marks = { ok: style('green', '✓'), wrong: style('red', '✗'), 'not-checked': style('yellow', '–') };

function renderChecks(checks: readonly Check[], holds: boolean): string[] {
  const width = Math.max(...checks.map((check) => check.name.length));
  return [
    ...checks.map(({ name, outcome, detail }) => `${marks[outcome]} ${name.padEnd(width)}  ${sanitize(detail)}`),
    holds ? style('green', 'The answer is valid.') : style('red', 'The answer is not valid.'),
  ];
}
