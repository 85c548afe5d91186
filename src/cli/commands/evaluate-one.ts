import { AgonError } from '../../errors.ts';
import { evaluationJob, readExchange, type EvaluationAnswer, type Exchange } from '../../jobs/evaluation/index.ts';
import { textFormatOf } from '../../reports/index.ts';
import type { EvaluateFlags } from '../evaluate-flags.ts';
import { renderEvaluation } from '../views/show-evaluation.ts';
import { renderEvaluationVerdict, listSeatWarnings } from '../views/show-verdict.ts';
import { judgeOne } from '../judge-one.ts';
import { readText } from '../read-input.ts';
import { openAgon } from '../open-agon.ts';
import { readEvaluationSettings } from '../settings-flags.ts';
import { sanitize, style } from '../terminal/style.ts';
import { writeReports } from '../judge/write-reports.ts';

export async function evaluateOne(flags: EvaluateFlags): Promise<number> {
  flags.report?.forEach(textFormatOf); // Before anything is paid for.
  const exchange = await exchangeFrom(flags);
  const agon = await openAgon(await readEvaluationSettings(flags), { jobs: ['evaluation'] });
  try {
    return await judgeOne(flags, {
      trial: (options) => agon.judge(evaluationJob, exchange, options),
      blocks: renderEvaluation,
      verdict: renderEvaluationVerdict,
      report: async (answer) => {
        // Where the verdict is not printed for people, which tells it too.
        if (flags.json || flags.report?.includes('notice')) warn(answer);
        await writeReports(answer, { reports: flags.report ?? [], policy: agon.policy });
      },
    });
  } finally {
    await agon.close();
  }
}

function warn(answer: EvaluationAnswer): void {
  for (const warning of listSeatWarnings(answer))
    process.stderr.write(`${style('yellow', 'agon:', process.stderr)} ${sanitize(warning)}\n`);
}

async function exchangeFrom(flags: EvaluateFlags): Promise<Exchange> {
  const given =
    flags.messages !== undefined
      ? await readJson(flags.messages)
      : flags.stdin
        ? await readJson('-')
        : { prompt: flags.prompt, response: flags.response };
  const exchange = readExchange(Array.isArray(given) ? { messages: given } : given);
  return flags.evaluatedModel === undefined ? exchange : { ...exchange, model: flags.evaluatedModel };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const name = file === '-' ? 'Standard input' : file;
    throw new AgonError(
      'broken-exchange',
      `${name} is not JSON: ${(error as Error).message}.`,
      'Pass {"prompt":"…","response":"…"}, or a list of messages with "role" and "content".',
      { cause: error },
    );
  }
}
