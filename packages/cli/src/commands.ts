import { maintainCommands } from './maintain-commands.ts';
import { command, type CommandGroups } from './program.ts';

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

/** All commands by the headings of `agon --help`. A command's file is loaded when the command is used. */
export const commandGroups: CommandGroups = {
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
        'agon bench run packages/lab/bench/paper.yaml --report results.html',
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
  'Serve and maintain:': maintainCommands,
};
