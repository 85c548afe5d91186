import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { endWithOutput, exitCodeOf, exitCodes, printError } from './print-error.ts';
import { addAnalyze } from './program/analyze.ts';
import { addBench } from './program/bench.ts';
import { addCalibrate } from './program/calibrate.ts';
import { addCascade } from './program/cascade.ts';
import { addDoctor } from './program/doctor.ts';
import { addEvaluate } from './program/evaluate.ts';
import { addKeys } from './program/keys.ts';
import { addLedger } from './program/ledger.ts';
import { addLearning } from './program/learning.ts';
import { addMcp } from './program/mcp.ts';
import { addModerate } from './program/moderate.ts';
import { addPlan } from './program/plan.ts';
import { addPolicy } from './program/policy.ts';
import { addPrecedents } from './program/precedents.ts';
import { addRetrials } from './program/retrials.ts';
import { addRuns } from './program/runs.ts';
import { addRun } from './program/run.ts';
import { addServe } from './program/serve.ts';
import { addVerify } from './program/verify.ts';
import { addWorker } from './program/worker.ts';

/* Only the parser is loaded here; each command loads what it needs when it is run, so that help starts fast. */

/** What commander says of a wrong command line, as one line. */
function usageError(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  const hint = line.startsWith('too many arguments') ? 'Put a text with spaces in quotes.' : 'See --help.';
  return `agon: ${line}${/[.?)]$/.test(line) ? '' : '.'} ${hint} (bad-flag)\n`;
}

const program = new Command('agon')
  .description(
    'Verdicts a person can check: specialised agents debate, code verifies every quotation, a judge applies ' +
      'written rules.',
  )
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show help')
  .showSuggestionAfterError()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(usageError(text)) })
  .addHelpText(
    'after',
    `
Examples:
  agon moderate "How do I kill a process on Linux?"
  agon moderate --image photo.jpg "Look at them"
  agon moderate --file items.jsonl --out results.jsonl
  agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."
  agon analyze report.pdf --report trace.html
  agon verify answer.json
  agon show mod-315703c5ee85a07c
  agon replay mod-315703c5ee85a07c --seat arbiter=openai:gpt-5
  agon bench moderation --data labelled.jsonl

Exit codes: 0 judged, 1 failed, 2 wrong usage, 3 a verdict that --fail-on names, 130 stopped.
`,
  );

for (const add of [
  addModerate,
  addEvaluate,
  addAnalyze,
  addRun,
  addVerify,
  addRuns,
  addRetrials,
  addLedger,
  addPolicy,
  addPrecedents,
  addLearning,
  addBench,
  addCalibrate,
  addCascade,
  addServe,
  addMcp,
  addKeys,
  addWorker,
  addPlan,
  addDoctor,
])
  add(program);

endWithOutput();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  else {
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}
