import type { Command } from 'commander';
import { hashOf } from '@agonhq/engine/hash';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Category, Clause, ClauseExample, Policy, PolicyChange } from '@agonhq/engine/policy';
import { addExamples, setAction, concurrency, list, positive } from '../define-command.ts';
import { readTextFile } from '../files.ts';
import { exitCodes } from '../print-error.ts';
import { printCount } from '../terminal/format.ts';
import { openStatusLine } from '../terminal/progress-line.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { describeReliability } from '@agonhq/engine/view';
import type { ClauseReliability } from '@agonhq/models/reasoners';
import type { ClauseReport } from '@agonhq/core/runs';
import { listenForInterrupt } from '../process.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags, type SettingsSelection } from '../settings-flags.ts';

const job = ownJobs.requireLearning();
/** The policy is an argument. */
const selection: SettingsSelection = { kind: 'judge', job, without: ['policy'] };

interface TestFlags extends SettingsFlags {
  clause?: string[];
  everyday?: number;
  concurrency: number;
  json?: boolean;
  quiet?: boolean;
}

/** Everyday texts that are judged where it costs nothing. */
const freelyTried = 80;

/** `agon policy test [FILE]` */
export function definePolicyTest(command: Command): void {
  command
    .description("Judge a policy's own examples and report the clauses that miss theirs.")
    .argument('[file]', 'policy file (default: the policy that Agon ships)')
    .option('--clause <ids>', 'test only these clauses or categories', list)
    .option('--everyday <n>', 'everyday texts to count false alarms on (default: 80 where no LLM is asked)', positive)
    .option('--concurrency <n>', 'examples to judge at once', concurrency, 8)
    .option('--json', 'print the results as JSON')
    .option('-q, --quiet', 'print no progress');
  addSettingsFlags(command, selection);
  addExamples(
    command,
    ['agon policy test my.yaml', 'agon policy test my.yaml --clause weapons,fraud.scam --json'],
    'Exit codes: 0 every clause catches its examples, 1 some do not.',
  );
  setAction(command, testPolicyFile);
}

async function testPolicyFile(file: string | undefined, flags: TestFlags): Promise<number> {
  const { createAgon } = await import('@agonhq/core/app');
  const { withoutLedger } = await import('@agonhq/bench');
  const { defaultPolicy, loadPolicy } = await import('@agonhq/engine/policy');
  const { testPolicy } = await import('@agonhq/core/runs');
  const { embeddedModel, loadEverydayTexts, measureClauses } = await import('@agonhq/models/reasoners');
  const { readJobSettings } = await import('../read-settings.ts');
  const policy = file ? await loadPolicy(file) : await defaultPolicy();
  const {
    settings: { policy: _, ...settings },
  } = await readJobSettings(flags, selection);
  const agon = await createAgon(withoutLedger(settings), { policy, only: [job.id] });
  const interrupt = listenForInterrupt();
  const status = openStatusLine({ quiet: flags.quiet === true || !process.stderr.isTTY });
  try {
    const models = Object.values(agon.provenanceOf(job).models);
    const isFree = models.every((model) => model === embeddedModel);
    const everyday = (await loadEverydayTexts()).tried.slice(0, flags.everyday ?? (isFree ? freelyTried : 0));
    const reports = await testPolicy(policy, {
      agon,
      job,
      everyday,
      reliability: models.includes(embeddedModel) ? await measureClauses(policy) : [],
      only: flags.clause,
      concurrency: flags.concurrency,
      signal: interrupt.signal,
      onProgress: (done, total) => status.show(`${done}/${total} examples`),
    });
    status.clear();
    const caught = reports.every((report) => report.missed.length === 0);
    printLines(
      flags.json
        ? [JSON.stringify({ version: 1, policy: policy.hash, caught, clauses: reports })]
        : renderReports(reports),
    );
    return caught ? exitCodes.judged : exitCodes.failed;
  } finally {
    status.clear();
    interrupt.dispose();
    await agon.close();
  }
}

function renderReports(reports: readonly ClauseReport[]): string[] {
  const wrong = reports.filter((report) => report.missed.length > 0);
  const unsure = reports.filter(({ embedded }) => embedded && !embedded.judged);
  return [
    ...reports.flatMap(({ clause, examples, missed, everyday, embedded }) => [
      `${missed.length === 0 ? style('green', '✓') : style('red', '✗')} ${sanitize(clause)}  ` +
        `${examples - missed.length} of ${examples}` +
        (everyday
          ? style('dim', `  false alarms: ${everyday.flagged.length} of ${everyday.judged} everyday texts`)
          : ''),
      ...(embedded ? [renderReliability(embedded)] : []),
      ...missed.map(
        ({ kind, example, outcome }) =>
          `    ${kind === 'violation' ? 'missed' : 'wrongly caught'}: ${sanitize(JSON.stringify(example))} ` +
          style('dim', `→ ${sanitize(outcome)}`),
      ),
    ]),
    wrong.length === 0
      ? style('green', 'Every clause catches its examples.') +
        (unsure.length === 0
          ? ''
          : style('yellow', ` Of ${unsure.length} the model knows too little to be relied on with other texts.`))
      : style('red', `${wrong.length} of ${reports.length} clauses do not catch their examples.`),
  ];
}

function renderReliability(reliability: ClauseReliability): string {
  return style(reliability.judged ? 'dim' : 'yellow', `    ${describeReliability(reliability)}`);
}

/** `agon policy show [FILE]` */
export function definePolicyShow(command: Command): void {
  command
    .description('Show the clauses of a policy with their severity, or the policy file itself.')
    .argument('[file]', 'policy file (default: the policy that Agon ships)')
    .option('--json', 'print the policy as JSON')
    .option('--yaml', 'print the file itself, as a starting point for your own');
  addExamples(command, ['agon policy show', 'agon policy show --yaml > my.yaml']);
  setAction(command, showPolicy);
}

async function showPolicy(file: string | undefined, flags: { json?: boolean; yaml?: boolean }): Promise<void> {
  const { actionOf, defaultPolicy, defaultPolicyFile, isAllowed, loadPolicy } = await import('@agonhq/engine/policy');
  const policy = file ? await loadPolicy(file) : await defaultPolicy();
  if (flags.yaml) process.stdout.write(await readTextFile(file ?? (await defaultPolicyFile())));
  else if (flags.json) printLines([JSON.stringify(policy)]);
  else {
    const { measureClauses } = await import('@agonhq/models/reasoners');
    const categories = policy.categories.flatMap((category) => [
      '',
      style('bold', sanitize(category.title)),
      ...category.clauses.map(
        (clause) =>
          `  ${style('cyan', sanitize(clause.id))} ${sanitize(clause.text)} ${style('dim', clause.severity)}` +
          (isAllowed(clause) ? ` ${style('yellow', 'allowed')}` : ` ${style('dim', sanitize(actionOf(clause)))}`),
      ),
    ]);
    const unjudged = (await measureClauses(policy)).filter(({ judged }) => !judged);
    const notes = unjudged.map(({ clause, model }) =>
      style(
        'yellow',
        `${model} knows too little of ${sanitize(clause)} to be relied on; \`agon policy test\` says more.`,
      ),
    );
    const title = `${sanitize(policy.name)} ${sanitize(policy.version)}  ${style('dim', policy.hash)}`;
    printLines([title, ...categories, ...(notes.length > 0 ? ['', ...notes] : [])]);
  }
}

/** `agon policy diff OLD NEW` */
export function definePolicyDiff(command: Command): void {
  command
    .description('Show what changes from one policy to another, by category and clause.')
    .argument('<old>', 'a policy file')
    .argument('<new>', 'another policy file')
    .option('--json', 'print the changes as JSON');
  addExamples(command, [
    'agon policy diff old.yaml new.yaml',
    'agon policy diff old.yaml new.yaml --json | jq .changes',
  ]);
  setAction(command, comparePolicies);
}

async function comparePolicies(before: string, after: string, flags: { json?: boolean }): Promise<void> {
  const { diffPolicies, loadPolicy } = await import('@agonhq/engine/policy');
  const [from, to] = [await loadPolicy(before), await loadPolicy(after)];
  const changes = diffPolicies(from, to);
  const identify = ({ hash, name, version }: Policy) => ({ hash, name, version });
  printLines(
    flags.json
      ? [JSON.stringify({ version: 1, from: identify(from), to: identify(to), changes })]
      : renderPolicyDiff(from, to, changes),
  );
}

function renderPolicyDiff(from: Policy, to: Policy, changes: readonly PolicyChange[]): string[] {
  const named = ({ name, version }: Policy) => sanitize(`${name} ${version}`);
  if (changes.length === 0) return [`${named(from)} and ${named(to)} are the same.`];
  return [
    style('bold', `${named(from)} → ${named(to)}: ${printCount(changes.length, 'change')}`),
    ...changes.flatMap(renderChange),
  ];
}

function renderChange({ at, kind, what, before, after }: PolicyChange): string[] {
  const isWhole = what === 'category' || what === 'clause';
  const change = isWhole ? kind : kind === 'changed' ? what : `${what} ${kind}`;
  const place = `${style('cyan', sanitize(at))} ${change}`;
  if (isWhole) return [place, ...renderPart(what, kind, (after ?? before) as Category | Clause)];
  if (what === 'violations' || what === 'exonerations')
    return [place, ...renderExamples(before as readonly ClauseExample[], after as readonly ClauseExample[])];
  const words = (value: unknown) => sanitize(Array.isArray(value) ? value.join(', ') : String(value));
  return [
    place,
    ...(before === null ? [] : [renderRemoved(words(before))]),
    ...(after === null ? [] : [renderAdded(words(after))]),
  ];
}

function renderPart(what: 'category' | 'clause', kind: PolicyChange['kind'], part: Category | Clause): string[] {
  const clauses = what === 'category' ? (part as Category).clauses : [part as Clause];
  const line = kind === 'added' ? renderAdded : renderRemoved;
  return [
    ...(what === 'category' ? [line(sanitize((part as Category).title))] : []),
    ...clauses.map(({ id, text, severity }) => line(sanitize(`${id} ${text} ${severity}`))),
  ];
}

function renderExamples(before: readonly ClauseExample[], after: readonly ClauseExample[]): string[] {
  const notIn = (others: readonly ClauseExample[]) => {
    const known = new Set(others.map(hashOf));
    return (example: ClauseExample) => !known.has(hashOf(example));
  };
  const words = ({ text, imageDescription }: ClauseExample) =>
    sanitize(
      [
        ...(text === undefined ? [] : [text]),
        ...(imageDescription === undefined ? [] : [`image: ${imageDescription}`]),
      ].join(' + '),
    );
  const lines = [
    ...before.filter(notIn(after)).map((example) => renderRemoved(words(example))),
    ...after.filter(notIn(before)).map((example) => renderAdded(words(example))),
  ];
  return lines.length > 0 ? lines : ['  reordered'];
}

function renderRemoved(words: string): string {
  return style('red', `  - ${words}`);
}

function renderAdded(words: string): string {
  return style('green', `  + ${words}`);
}
