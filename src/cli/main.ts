import { Command, CommanderError, Option } from 'commander';
import { version } from '../version.ts';
import type { AnalyzeFlags } from './commands/analyze.ts';
import type { BenchFlags } from './commands/bench.ts';
import type { BenchDocumentsFlags } from './commands/bench-documents.ts';
import type { BenchEvaluationFlags } from './commands/bench-evaluation.ts';
import type { CalibrateFlags } from './commands/calibrate.ts';
import type { CollectFlags } from './collect-flags.ts';
import { withTarget } from './collect-options.ts';
import type { ModerateFlags } from './moderate-flags.ts';
import { amount, collect, concurrency, list, positive, withContent, withData, withDocuments, withEvaluation, withModeration, withTrials } from './option-groups.ts';
import type { PolicyShowFlags } from './commands/policy-show.ts';
import type { PolicyTestFlags } from './commands/policy-test.ts';
import type { VerifyFlags } from './commands/verify.ts';
import { endWithOutput, exitCodeOf, exitCodes, printError } from './print-error.ts';

/* Only the parser is loaded here; each command loads what it needs when it is run, so that help starts fast. */

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
  agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."
  agon analyze report.pdf --report trace.html
  agon verify answer.json
  agon bench moderation --data labelled.jsonl

Exit codes: 0 judged, 1 failed, 2 wrong usage, 3 a verdict that --fail-on names, 130 stopped.
`,
  );

withModeration(withTrials(
  program
    .command('moderate')
    .summary('judge a text, an image, or both')
    .description('Judge a text, an image, or a text with images: safe, unsafe or undecided, after a debate that is on record.')
    .argument('[text]', 'the text to judge')
    .option('--image <file>', 'an image to judge; may be given several times', collect)
    .option('--image-description <text>', 'a description that stands for an image; may be given several times', collect)
    .option('--stdin', 'read the text from standard input')
    .option('--file <items.jsonl>', 'judge many items, one JSON object a line ("id", "text", "image", "image_description"); - for standard input')
    .option('--root <folder>', "what image paths in --file are relative to (default: the file's folder)")
    .option('--appeal <text>', 'how to appeal, for the notice'),
  'a statement of reasons for the affected user',
))
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

withEvaluation(withTarget(withTrials(
  program
    .command('evaluate')
    .summary('judge what a model answered to a prompt')
    .description('Judge (prompt, response) of a target model: safe, unsafe or undecided, explicit or implicit, refused or complied, after a debate that is on record.')
    .option('--prompt <text>', 'what the model was asked')
    .option('--response <text>', 'what it answered')
    .option('--messages <file.json>', 'a whole conversation instead: a list of messages with "role" and "content", ending with the answer')
    .option('--stdin', 'read one exchange as JSON from standard input')
    .option('--file <exchanges.jsonl>', 'judge many exchanges, one JSON object a line ("id", "model", "prompt" and "response" or "messages"); results of promptfoo and logs of Inspect too; - for standard input')
    .option('--evaluated-model <name>', 'the model that answered: a judge of its own family is warned about'),
  'a summary for those who answer for the model',
)))
  .addOption(new Option('--evaluator <name>', 'how it is judged (default: debate)').choices(['debate', 'vote', 'role-free', 'judge', 'guard', 'control', 'prefix-match', 'pattern-match']))
  .option('--rounds <n>', 'rounds of debate, 1 to 10 (default: 3)')
  .option('--agents <n>', 'auditors and detectors, 1 to 3 of each (default: as many as models are named)')
  .addHelpText(
    'after',
    `
Examples:
  agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."
  agon evaluate --messages conversation.json --evaluated-model openai:gpt-5 --report debate.html
  agon evaluate --file exchanges.jsonl --out results.jsonl --fail-on unsafe,undecided
  agon evaluate --file promptfoo-results.json --out results.jsonl
  agon evaluate --prompt "…" --response "…" --auditor openai:gpt-4o-mini --detector google:gemini-2.5-flash --arbiter anthropic:claude-sonnet-4-5
  agon evaluate --prompt "…" --response "…" --evaluator judge --model ollama:llama3.1
  agon evaluate --prompt "…" --response "…" --preset paper
  agon evaluate --target ollama:llama3.1 --prompts prompts.txt --attacks none,roleplay,encoding --out exchanges.jsonl --hard hard.jsonl
`,
  )
  .action(async (flags: CollectFlags) => {
    const { evaluateCommand } = await import('./commands/evaluate.ts');
    process.exitCode = await evaluateCommand(flags);
  });

withDocuments(
  program
    .command('analyze')
    .summary('judge the claims of a report')
    .description('Judge the claims of a report, or of several files as one dossier: verified-strong, supported, mixed, contradicted, unsupported or undecided, each after a debate that is on record, with every quotation checked and every number recomputed.')
    .argument('[files...]', 'PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text or images; - for standard input')
    .option('--name <file>', 'what standard input is called: its extension says what it is')
    .option('--factor <claim>', 'a claim of your own to judge, instead of those of the report; may be given several times', collect)
    .option('--max-factors <n>', 'at most so many claims (default: 12)')
    .addOption(new Option('--method <name>', 'how claims are judged (default: debate)').choices(['debate', 'single', 'zero-shot']))
    .option('--concurrency <n>', 'claims debated at once (default: 4)')
    .option('--json', 'print the whole debate trace as JSON')
    .option('--report <file>', 'write the debate trace as .html, .md or .json, or the decision brief as .pdf or .txt; "notice" prints the brief; may be given several times', collect)
    .option('--fail-on <labels>', 'exit with 3 when a claim has one of these verdicts (contradicted, unsupported, …)', list)
    .option('-q, --quiet', 'no progress, only the verdicts'),
)
  .addHelpText(
    'after',
    `
Examples:
  agon analyze report.pdf
  agon analyze report.pdf figures.xlsx notes.docx --report trace.html --report brief.pdf
  agon analyze report.pdf --factor "Marketing drove the growth in APAC" --factor "Margins rose"
  agon analyze report.pdf --json > trace.json && agon verify trace.json --source report.pdf
  cat sales.csv | agon analyze - --name sales.csv
  agon analyze report.pdf --fail-on contradicted,undecided && publish
  agon analyze report.pdf --debaters openai:gpt-4o-mini --synthesizer openai:gpt-4o --cache .agon-cache

All files of a call are one dossier, held against each other. For unrelated reports, call it for each:
  for file in reports/*.pdf; do agon analyze "$file" -q --report "\${file%.pdf}.trace.json"; done
`,
  )
  .action(async (files: string[], flags: AnalyzeFlags) => {
    const { analyzeCommand } = await import('./commands/analyze.ts');
    process.exitCode = await analyzeCommand(files, flags);
  });

program
  .command('verify')
  .summary('recheck an answer offline, by code alone')
  .description('Recheck an answer of any job offline, by code alone: its seal, what was judged, every quotation, the equations, the arithmetic, and the rules.')
  .argument('<answer.json>', 'an answer, as --json or --report answer.json wrote it; - for standard input')
  .option('--source <file>', 'the text, image, prompt, response or report that was judged, to be held against the answer; of a dossier, each of its files', collect)
  .option('--policy <file>', 'the policy it was judged under, when it is not the default one')
  .option('--json', 'print the checks as JSON')
  .addHelpText('after', '\nExamples:\n  agon verify answer.json\n  agon verify answer.json --source post.txt --policy my.yaml\n  agon verify trace.json --source report.pdf --source figures.xlsx\n\nExit codes: 0 everything holds, 1 something does not.\n')
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

withModeration(
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

withModeration(
  withContent(bench.command('moderation').description('Measure moderation: accuracy, F1 and more, with bootstrap intervals, for the whole debate and for the debate without a part.'))
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

withEvaluation(
  withData(
    bench.command('evaluation').description('Measure evaluators side by side: the tables and figures of the RADAR paper, with bootstrap intervals.'),
    '"id", "label", "prompt" and "response" or "messages", and if known "model", "risk", "behaviour"',
  )
    .option('--evaluators <names>', 'who is measured, the first being what the others are compared with: debate, vote, role-free, control, judge, judge:provider:model, guard, prefix-match, pattern-match (default: debate)', list)
    .option('--rounds <numbers>', 'rounds of debate, each a debate of its own: 3, 2,4 or 2..5')
    .option('--agents <numbers>', 'auditors and detectors, each a debate of its own: 1, 1,3 or 1..3')
    .option('--repeats <n>', 'judge everything so many times, each time anew', positive, 1)
    .option('--delta <nats>', 'δ of equation 2: from which divergence on two evaluators are biased relative to each other', amount)
    .option('--gamma <share>', 'γ of equation 3: from which difference on a judge spares its own family', amount)
    .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
    .option('--json', 'print the figures as JSON, one object for each --data')
    .option('--report <file>', 'write tables and charts: .html, .md or .json; may be given several times', collect)
    .option('--fit-reference <reference.json>', 'fit the reference of equation 5 on what the critic of the first debate states, and write it there')
    .option('--fit-calibration <calibration.json>', 'fit what makes probabilities of the scores of the first debate, or of the only evaluator, and write it there'),
)
  .addHelpText(
    'after',
    `
Examples:
  agon bench evaluation --data exchanges.jsonl
  agon bench evaluation --data exchanges.jsonl --evaluators debate,vote,role-free,guard,pattern-match --report bench.html
  agon bench evaluation --data exchanges.jsonl --rounds 2..5 --agents 1..3 --repeats 3 --out results.jsonl
  agon bench evaluation --data exchanges.jsonl --evaluators debate,judge:openai:gpt-5,judge:xai:grok-3 --report bench.md
  agon bench evaluation --data exchanges.jsonl --fit-calibration calibration.json
`,
  )
  .action(async (flags: BenchEvaluationFlags) => {
    const { benchEvaluationCommand } = await import('./commands/bench-evaluation.ts');
    process.exitCode = await benchEvaluationCommand(flags);
  });

withDocuments(
  withData(
    bench.command('documents').description('Measure the analysis of documents on labelled claims: accuracy, macro-F1, balanced accuracy, citation precision and recall, with bootstrap intervals.'),
    '"id", "label", "claim" and "doc" or "doc_text", and if known "evidence_ids"',
  )
    .option('--root <folder>', "what paths of documents are relative to (default: the file's folder)")
    .option('--systems <names>', 'what is measured: full, single, zero-shot (default: full)', list)
    .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
    .option('--json', 'print the figures as JSON, one object for each --data'),
)
  .addHelpText(
    'after',
    `
Examples:
  agon bench documents --data claims.jsonl
  agon bench documents --data claims.jsonl --root reports --systems full,single,zero-shot --out results.jsonl
  agon bench documents --data claims.jsonl --map claim=statement --map-label yes=entailed,no=refuted --json
`,
  )
  .action(async (flags: BenchDocumentsFlags) => {
    const { benchDocumentsCommand } = await import('./commands/bench-documents.ts');
    process.exitCode = await benchDocumentsCommand(flags);
  });

withModeration(
  withContent(
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
