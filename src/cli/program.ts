import { Command } from 'commander';
import { version } from '../version.ts';
import { addExamples, type CommandFile } from './define-command.ts';

/** A command: its line in the help of the command above, and the file that defines it or the commands below it. */
interface Entry {
  summary: string;
  load?: () => Promise<CommandFile>;
  /** Without a file. */
  description?: string;
  examples?: readonly string[];
  commands?: Entries;
}

type Entries = Readonly<Record<string, Entry>>;

/** All commands by the headings of `agon --help`. A command's file is loaded when the command is used. */
const groups: Readonly<Record<string, Entries>> = {
  'Judge:': {
    moderate: { summary: 'judge a text, an image, or both', load: () => import('./judge/moderate.ts') },
    evaluate: { summary: 'judge the response of a model to a prompt', load: () => import('./judge/evaluate.ts') },
    analyze: { summary: 'judge the claims of documents', load: () => import('./judge/analyze.ts') },
    judge: { summary: 'judge something by a job of your own', load: () => import('./judge/judge.ts') },
    run: {
      summary: 'judge many items, in a run that can be stopped and resumed',
      load: () => import('./runs/run.ts'),
      commands: {
        moderation: { summary: 'judge texts and images', load: () => import('./runs/run-moderation.ts') },
        evaluation: { summary: 'judge exchanges of a model', load: () => import('./runs/run-evaluation.ts') },
        documents: { summary: 'judge the claims of reports', load: () => import('./runs/run-documents.ts') },
      },
    },
    verify: { summary: 'check an answer again, offline and by code alone', load: () => import('./judge/verify.ts') },
  },
  'Cases and runs:': {
    cases: { summary: 'list past cases', load: () => import('./cases/cases.ts') },
    show: { summary: 'show a past case: debate, verdict, decisions', load: () => import('./cases/show.ts') },
    replay: { summary: 'judge a past case again with one thing changed', load: () => import('./cases/replay.ts') },
    appeal: { summary: 'judge a past case anew, with other models', load: () => import('./cases/appeal.ts') },
    runs: {
      summary: 'list, show, resume, export and compare runs',
      description: 'List, show, resume, export and compare runs.',
      examples: [
        'agon runs list',
        'agon runs show nightly',
        'agon runs export nightly --out results.jsonl',
        'agon runs diff monday tuesday',
        'agon runs impact --policy new.yaml --since 30d',
        'agon runs top',
      ],
      commands: {
        list: { summary: 'list runs', load: () => import('./runs/list.ts') },
        show: { summary: 'show the state and the results of a run', load: () => import('./runs/show.ts') },
        top: { summary: 'watch active runs', load: () => import('./runs/top.ts') },
        export: { summary: 'write the results of a run to a file', load: () => import('./runs/export.ts') },
        resume: { summary: 'continue a run', load: () => import('./runs/resume.ts') },
        cancel: { summary: 'stop a run', load: () => import('./runs/cancel.ts') },
        'retry-failed': { summary: 'try failed items again', load: () => import('./runs/retry-failed.ts') },
        diff: { summary: 'compare two runs', load: () => import('./runs/diff.ts') },
        impact: { summary: 'show what another policy would change', load: () => import('./runs/impact.ts') },
      },
    },
    cascade: {
      summary: 'choose what the embedded guard may decide alone',
      description: 'Choose, on labelled data, what the embedded guard may decide alone in a run with --cascade.',
      examples: ['agon cascade fit --data labelled.jsonl --out cascade.json'],
      commands: {
        fit: { summary: 'fit the bounds for a given risk', load: () => import('./runs/cascade-fit.ts') },
      },
    },
    plan: { summary: 'compute what a stream of items needs', load: () => import('./runs/plan.ts') },
  },
  'Policies, precedents and learning:': {
    policy: {
      summary: 'show, compare and test policies',
      description: 'Show, compare and test policies.',
      examples: ['agon policy show', 'agon policy diff old.yaml new.yaml', 'agon policy test my.yaml'],
      commands: {
        show: { summary: 'show a policy', load: () => import('./policy/show.ts') },
        diff: { summary: 'compare two policies', load: () => import('./policy/diff.ts') },
        test: { summary: "judge a policy's own examples", load: () => import('./policy/test.ts') },
      },
    },
    precedents: {
      summary: 'manage the decided cases that debates draw on',
      description: 'Manage precedents: the seeds that ship with Agon, and those in the ledger.',
      examples: [
        'agon precedents list --state proposed',
        'agon precedents search "how to kill a process"',
        'agon precedents retire learnt-5be2a90c11d4 --why "The clause was repealed."',
      ],
      commands: {
        list: { summary: 'list precedents', load: () => import('./precedents/list.ts') },
        show: { summary: 'show one precedent', load: () => import('./precedents/show.ts') },
        search: { summary: 'find the precedents for a text', load: () => import('./precedents/search.ts') },
        import: { summary: 'import precedents from a file', load: () => import('./precedents/import.ts') },
        export: { summary: 'write precedents to a file', load: () => import('./precedents/export.ts') },
        retire: { summary: 'take a precedent out of use', load: () => import('./precedents/retire.ts') },
      },
    },
    feedback: { summary: 'record the correct verdict of a case', load: () => import('./learning/feedback.ts') },
    learn: { summary: 'turn mistakes into precedents', load: () => import('./learning/learn.ts') },
  },
  'Measure:': {
    bench: {
      summary: 'measure systems on labelled data',
      description: 'Measure systems on labelled data side by side, with intervals and controls.',
      examples: [
        'agon bench moderation --data items.jsonl',
        'agon bench run bench/paper.yaml --report results.html',
        'agon bench datasets check items.jsonl',
      ],
      commands: {
        moderation: { summary: 'measure moderation', load: () => import('./bench/moderation.ts') },
        evaluation: { summary: 'measure evaluators', load: () => import('./bench/evaluation.ts') },
        documents: { summary: 'measure the analysis of documents', load: () => import('./bench/documents.ts') },
        run: { summary: 'measure what a bench file describes', load: () => import('./bench/run.ts') },
        report: { summary: 'report a recorded bench again', load: () => import('./bench/report.ts') },
        list: { summary: 'list recorded benches', load: () => import('./bench/list.ts') },
        forget: { summary: 'delete a recorded bench', load: () => import('./bench/forget.ts') },
        datasets: {
          summary: 'list data formats, check data',
          load: () => import('./bench/datasets.ts'),
          commands: {
            check: { summary: 'check labelled data', load: () => import('./bench/check-datasets.ts') },
          },
        },
        screen: {
          summary: 'find the items that people should label',
          description:
            "Screen raw data as the paper's data was made: several systems judge it, people vote on the items that " +
            'the systems disagree on, and the votes become labels.',
          examples: [
            'agon bench screen moderation --data raw.jsonl --systems guard,full --flagged flagged.jsonl',
            'agon bench screen resolve flagged.jsonl --votes ada.jsonl --votes ben.csv --out decided.jsonl',
          ],
          commands: {
            moderation: { summary: 'flag disputed content', load: () => import('./bench/screen-moderation.ts') },
            evaluation: { summary: 'flag disputed exchanges', load: () => import('./bench/screen-evaluation.ts') },
            resolve: { summary: 'count the votes on flagged items', load: () => import('./bench/screen-resolve.ts') },
          },
        },
        learning: { summary: 'measure continuous learning', load: () => import('./bench/learning.ts') },
      },
    },
    calibrate: { summary: 'turn scores into probabilities', load: () => import('./bench/calibrate.ts') },
  },
  'Serve and maintain:': {
    serve: { summary: 'serve the console and the HTTP API', load: () => import('./server/serve.ts') },
    mcp: { summary: 'serve tools to assistants (MCP)', load: () => import('./server/mcp.ts') },
    worker: { summary: 'judge the items of runs, beside other workers', load: () => import('./server/worker.ts') },
    keys: {
      summary: 'manage the keys of the server',
      description: 'Manage the keys of `agon serve`. The ledger stores only a hash of each key.',
      examples: ['agon keys create --name ci --scope judge', 'agon keys list', 'agon keys revoke 3f9a0c5be211'],
      commands: {
        create: { summary: 'create a key', load: () => import('./server/keys-create.ts') },
        list: { summary: 'list keys', load: () => import('./server/keys-list.ts') },
        revoke: { summary: 'revoke a key', load: () => import('./server/keys-revoke.ts') },
      },
    },
    ledger: {
      summary: 'manage the database of cases',
      description: 'Count, export, import and delete what the ledger holds.',
      examples: [
        'agon ledger stats',
        'agon ledger export --out ledger.jsonl',
        'agon ledger forget mod-315703c5ee85a07c',
      ],
      commands: {
        stats: { summary: 'count what the ledger holds', load: () => import('./ledger/stats.ts') },
        export: { summary: 'write the ledger to a file', load: () => import('./ledger/export.ts') },
        import: { summary: 'import an export', load: () => import('./ledger/import.ts') },
        prune: { summary: 'delete old contents', load: () => import('./ledger/prune.ts') },
        forget: { summary: 'delete one content for good', load: () => import('./ledger/forget.ts') },
      },
    },
    doctor: { summary: 'check the installation', load: () => import('./server/doctor.ts') },
  },
};

/** The command line for these arguments: only the command that they name is defined, its file loaded. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('agon')
    .description(
      'Verdicts that people can check: specialised agents debate, code verifies every quotation, a judge applies ' +
        'written rules.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(formatUsageError(text)) });
  addExamples(
    program,
    [
      'agon moderate "How do I kill a process on Linux?"',
      'agon moderate --image photo.jpg "Look at them"',
      'agon moderate --file items.jsonl --out results.jsonl',
      'agon evaluate --prompt "How do I pick a lock?" --response "I cannot help with that."',
      'agon analyze report.pdf --report trace.html',
      'agon verify answer.json',
      'agon show mod-315703c5ee85a07c',
      'agon replay mod-315703c5ee85a07c --seat arbiter=openai:gpt-5',
      'agon bench moderation --data labelled.jsonl',
    ],
    'Exit codes: 0 judged, 1 failed, 2 wrong usage, 3 a verdict that --fail-on names, 130 stopped.',
  );
  for (const [heading, entries] of Object.entries(groups)) addEntries(program.commandsGroup(heading), entries);
  program.helpCommand('help [command]', 'show help for a command');
  await defineUsed(program, Object.assign({}, ...Object.values(groups)) as Entries, args);
  return program;
}

/** Adds commands that have only a name and a summary. */
function addEntries(parent: Command, entries: Entries): void {
  // Flags belong to the command that they follow, even where the one above has a flag of the same name.
  parent.enablePositionalOptions();
  for (const [name, { summary, description, examples, commands }] of Object.entries(entries)) {
    const command = parent.command(name).summary(summary);
    if (description !== undefined) command.description(description);
    if (examples) addExamples(command, examples);
    if (commands) addEntries(command, commands);
  }
}

/** Defines the command that the arguments name, and those above it. No flag of these takes a value. */
async function defineUsed(parent: Command, entries: Entries, args: readonly string[]): Promise<void> {
  const [name, ...rest] = args.filter((arg) => !arg.startsWith('-') && arg !== 'help');
  const command = parent.commands.find((known) => known.name() === name);
  const entry = name !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (!command || !entry) return;
  const file = await entry.load?.();
  await file?.define(command);
  if (entry.commands) await defineUsed(command, entry.commands, rest);
}

/** What commander says about a wrong command line, in one line. */
function formatUsageError(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  const hint = line.startsWith('too many arguments') ? 'Put a text with spaces in quotes.' : 'See --help.';
  return `agon: ${line}${/[.?)]$/.test(line) ? '' : '.'} ${hint} (bad-flag)\n`;
}
