import { readDossier } from '../../app/index.ts';
import { readAnswer, type Check } from '../../debate/index.ts';
import { readAnalysis, verifyAnalysis } from '../../jobs/documents/index.ts';
import { AgonError } from '../../errors.ts';
import { verifyEvaluation } from '../../jobs/evaluation/index.ts';
import { verifyAnswer } from '../../jobs/moderation/index.ts';
import { defaultPolicy, loadPolicy } from '../../policy/index.ts';
import { exitCodes } from '../print-error.ts';
import { readBytes, readText } from '../read-input.ts';
import { readDocumentsSettings } from '../settings-flags.ts';
import { sanitize, style } from '../terminal/style.ts';

export interface VerifyFlags {
  source?: string[];
  policy?: string;
  json?: boolean;
}

/** `agon verify`: returns the exit code. */
export async function verifyCommand(file: string, flags: VerifyFlags): Promise<number> {
  const json = await readText(file);
  const name = file === '-' ? 'Standard input' : file;
  const { id, checks } = isAnalysis(json)
    ? await checkedAnalysis(json, name, flags)
    : await checkedAnswer(json, name, flags);
  const holds = checks.every((check) => check.outcome !== 'wrong');
  process.stdout.write(
    flags.json ? `${JSON.stringify({ version: 1, id, holds, checks })}\n` : `${lines(checks, holds).join('\n')}\n`,
  );
  return holds ? exitCodes.judged : exitCodes.failed;
}

interface Checked {
  id: string;
  checks: readonly Check[];
}

async function checkedAnswer(
  json: string,
  name: string,
  { source = [], policy: policyFile }: VerifyFlags,
): Promise<Checked> {
  const answer = readAnswer(json, name);
  if (source.length > 1)
    throw new AgonError('bad-flag', 'Only the trace of a dossier has several sources.', 'Give --source once.');
  const policy = policyFile ? await loadPolicy(policyFile) : await defaultPolicy();
  const bytes = source[0] === undefined ? undefined : await readBytes(source[0]);
  return {
    id: answer.id,
    checks: (answer.job === 'evaluation' ? verifyEvaluation : verifyAnswer)(answer, { source: bytes, policy }),
  };
}

async function checkedAnalysis(json: string, name: string, { source }: VerifyFlags): Promise<Checked> {
  const analysis = readAnalysis(json, name);
  if (!source) return { id: analysis.id, checks: verifyAnalysis(analysis) };
  const { documents } = await readDocumentsSettings({ ocr: true });
  // As it was read the first time: OCR only where it read something.
  const ocr = analysis.documents.some(({ pages }) => pages?.some((page) => page.ocr));
  return {
    id: analysis.id,
    checks: verifyAnalysis(analysis, await readDossier(source, { ocr, limits: documents?.limits })),
  };
}

/** What is no JSON is left to the readers, which say why. */
function isAnalysis(json: string): boolean {
  try {
    return (JSON.parse(json) as { job?: unknown } | null)?.job === 'documents';
  } catch {
    return false;
  }
}

const marks = { ok: style('green', '✓'), wrong: style('red', '✗'), 'not-checked': style('yellow', '–') };

function lines(checks: readonly Check[], holds: boolean): string[] {
  const width = Math.max(...checks.map((check) => check.name.length));
  return [
    ...checks.map(({ name, outcome, detail }) => `${marks[outcome]} ${name.padEnd(width)}  ${sanitize(detail)}`),
    holds ? style('green', 'The answer holds.') : style('red', 'The answer does not hold.'),
  ];
}
