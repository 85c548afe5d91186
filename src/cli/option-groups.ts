import { InvalidArgumentError, Option, type Command } from 'commander';

/* Flags that several commands have, and how their values are read. */

export const collect = (value: string, previous: string[] = []) => [...previous, value];
export const list = (value: string, previous: string[] = []) => [
  ...previous,
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];

export function concurrency(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new InvalidArgumentError('Give a number from 1 to 9999.');
  return Number(value);
}

export function positive(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}

export function amount(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('Give a number above zero.');
  return number;
}

/** The flags of every command that judges one subject or a file of them. */
export function withTrials(command: Command, notice: string): Command {
  return withRecord(command)
    .option('--out <results.jsonl>', 'where the results of --file go; a run that was stopped goes on from there')
    .option('--concurrency <n>', 'items judged at once with --file', concurrency, 8)
    .addOption(
      new Option('--order <order>', 'order of results with --file').choices(['input', 'as-done']).default('input'),
    )
    .option('--json', 'print the whole answer as JSON')
    .option('--report <file>', `write a report: .html, .md or .json; "notice" prints ${notice}`, collect)
    .option('--fail-on <labels>', 'exit with 3 on these verdicts (unsafe, undecided, safe)', list)
    .option('-q, --quiet', 'no progress, no live view');
}

/** What labelled data of a job looks like, for the help. */
interface DataWords {
  fields: string;
  map: string;
  labels: string;
}

/** The flags of every command that reads labelled data. */
export function withData(command: Command, { fields, map, labels }: DataWords): Command {
  return command
    .requiredOption(
      '--data <items.jsonl>',
      `labelled items, one JSON object a line (${fields}); may be given several times`,
      collect,
    )
    .option('--map <field=name,…>', `what the data calls our fields: ${map}`, list)
    .option('--map-label <value=label,…>', `what the labels of the data mean: ${labels}`, list)
    .option('--limit <n>', 'only the first items of each file', positive)
    .option('--concurrency <n>', 'items judged at once', concurrency, 8)
    .option('-q, --quiet', 'no progress');
}

/** The same for data that may have images. */
export function withContent(command: Command): Command {
  return withData(command, {
    fields: '"id", "label", "text", "image", "image_description"',
    map: 'text=comment,label=is_toxic',
    labels: 'hateful=unsafe,fine=safe',
  })
    .option('--root <folder>', "what image paths are relative to (default: the file's folder)")
    .option('--vision', 'look at an image even where the data describes it');
}

/** The flag of every command that reads or writes the record. */
export function withLedger(command: Command): Command {
  return command.option(
    '--ledger <file>',
    'where cases are kept: a file, or a postgres:// URL (default: ledger.sqlite in AGON_HOME)',
  );
}

/** The same for those that judge. */
export function withRecord(command: Command): Command {
  return withLedger(command).option('--no-ledger', 'keep nothing on record');
}

/** The flags of every command that debates. */
function withSettings(command: Command, options: { debaters: string; seats: string }): Command {
  return command
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--model <provider:model>', 'the model of every seat that is not named')
    .option('--debaters <provider:model>', `the model of ${options.debaters}`)
    .option('--seat <seat=provider:model>', `the model of one seat: ${options.seats}`, collect)
    .option('--cache <folder>', 'keep answers there and ask nothing twice; "ledger" for the ledger')
    .option('--budget-usd <amount>', 'at most this much for one item')
    .option('--run-budget-usd <amount>', 'at most this much in all');
}

/** The same for those that judge by a policy. */
function withPolicy(
  command: Command,
  options: { policy: boolean; fitted: string; debaters: string; seats: string },
): Command {
  if (options.policy) command.option('--policy <file>', 'the rulebook, instead of the default policy');
  command.option(
    '--calibration <file>',
    `what ${options.fitted} wrote for this configuration: gives verdicts a probability`,
  );
  return withSettings(command, options).option('--arbiter <provider:model>', "the arbiter's model");
}

export function withModeration(command: Command, { policy = true } = {}): Command {
  return withPolicy(command, {
    policy,
    fitted: '`agon calibrate`',
    debaters: 'both debaters and the supporter',
    seats: 'supporter, strict-debater, loose-debater, …',
  })
    .addOption(
      new Option(
        '--method <name>',
        'how it is judged: by the debate, or by what it is held against (default: debate)',
      ).choices(['debate', 'judge', 'guard', 'vote', 'role-free', 'control', 'refusal-match']),
    )
    .option('--judge <provider:model>', "the model of a single judge (default: the arbiter's)")
    .option('--preprocessor <provider:model>', 'the model that describes images')
    .option('--preset <name>', "paper: the paper's models, order and rounds, no early stop")
    .option('--rounds <n>', 'rounds of debate, 1 to 3 (default: 2)')
    .option('--turns <order>', 'together or alternate (default: together)')
    .option('--no-early-stop', 'all rounds, even when the sides agree')
    .option('--without <parts>', 'leave out: retrieval, supporter, strict, loose, debate', list)
    .option('--no-vision', 'do not ask a model to describe images')
    .option('--no-ocr', 'do not read text in images');
}

/** The evaluator, its rounds and its seats per role are left to the command, which may take several of each. */
export function withEvaluation(command: Command): Command {
  return withPolicy(command, {
    policy: true,
    fitted: '`agon bench evaluation --fit-calibration`',
    debaters: 'auditors and detectors that are not named',
    seats: 'auditor, detector#2, critic, judge, …',
  })
    .option('--auditor <provider:model,…>', 'who looks for explicit risks; up to three models, a seat each', list)
    .option('--detector <provider:model,…>', 'who looks for implicit risks; up to three models, a seat each', list)
    .option('--critic <provider:model>', "the critic's model, best the strongest (default: the arbiter's)")
    .option('--judge <provider:model>', "the model of a single judge (default: the arbiter's)")
    .option('--preset <name>', "paper: the paper's models, and all rounds")
    .option('--no-consensus', 'all rounds, even when nothing is left to argue')
    .option('--reference <file>', 'the reference distribution of equation 5, fitted on labelled data');
}

/** The flags of every command that judges documents. */
export function withDocuments(command: Command): Command {
  return withSettings(command, {
    debaters: 'the factor agent and both sides',
    seats: 'factor-agent, affirmative, dissenting, synthesizer',
  })
    .option('--factor-agent <provider:model>', 'the model that finds the claims')
    .option('--affirmative <provider:model>', 'the model that argues for a claim')
    .option('--dissenting <provider:model>', 'the model that argues against it')
    .option('--synthesizer <provider:model>', 'the model that judges the arguments, best the strongest')
    .option('--preset <name>', "paper: the paper's models")
    .option('--retrieved <n>', 'blocks of the documents that each debate reads')
    .option('--no-ocr', 'do not read text in images and scanned pages');
}
