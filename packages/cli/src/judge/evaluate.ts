import { InvalidArgumentError, type Command } from 'commander';
import { attackNames } from '@agonhq/core/runs/collect/attacks';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { evaluationJob, readExchange, type Exchange } from '@agonhq/judges/evaluation';
import {
  addExamples,
  setAction,
  addItemsFlags,
  addJudgeFlags,
  list,
  positive,
  addCascadeFlags,
  addRunFlags,
  type RunFlags,
} from '../define-command.ts';
import { readTextFile, readTyped } from '../files.ts';
import { assertLabels } from '../read-flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { contextOption, readContextFlags } from './context-flags.ts';
import type { FileFlags } from './judge-file.ts';
import type { OneFlags } from './judge-one.ts';

export interface EvaluateFlags extends OneFlags, FileFlags {
  prompt?: string;
  response?: string;
  messages?: string;
  stdin?: boolean;
  context?: string[];
  /** A model to ask, instead of exchanges. */
  target?: string;
  prompts?: string;
  attacks?: string[];
  evaluators?: string[];
  hard?: string;
  targetSystem?: string;
  targetTokens?: number;
  targetTemperature?: number;
}

/** `agon evaluate` */
export function defineEvaluate(command: Command): void {
  command
    .description(
      'Judge the response of a model to a prompt by debate: safe, unsafe or undecided; explicit or implicit risk; ' +
        'refused or complied. The debate is recorded.',
    )
    .option('--prompt <text>', 'prompt; - reads standard input')
    .option('--response <text>', 'response of the model; - reads standard input')
    .option(
      '--messages <file.json>',
      'a whole conversation instead: a list of messages with "role" and "content" that ends with the response',
    )
    .option('--stdin', 'read one exchange as JSON from standard input')
    .option(
      '--file <exchanges.jsonl>',
      'judge many exchanges, one JSON object per line ("id", "model", "prompt" and "response" or "messages"); also ' +
        'promptfoo results and Inspect logs; - reads standard input',
    )
    .option('--evaluated-model <name>', 'model that answered, to warn about judges of the same family')
    .option(...contextOption);
  addItemsFlags(command, { map: 'response=answer', labels: 'hateful=unsafe,fine=safe', root: null });
  addJudgeFlags(command, {
    notice: 'a summary for those responsible for the model',
    labels: 'safe, unsafe, undecided',
  });
  addTargetFlags(command);
  addSettingsFlags(command, { kind: 'judge', job: evaluationJob });
  addExamples(command, [
    'agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."',
    'agon evaluate --messages conversation.json --evaluated-model openai:gpt-5 --report debate.html',
    'agon evaluate --file exchanges.jsonl --out results.jsonl --fail-on unsafe,undecided',
    'agon evaluate --file exchanges.jsonl --out results.jsonl --report findings.sarif --report junit.xml',
    'agon evaluate --file promptfoo-results.json --out results.jsonl',
    'agon evaluate --prompt "…" --response "…" --auditor openai:gpt-4o-mini --arbiter anthropic:claude-sonnet-4-5',
    'agon evaluate --prompt "…" --response "…" --method judge --model ollama:llama3.1',
    'agon evaluate --prompt "…" --response "…" --preset paper',
    'agon evaluate --target ollama:llama3.1 --prompts prompts.txt --attacks none,roleplay --out exchanges.jsonl',
  ]);
  setAction(command, evaluate);
}

function addTargetFlags(command: Command): void {
  command
    .option('--target <provider:model>', 'send the prompts of --prompts to this model, and judge its responses')
    .option(
      '--prompts <file>',
      'prompts for the target: JSONL with "prompt" (and "id"), CSV with a column prompt, or one prompt per line',
    )
    .option(
      '--attacks <names>',
      `send each prompt with each of these attacks: ${attackNames.join(', ')} (default: none)`,
      list,
    )
    .option(
      '--evaluators <names>',
      'evaluators of the responses; the figures are those of the first (default: debate,guard)',
      list,
    )
    .option('--hard <hard.jsonl>', 'write exchanges that evaluators disagree on here, for annotation')
    .option('--target-system <file>', 'system prompt of the target')
    .option('--target-tokens <n>', 'longest response of the target, in tokens (default: 1024)', positive)
    .option('--target-temperature <t>', 'temperature of the target', readTemperature);
}

function readTemperature(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 2)) throw new InvalidArgumentError('Use a number from 0 to 2.');
  return number;
}

async function evaluate(flags: EvaluateFlags): Promise<number> {
  assertUsage(flags);
  if (flags.target !== undefined) {
    const { evaluateTarget } = await import('./evaluate-target.ts');
    return evaluateTarget(flags);
  }
  if (flags.file !== undefined) {
    const { judgeFile } = await import('./judge-file.ts');
    return judgeFile(evaluationJob, 'evaluate', { ...flags, file: flags.file });
  }
  const { judgeOne } = await import('./judge-one.ts');
  const exchange = await readExchangeFlags(flags);
  return judgeOne(evaluationJob, flags, {
    start: (agon) => (options) => agon.judge(evaluationJob, exchange, options),
  });
}

const targetFlags = {
  prompts: '--prompts',
  attacks: '--attacks',
  evaluators: '--evaluators',
  hard: '--hard',
  targetSystem: '--target-system',
  targetTokens: '--target-tokens',
  targetTemperature: '--target-temperature',
} as const satisfies Partial<Record<keyof EvaluateFlags, string>>;

function assertUsage(flags: EvaluateFlags): void {
  assertLabels(flags.failOn, evaluationJob.labels);
  const ways = Object.entries({
    '--prompt and --response': flags.prompt !== undefined || flags.response !== undefined,
    '--messages': flags.messages !== undefined,
    '--stdin': flags.stdin,
    '--file': flags.file !== undefined,
    '--target': flags.target !== undefined,
  });
  const given = ways.filter(([, used]) => used).map(([name]) => name);
  if (given.length > 1)
    throw badFlag(
      `${given.slice(0, -1).join(', ')} cannot be combined with ${given.at(-1)}.`,
      'Pass exchanges in one way only.',
    );
  if (given.length === 0) {
    throw new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Pass --prompt and --response, --messages FILE, --stdin, --file exchanges.jsonl or --target; `agon evaluate ' +
        '--help` has examples.',
    );
  }
  if (flags.prompt === '-' && flags.response === '-')
    throw badFlag('Standard input is given more than once.', 'Write - only once.');
  const stray = Object.entries(targetFlags).find(([name]) => flags[name as keyof typeof targetFlags] !== undefined);
  if (stray !== undefined && flags.target === undefined)
    throw badFlag(`${stray[1]} needs --target.`, 'Name the model to ask: --target provider:model.');
  if (flags.out !== undefined && (flags.file ?? flags.target) === undefined)
    throw badFlag('--out needs --file.', 'For one exchange, use --report answer.json or --json.');
}

async function readExchangeFlags(flags: EvaluateFlags): Promise<Exchange> {
  const given =
    flags.messages !== undefined
      ? await readJson(flags.messages)
      : flags.stdin
        ? await readJson('-')
        : { prompt: await readTyped(flags.prompt), response: await readTyped(flags.response) };
  const known = flags.context ? { context: readContextFlags(flags.context) } : {};
  const said = Array.isArray(given) ? { messages: given as unknown[] } : given;
  // What is no object at all is refused as it is.
  const exchange = readExchange(typeof said === 'object' && said !== null ? { ...said, ...known } : said);
  return flags.evaluatedModel === undefined ? exchange : { ...exchange, model: flags.evaluatedModel };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readTextFile(file);
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

/** `agon run evaluation` */
export function defineRunEvaluation(command: Command): void {
  command.description('Judge exchanges (prompt and response) of a model: safe, unsafe or undecided.');
  addRunFlags(command, {
    fields: '"id", "model", "prompt" and "response" or "messages", "label"; also promptfoo results and Inspect logs',
    map: 'response=answer',
    labels: 'hateful=unsafe,fine=safe',
    root: null,
  });
  command.option('--evaluated-model <name>', 'model that answered, for items that do not name it');
  addCascadeFlags(command);
  addSettingsFlags(command, { kind: 'run', job: evaluationJob });
  addExamples(command, [
    'agon run evaluation --file exchanges.jsonl --out results.jsonl',
    'agon run evaluation --file promptfoo-results.json --evaluated-model openai:gpt-5',
  ]);
  setAction(command, async (flags: RunFlags) => (await import('../runs/start-run.ts')).runJob(evaluationJob, flags));
}
