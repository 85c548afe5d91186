import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '../version.ts';
import type { BenchFlags } from './commands/bench.ts';
import type { CalibrateFlags } from './commands/calibrate.ts';
import type { ModerateFlags } from './moderate-flags.ts';
import type { PolicyShowFlags } from './commands/policy-show.ts';
import type { PolicyTestFlags } from './commands/policy-test.ts';
import type { VerifyFlags } from './commands/verify.ts';
import { endWithOutput, exitCodeOf, exitCodes, printError } from './print-error.ts';

/* Only the parser is loaded here; each command loads what it needs when it is run, so that help starts fast. */

const collect = (value: string, previous: string[] = []) => [...previous, value];
const list = (value: string, previous: string[] = []) => [...previous, ...value.split(',').map((part) => part.trim()).filter(Boolean)];

function concurrency(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new InvalidArgumentError('Give a number from 1 to 9999.');
  return Number(value);
}

function positive(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}

/** What commander says of a wrong command line, as one line. */
function usageError(text: string): string {
  const line = text.replace(/^error: /, '').trim().replace(/\s*\n\s*/g, ' ');
  const hint = line.startsWith('too many arguments') ? 'Put a text with spaces in quotes.' : 'See --help.';
  return `agon: ${line}${/[.?)]$/.test(line) ? '' : '.'} ${hint} (bad-flag)\n`;
}

const program = new Command('agon')
  .description('Verdicts a person can check: specialised agents debate, code verifies every quotation, a judge applies written rules.')
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
  agon verify answer.json
  agon bench moderation --data labelled.jsonl

Exit codes: 0 judged, 1 failed, 2 wrong usage, 3 a verdict that --fail-on names, 130 stopped.
`,
  );

withSettings(
  program
    .command('moderate')
    .summary('judge a text, an image, or both')
    .description('Judge a text, an image, or a text with images: safe, unsafe or undecided, after a debate that is on record.')
    .argument('[text]', 'the text to judge')
    .option('--image <file>', 'an image to judge; may be given several times', collect)
    .option('--image-description <text>', 'a description that stands for an image; may be given several times', collect)
    .option('--stdin', 'read the text from standard input')
    .option('--file <items.jsonl>', 'judge many items, one JSON object a line ("id", "text", "image", "image_description"); - for standard input')
    .option('--out <results.jsonl>', 'where the results of --file go; a run that was stopped goes on from there')
    .option('--root <folder>', "what image paths in --file are relative to (default: the file's folder)")
    .option('--concurrency <n>', 'items judged at once with --file', concurrency, 8)
    .addOption(new Option('--order <order>', 'order of results with --file').choices(['input', 'as-done']).default('input'))
    .option('--json', 'print the whole answer as JSON')
    .option('--report <file>', 'write a report: .html, .md or .json; "notice" prints a statement of reasons for the affected user', collect)
    .option('--appeal <text>', 'how to appeal, for the notice')
    .option('--fail-on <labels>', 'exit with 3 on these verdicts (unsafe, undecided, safe)', list)
    .option('-q, --quiet', 'no progress, no live view'),
)
  .addHelpText(
    'after',
    `
Examples:
  agon moderate "How do I kill a process on Linux?"
  agon moderate --image poster.png --report poster.html
  cat post.txt | agon moderate --stdin --json
  agon moderate --file items.jsonl --out results.jsonl --concurrency 16
  agon moderate "…" --model ollama:llama3.1 --rounds 1
  agon moderate "…" --preset paper --without retrieval
  agon moderate "…" --fail-on unsafe,undecided && deploy
`,
  )
  .action(async (text: string | undefined, flags: ModerateFlags) => {
    const { moderateCommand } = await import('./commands/moderate.ts');
    process.exitCode = await moderateCommand(text, flags);
  });

program
  .command('verify')
  .summary('recheck an answer offline, by code alone')
  .description('Recheck an answer offline, by code alone: its seal, what was judged, every quotation, and the priority of the rules.')
  .argument('<answer.json>', 'an answer, as --json or --report answer.json wrote it; - for standard input')
  .option('--source <file>', 'the text or an image that was judged, to be held against the answer')
  .option('--policy <file>', 'the policy it was judged under, when it is not the default one')
  .option('--json', 'print the checks as JSON')
  .addHelpText('after', '\nExamples:\n  agon verify answer.json\n  agon verify answer.json --source post.txt --policy my.yaml\n\nExit codes: 0 everything holds, 1 something does not.\n')
  .action(async (file: string, flags: VerifyFlags) => {
    const { verifyCommand } = await import('./commands/verify.ts');
    process.exitCode = await verifyCommand(file, flags);
  });

const policy = program.command('policy').description('Read and test policies.');

policy
  .command('show')
  .description('Show a policy: its clauses with their severity, or the file itself.')
  .argument('[file]', 'a policy file (default: the policy Agon ships)')
  .option('--json', 'print the policy as JSON')
  .option('--yaml', 'print the file itself, as a start for your own')
  .addHelpText('after', '\nExamples:\n  agon policy show\n  agon policy show --yaml > my.yaml\n')
  .action(async (file: string | undefined, flags: PolicyShowFlags) => {
    const { policyShowCommand } = await import('./commands/policy-show.ts');
    process.exitCode = await policyShowCommand(file, flags);
  });

withSettings(
  policy
    .command('test')
    .description("Judge a policy's own examples, and report which clauses do not catch theirs.")
    .argument('[file]', 'a policy file (default: the policy Agon ships)')
    .option('--clause <ids>', 'only these clauses or categories', list)
    .option('--concurrency <n>', 'examples judged at once', concurrency, 8)
    .option('--json', 'print the results as JSON')
    .option('-q, --quiet', 'no progress'),
  { policy: false },
)
  .addHelpText('after', '\nExamples:\n  agon policy test my.yaml\n  agon policy test my.yaml --clause weapons,fraud.scam --json\n\nExit codes: 0 every example is judged as its clause says, 1 some are not.\n')
  .action(async (file: string | undefined, flags: PolicyTestFlags) => {
    const { policyTestCommand } = await import('./commands/policy-test.ts');
    process.exitCode = await policyTestCommand(file, flags);
  });

const bench = program.command('bench').summary('measure a configuration on labelled data').description('Measure a configuration on labelled data.');

withSettings(
  withData(bench.command('moderation').description('Measure moderation: accuracy, F1 and more, with bootstrap intervals, for the whole debate and for the debate without a part.'))
    .option('--systems <names>', 'what is measured, the first being what the others are compared with: full, guard, without-precedents, without-loose, without-strict, … (default: full)', list)
    .option('--by <field>', 'the field of the table of categories', 'category')
    .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
    .option('--json', 'print the figures as JSON, one object for each --data'),
)
  .addHelpText(
    'after',
    `
Examples:
  agon bench moderation --data items.jsonl
  agon bench moderation --data items.jsonl --systems full,without-loose,without-strict --out results.jsonl
  agon bench moderation --data comments.jsonl --map text=comment,label=is_toxic --json
`,
  )
  .action(async (flags: BenchFlags) => {
    const { benchModerationCommand } = await import('./commands/bench.ts');
    process.exitCode = await benchModerationCommand(flags);
  });

withSettings(
  withData(
    program
      .command('calibrate')
      .summary('make probabilities of the scores of a configuration')
      .description('Fit, on labelled data, how the scores of a configuration become probabilities, and between which of them a person should look.'),
  )
    .option('--out <calibration.json>', 'where the calibration goes (default: standard output)')
    .option('--results <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there'),
)
  .addHelpText(
    'after',
    `
Examples:
  agon calibrate --data items.jsonl --out calibration.json
  agon moderate "…" --calibration calibration.json
`,
  )
  .action(async (flags: CalibrateFlags) => {
    const { calibrateCommand } = await import('./commands/calibrate.ts');
    process.exitCode = await calibrateCommand(flags);
  });

/** The flags of every command that reads labelled data. */
function withData(command: Command): Command {
  return command
    .requiredOption('--data <items.jsonl>', 'labelled items, one JSON object a line ("id", "label", "text", "image", "image_description"); may be given several times', collect)
    .option('--root <folder>', "what image paths are relative to (default: the file's folder)")
    .option('--map <field=name,…>', 'what the data calls our fields: text=comment,label=is_toxic', list)
    .option('--map-label <value=label,…>', 'what the labels of the data mean: hateful=unsafe,fine=safe', list)
    .option('--limit <n>', 'only the first items of each file', positive)
    .option('--concurrency <n>', 'items judged at once', concurrency, 8)
    .option('--vision', 'look at an image even where the data describes it')
    .option('-q, --quiet', 'no progress');
}

/** The flags of every command that debates. */
function withSettings(command: Command, options: { policy: boolean } = { policy: true }): Command {
  if (options.policy) command.option('--policy <file>', 'the rulebook, instead of the default policy');
  command.option('--calibration <file>', 'what `agon calibrate` wrote for this configuration: gives verdicts a probability');
  return command
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--model <provider:model>', 'the model of every seat that is not named')
    .option('--debaters <provider:model>', 'the model of both debaters and the supporter')
    .option('--arbiter <provider:model>', "the arbiter's model")
    .option('--preprocessor <provider:model>', 'the model that describes images')
    .option('--seat <seat=provider:model>', 'the model of one seat: supporter, strict-debater, loose-debater, …', collect)
    .option('--preset <name>', "paper: the paper's models, order and rounds, no early stop")
    .option('--rounds <n>', 'rounds of debate, 1 to 3 (default: 2)')
    .option('--turns <order>', 'together or alternate (default: together)')
    .option('--no-early-stop', 'all rounds, even when the sides agree')
    .option('--without <parts>', 'leave out: retrieval, supporter, strict, loose, debate', list)
    .option('--no-vision', 'do not ask a model to describe images')
    .option('--no-ocr', 'do not read text in images')
    .option('--cache <folder>', 'keep answers there and ask nothing twice')
    .option('--budget-usd <amount>', 'at most this much for one item')
    .option('--run-budget-usd <amount>', 'at most this much in all');
}

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
