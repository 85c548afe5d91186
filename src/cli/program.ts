import { Command } from 'commander';
import { version } from '../version.ts';
import { addExamples, type DefineCommand } from './define-command.ts';
import { sanitize } from './terminal/style.ts';

/** A command: its line in the help of the command above, and the file that defines it or the commands below it. */
interface Entry {
  summary: string;
  load?: () => Promise<DefineCommand>;
  /** Without a file. */
  description?: string;
  examples?: readonly string[];
  commands?: Entries;
}

type Entries = Readonly<Record<string, Entry>>;

function command<Name extends string>(
  summary: string,
  load: () => Promise<Record<Name, DefineCommand>>,
  define: Name,
): Entry {
  return { summary, load: async () => (await load())[define] };
}

// Files that define several commands.
const moderate = () => import('./judge/moderate.ts');
const evaluate = () => import('./judge/evaluate.ts');
const analyze = () => import('./judge/analyze.ts');
const retrial = () => import('./cases/retrial.ts');
const queues = () => import('./cases/queues.ts');
const resume = () => import('./runs/resume.ts');
const policy = () => import('./learning/policy.ts');
const precedents = () => import('./learning/precedents.ts');
const corrections = () => import('./learning/corrections.ts');
const benchModeration = () => import('./bench/moderation.ts');
const benchEvaluation = () => import('./bench/evaluation.ts');
const benches = () => import('./bench/benches.ts');
const datasets = () => import('./bench/datasets.ts');
const imageLists = () => import('./known-images/lists.ts');
const imageQueue = () => import('./known-images/queue.ts');
const authors = () => import('./records/authors.ts');
const holds = () => import('./records/holds.ts');
const statements = () => import('./records/statements.ts');
const keys = () => import('./server/keys.ts');
const ledger = () => import('./server/ledger.ts');
const ledgerBackup = () => import('./server/ledger-backup.ts');
const ledgerCheckpoints = () => import('./server/ledger-checkpoints.ts');
const ledgerUpgrade = () => import('./server/ledger-upgrade.ts');
const models = () => import('./server/models.ts');
const signingKey = () => import('./server/signing-key.ts');
const watch = () => import('./watching/watch.ts');

/** All commands by the headings of `agon --help`. A command's file is loaded when the command is used. */
const groups: Readonly<Record<string, Entries>> = {
  'Judge:': {
    moderate: command('judge a text, images, a recording or a film', moderate, 'defineModerate'),
    evaluate: command('judge the response of a model to a prompt', evaluate, 'defineEvaluate'),
    analyze: command('judge the claims of documents', analyze, 'defineAnalyze'),
    judge: command('judge something by a job of your own', () => import('./judge/judge.ts'), 'defineJudge'),
    run: {
      ...command(
        'judge many items, in a run that can be stopped and resumed',
        () => import('./runs/run.ts'),
        'defineRun',
      ),
      commands: {
        moderation: command('judge texts, images, recordings and films', moderate, 'defineRunModeration'),
        evaluation: command('judge exchanges of a model', evaluate, 'defineRunEvaluation'),
        documents: command('judge the claims of reports', analyze, 'defineRunDocuments'),
      },
    },
    verify: command(
      'check an answer or a bundle again, offline and by code alone',
      () => import('./judge/verify.ts'),
      'defineVerify',
    ),
    verifier: command('write a web page that checks bundles', () => import('./judge/verifier.ts'), 'defineVerifier'),
  },
  'Cases and runs:': {
    cases: command('list past cases', () => import('./cases/cases.ts'), 'defineCases'),
    show: command('show a past case: debate, verdict, decisions', () => import('./cases/show.ts'), 'defineShow'),
    bundle: command(
      'write the signed evidence of a case or a run to a file',
      () => import('./cases/bundle.ts'),
      'defineBundle',
    ),
    replay: command('judge a past case again with one thing changed', retrial, 'defineReplay'),
    appeal: command('judge a past case anew, with other models', retrial, 'defineAppeal'),
    queues: {
      summary: 'list the queues of reviewers',
      description: 'List the queues of reviewers. They are made in the console, or over HTTP.',
      examples: ['agon queues list', 'agon queues refill'],
      commands: {
        list: command('list queues, and what is overdue', queues, 'defineQueuesList'),
        refill: command('put waiting cases where they belong', queues, 'defineQueuesRefill'),
      },
    },
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
        list: command('list runs', () => import('./runs/list.ts'), 'defineRunsList'),
        show: command('show the state and the results of a run', () => import('./runs/show.ts'), 'defineRunsShow'),
        top: command('watch active runs', () => import('./runs/top.ts'), 'defineRunsTop'),
        export: command('write the results of a run to a file', () => import('./runs/export.ts'), 'defineRunsExport'),
        resume: command('continue a run', resume, 'defineRunsResume'),
        cancel: command('stop a run', resume, 'defineRunsCancel'),
        'retry-failed': command('try failed items again', resume, 'defineRunsRetryFailed'),
        diff: command('compare two runs', () => import('./runs/diff.ts'), 'defineRunsDiff'),
        impact: command('show what another policy would change', () => import('./runs/impact.ts'), 'defineRunsImpact'),
      },
    },
    cascade: {
      summary: 'choose what the embedded guard may decide alone',
      description: 'Choose, on labelled data, what the embedded guard may decide alone in a run with --cascade.',
      examples: ['agon cascade fit --data labelled.jsonl --out cascade.json'],
      commands: {
        fit: command('fit the bounds for a given risk', () => import('./runs/cascade-fit.ts'), 'defineCascadeFit'),
      },
    },
    plan: command('compute what a stream of items needs', () => import('./runs/plan.ts'), 'definePlan'),
  },
  'Policies, precedents and learning:': {
    policy: {
      summary: 'show, compare and test policies',
      description: 'Show, compare and test policies.',
      examples: ['agon policy show', 'agon policy diff old.yaml new.yaml', 'agon policy test my.yaml'],
      commands: {
        show: command('show a policy', policy, 'definePolicyShow'),
        diff: command('compare two policies', policy, 'definePolicyDiff'),
        test: command("judge a policy's own examples", policy, 'definePolicyTest'),
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
        list: command('list precedents', precedents, 'definePrecedentsList'),
        show: command('show one precedent', precedents, 'definePrecedentsShow'),
        search: command('find the precedents for a text', precedents, 'definePrecedentsSearch'),
        import: command('import precedents from a file', precedents, 'definePrecedentsImport'),
        export: command('write precedents to a file', precedents, 'definePrecedentsExport'),
        retire: command('take a precedent out of use', precedents, 'definePrecedentsRetire'),
      },
    },
    feedback: command('record the correct verdict of a case', () => import('./learning/feedback.ts'), 'defineFeedback'),
    corrections: {
      summary: 'correct the verdicts on claims of documents',
      description: 'Correct the verdicts on claims of documents: later analyses recall it.',
      examples: [
        'agon corrections add docs-007082a3e70a2c94 2 --label supported --why "The margin is stated before freight."',
        'agon corrections list',
        'agon corrections withdraw cor-5be2a90c11d4f027',
      ],
      commands: {
        add: command('correct the verdict on a claim', corrections, 'defineCorrectionsAdd'),
        list: command('list corrections', corrections, 'defineCorrectionsList'),
        withdraw: command('take a correction back', corrections, 'defineCorrectionsWithdraw'),
      },
    },
    learn: command('turn mistakes into precedents', () => import('./learning/learn.ts'), 'defineLearn'),
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
        moderation: command('measure moderation', benchModeration, 'defineBenchModeration'),
        evaluation: command('measure evaluators', benchEvaluation, 'defineBenchEvaluation'),
        documents: command(
          'measure the analysis of documents',
          () => import('./bench/documents.ts'),
          'defineBenchDocuments',
        ),
        run: command('measure what a bench file describes', benches, 'defineBenchRun'),
        report: command('report a recorded bench again', benches, 'defineBenchReport'),
        list: command('list recorded benches', benches, 'defineBenchList'),
        forget: command('delete a recorded bench', benches, 'defineBenchForget'),
        datasets: {
          ...command('list data formats, check data', datasets, 'defineBenchDatasets'),
          commands: {
            check: command('check labelled data', datasets, 'defineDatasetsCheck'),
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
            moderation: command('flag disputed content', benchModeration, 'defineScreenModeration'),
            evaluation: command('flag disputed exchanges', benchEvaluation, 'defineScreenEvaluation'),
            resolve: command(
              'count the votes on flagged items',
              () => import('./bench/screen-items.ts'),
              'defineScreenResolve',
            ),
          },
        },
        learning: command('measure continuous learning', () => import('./bench/learning.ts'), 'defineBenchLearning'),
      },
    },
    calibrate: command('turn scores into probabilities', () => import('./bench/calibrate.ts'), 'defineCalibrate'),
  },
  'Serve and maintain:': {
    serve: command('serve the console and the HTTP API', () => import('./server/serve.ts'), 'defineServe'),
    mcp: command('serve tools to assistants (MCP)', () => import('./server/mcp.ts'), 'defineMcp'),
    worker: command(
      'judge the items of runs, beside other workers',
      () => import('./server/worker.ts'),
      'defineWorker',
    ),
    'known-images': {
      summary: 'lists of images that nobody is to see, and what came in of them',
      description: 'Lists of known images by perceptual hash, and the restricted queue of those that came in.',
      examples: [
        'agon known-images lists',
        'agon known-images check upload.jpg',
        'agon known-images add attack.png --to lists/ours.csv --label "the attack of May"',
        'agon known-images export --out report.json',
      ],
      commands: {
        hash: command('print the perceptual hash of images', imageLists, 'defineKnownImagesHash'),
        add: command('add images to a list', imageLists, 'defineKnownImagesAdd'),
        check: command('say which images are on a list', imageLists, 'defineKnownImagesCheck'),
        lists: command('show the lists in force', imageLists, 'defineKnownImagesLists'),
        queue: command('list the known images that came in', imageQueue, 'defineKnownImagesQueue'),
        settle: command('record what became of one', imageQueue, 'defineKnownImagesSettle'),
        export: command('write them as a report', imageQueue, 'defineKnownImagesExport'),
      },
    },
    watch: {
      summary: 'rules that raise alerts when verdicts drift',
      description: 'Rules that raise alerts when verdicts drift, and a look whether they do.',
      examples: ['agon watch add --name "Flagged by language" --by language', 'agon watch check', 'agon watch rules'],
      commands: {
        check: command('look whether something has drifted', watch, 'defineWatchCheck'),
        add: command('add a rule', watch, 'defineWatchAdd'),
        rules: command('list the rules', watch, 'defineWatchRules'),
        remove: command('remove a rule', watch, 'defineWatchRemove'),
      },
    },
    keys: {
      summary: 'manage the keys of the server',
      description: 'Manage the keys of `agon serve`. The ledger stores only a hash of each key.',
      examples: ['agon keys create --name ci --scope judge', 'agon keys list', 'agon keys revoke 3f9a0c5be211'],
      commands: {
        create: command('create a key', keys, 'defineKeysCreate'),
        list: command('list keys', keys, 'defineKeysList'),
        revoke: command('revoke a key', keys, 'defineKeysRevoke'),
      },
    },
    'signing-key': {
      summary: 'manage the key that signs evidence bundles',
      description: 'Manage the key that signs evidence bundles. It is made when it is first needed, in AGON_HOME.',
      examples: ['agon signing-key show', 'agon signing-key export > issuer.pem', 'agon signing-key rotate'],
      commands: {
        show: command('print the id of the key', signingKey, 'defineSigningKeyShow'),
        export: command('print the public keys', signingKey, 'defineSigningKeyExport'),
        rotate: command('replace the key', signingKey, 'defineSigningKeyRotate'),
      },
    },
    authors: {
      summary: 'export or forget everything of an author',
      description: 'Export or forget everything on record of the author of items.',
      examples: ['agon authors export user-4711 --out user-4711.zip', 'agon authors forget user-4711'],
      commands: {
        export: command('write everything on record of an author to a file', authors, 'defineAuthorsExport'),
        forget: command('delete what an author wrote', authors, 'defineAuthorsForget'),
      },
    },
    holds: {
      summary: 'keep cases and authors from being deleted',
      description: 'Legal holds: what they cover is neither forgotten nor pruned.',
      examples: [
        'agon holds place mod-315703c5ee85a07c --reason "Lawsuit 12/26"',
        'agon holds list',
        'agon holds lift hold-5be2a90c11d4f027 --why "It was settled."',
      ],
      commands: {
        place: command('place a hold', holds, 'defineHoldsPlace'),
        list: command('list holds', holds, 'defineHoldsList'),
        lift: command('lift a hold', holds, 'defineHoldsLift'),
      },
    },
    statements: {
      summary: 'write statements of reasons (DSA)',
      description: 'Statements of reasons with the members of the DSA Transparency Database.',
      examples: [
        'agon statements show mod-315703c5ee85a07c',
        'agon statements export --from 2026-10-01 --to 2026-11-01 --out october.jsonl',
      ],
      commands: {
        show: command('print the statement of a case', statements, 'defineStatementsShow'),
        export: command('write the statements of a time', statements, 'defineStatementsExport'),
      },
    },
    transparency: command(
      'count the decisions of a time, for a report',
      () => import('./records/transparency.ts'),
      'defineTransparency',
    ),
    audit: command('list who did what on the server', () => import('./server/audit.ts'), 'defineAudit'),
    ledger: {
      summary: 'manage the database of cases',
      description: 'Count, export, import, back up, delete and check what the ledger holds.',
      examples: [
        'agon ledger stats',
        'agon ledger checkpoint --out checkpoint.json',
        'agon ledger backup --out agon.backup',
        'agon ledger export --out ledger.jsonl',
        'agon ledger forget mod-315703c5ee85a07c',
      ],
      commands: {
        stats: command('count what the ledger holds', ledger, 'defineLedgerStats'),
        export: command('write the ledger to a file', ledger, 'defineLedgerExport'),
        import: command('import an export', ledger, 'defineLedgerImport'),
        prune: command('delete old contents', ledger, 'defineLedgerPrune'),
        forget: command('delete one content for good', ledger, 'defineLedgerForget'),
        checkpoint: command('sign what the ledger holds', ledgerCheckpoints, 'defineLedgerCheckpoint'),
        audit: command('check whether it was rewritten', ledgerCheckpoints, 'defineLedgerAudit'),
        prove: command('prove that a case is on record', () => import('./server/ledger-proof.ts'), 'defineLedgerProve'),
        backup: command('write a backup', ledgerBackup, 'defineLedgerBackup'),
        restore: command('restore a backup', ledgerBackup, 'defineLedgerRestore'),
        upgrade: command('bring it up to date', ledgerUpgrade, 'defineLedgerUpgrade'),
        rollback: command('take it back to the release before', ledgerUpgrade, 'defineLedgerRollback'),
      },
    },
    models: {
      ...command('list the models, and add others', models, 'defineModels'),
      commands: {
        add: command('fetch a model that does not ship with Agon', models, 'defineModelsAdd'),
        remove: command('delete a model that was added', models, 'defineModelsRemove'),
      },
    },
    doctor: command('check the installation', () => import('./server/doctor.ts'), 'defineDoctor'),
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
  const define = await entry.load?.();
  await define?.(command);
  if (entry.commands) await defineUsed(command, entry.commands, rest);
}

function formatUsageError(text: string): string {
  const line = sanitize(
    text
      .replace(/^error: /, '')
      .trim()
      .replace(/\s*\n\s*/g, ' '),
  );
  const hint = line.startsWith('too many arguments') ? 'Put a text with spaces in quotes.' : 'See --help.';
  return `agon: ${line}${/[.?)]$/.test(line) ? '' : '.'} ${hint} (bad-flag)\n`;
}
