import { readAnswer, type Check } from '../../debate/index.ts';
import { verifyEvaluation } from '../../evaluation/index.ts';
import { verifyAnswer } from '../../moderation/index.ts';
import { defaultPolicy, loadPolicy } from '../../policy/index.ts';
import { exitCodes } from '../print-error.ts';
import { readBytes, readText } from '../read-text.ts';
import { plain, styled } from '../terminal.ts';

export interface VerifyFlags {
  source?: string;
  policy?: string;
  json?: boolean;
}

/** `agon verify`: returns the exit code. */
export async function verifyCommand(file: string, flags: VerifyFlags): Promise<number> {
  const answer = readAnswer(await readText(file), file === '-' ? 'Standard input' : file);
  const policy = flags.policy ? await loadPolicy(flags.policy) : await defaultPolicy();
  const source = flags.source === undefined ? undefined : await readBytes(flags.source);
  const checks = (answer.job === 'evaluation' ? verifyEvaluation : verifyAnswer)(answer, { source, policy });
  const holds = checks.every((check) => check.outcome !== 'wrong');
  process.stdout.write(flags.json ? `${JSON.stringify({ version: 1, id: answer.id, holds, checks })}\n` : `${lines(checks, holds).join('\n')}\n`);
  return holds ? exitCodes.judged : exitCodes.failed;
}

const marks = { ok: styled('green', '✓'), wrong: styled('red', '✗'), 'not-checked': styled('yellow', '–') };

function lines(checks: readonly Check[], holds: boolean): string[] {
  const width = Math.max(...checks.map((check) => check.name.length));
  return [
    ...checks.map(({ name, outcome, detail }) => `${marks[outcome]} ${name.padEnd(width)}  ${plain(detail)}`),
    holds ? styled('green', 'The answer holds.') : styled('red', 'The answer does not hold.'),
  ];
}
