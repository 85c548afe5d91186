import type { Command } from 'commander';
import type { Check } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { addExamples, setAction } from '../define-command.ts';
import { collect } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import { readBytes, readText } from '../read-input.ts';
import { sanitize, style } from '../terminal/style.ts';

interface VerifyFlags {
  source?: string[];
  policy?: string;
  json?: boolean;
}

/** `agon verify FILE` */
export function define(command: Command): void {
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
  addExamples(
    command,
    [
      'agon verify answer.json',
      'agon verify answer.json --source post.txt --policy my.yaml',
      'agon verify trace.json --source report.pdf --source figures.xlsx',
    ],
    'Exit codes: 0 the answer is valid, 1 it is not.',
  );
  setAction(command, verifyFile);
}

async function verifyFile(file: string, flags: VerifyFlags): Promise<number> {
  const json = await readText(file);
  const name = file === '-' ? 'Standard input' : file;
  const { id, checks } = isAnalysis(json)
    ? await verifyDocuments(json, name, flags)
    : await verifyOther(json, name, flags);
  const holds = checks.every((check) => check.outcome !== 'wrong');
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ version: 1, id, holds, checks })}\n`
      : `${renderChecks(checks, holds).join('\n')}\n`,
  );
  return holds ? exitCodes.judged : exitCodes.failed;
}

interface Checked {
  id: string;
  checks: readonly Check[];
}

async function verifyOther(
  json: string,
  name: string,
  { source = [], policy: policyFile }: VerifyFlags,
): Promise<Checked> {
  const { readAnswer } = await import('../../debate/index.ts');
  const { verifyEvaluation } = await import('../../jobs/evaluation/index.ts');
  const { verifyAnswer } = await import('../../jobs/moderation/index.ts');
  const { defaultPolicy, loadPolicy } = await import('../../policy/index.ts');
  const answer = readAnswer(json, name);
  if (source.length > 1)
    throw new AgonError('bad-flag', 'Only an analysis of documents has several sources.', 'Use --source once.');
  const policy = policyFile ? await loadPolicy(policyFile) : await defaultPolicy();
  const bytes = source[0] === undefined ? undefined : await readBytes(source[0]);
  return {
    id: answer.id,
    checks: (answer.job === 'evaluation' ? verifyEvaluation : verifyAnswer)(answer, { source: bytes, policy }),
  };
}

async function verifyDocuments(json: string, name: string, { source }: VerifyFlags): Promise<Checked> {
  const { readDossier } = await import('../../app/index.ts');
  const { readAnalysis, verifyAnalysis } = await import('../../jobs/documents/index.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const analysis = readAnalysis(json, name);
  if (!source) return { id: analysis.id, checks: verifyAnalysis(analysis) };
  const { documents } = await readJobSettings({}, { kind: 'judge', job: 'documents' });
  // Read as the first time: with OCR only if it read something.
  const ocr = analysis.documents.some(({ pages }) => pages?.some((page) => page.ocr));
  return {
    id: analysis.id,
    checks: verifyAnalysis(analysis, await readDossier(source, { ocr, limits: documents?.limits })),
  };
}

/** Readers explain what is wrong with text that is not JSON. */
function isAnalysis(json: string): boolean {
  try {
    return (JSON.parse(json) as { job?: unknown } | null)?.job === 'documents';
  } catch {
    return false;
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
