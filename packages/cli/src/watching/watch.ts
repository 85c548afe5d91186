import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { AlertRow, WatchRuleRow } from '@agonhq/ledger';
import { watchedFigures, watchGroups, watchRuleSchema } from '@agonhq/ledger/watching/watched';
import { addExamples, addLedgerFlags, choice, positive, setLedgerAction } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { printCount, formatMoment } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

interface WatchFlags extends LedgerFlags {
  json?: boolean;
  name?: string;
  figure?: string;
  by?: string;
  value?: string;
  job?: string;
  window?: number;
  before?: number;
  z?: number;
  least?: number;
  above?: number;
  below?: number;
}

/** `agon watch check` */
export function defineWatchCheck(command: Command): void {
  command
    .description(
      'Look whether what the rules watch has drifted. New alerts are kept, and told by webhook by a server on the ' +
        'same ledger; those that are over end. The exit code is 3 while an alert stands.',
    )
    .option('--json', 'print the report as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon watch check', 'agon watch check --json | jq .standing']);
  setLedgerAction(command, check);
}

async function check({ ledger }: OpenLedger, flags: WatchFlags): Promise<number> {
  const { checkRules } = await import('@agonhq/ledger/watching');
  const { rules, raised, ended, standing } = await checkRules(ledger);
  const isNew = new Set(raised.map(({ id }) => id));
  if (flags.json) {
    const all = { rules, raised: raised.map(toJson), ended: ended.map(toJson), standing: standing.map(toJson) };
    printLines([JSON.stringify(all)]);
  } else
    printLines([
      ...standing.map((alert) => `${isNew.has(alert.id) ? 'raised' : 'stands'}  ${describeAlert(alert)}`),
      ...ended.map((alert) => `ended   ${describeAlert(alert)}`),
      style('dim', `${printCount(rules, 'rule')}, ${printCount(standing.length, 'alert')} standing`),
    ]);
  return standing.length > 0 ? exitCodes.failOn : exitCodes.judged;
}

function describeAlert({ rule, value, finding: { now, before, cases, why }, raisedAt }: AlertRow): string {
  const about = value === '' ? '' : ` (${value})`;
  const change = before === null ? '' : ` instead of ${round(before)}`;
  const { name, figure } = rule.rule;
  return sanitize(
    `${name}${about}: ${figure} ${round(now)}${change}, ${why}, ${cases} cases, since ${formatMoment(raisedAt)}`,
  );
}

const round = (value: number) => String(Number(value.toPrecision(3)));

function toJson({ rule, finding, ...alert }: AlertRow) {
  return { ...alert, rule: rule.id, name: rule.rule.name, figure: rule.rule.figure, by: rule.rule.by, ...finding };
}

/** `agon watch add` */
export function defineWatchAdd(command: Command): void {
  command
    .description('Add a rule: an alert is raised when a figure drifts from what it was, or leaves a bound.')
    .requiredOption('--name <text>', 'name of the rule')
    .addOption(choice('--figure <figure>', 'what is watched', watchedFigures, 'flagged'))
    .addOption(choice('--by <group>', 'compare each group with itself (default: all cases)', watchGroups))
    .option('--value <text>', 'only this group')
    .option('--job <id>', 'only cases of this job')
    .option('--window <minutes>', 'time that is looked at, up to now', positive, 60)
    .option('--before <windows>', 'windows before it that it is held against', positive, 24)
    .option('--z <number>', 'standard errors that are too far', Number, 4)
    .option('--least <cases>', 'with fewer cases nothing is said', positive, 30)
    .option('--above <number>', 'alert above this, instead of a drift', Number)
    .option('--below <number>', 'alert below this, instead of a drift', Number)
    .option('--json', 'print the rule as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon watch add --name "Flagged by language" --figure flagged --by language --window 60 --before 24',
    'agon watch add --name "Too many undecided" --figure undecided --above 0.2 --window 1440',
  ]);
  setLedgerAction(command, addRule, { create: true });
}

async function addRule({ ledger }: OpenLedger, flags: WatchFlags): Promise<void> {
  const { above, below, least } = flags;
  const hasBound = above !== undefined || below !== undefined;
  const { data, error } = watchRuleSchema.safeParse({
    name: flags.name,
    figure: flags.figure,
    by: flags.by ?? null,
    value: flags.value ?? null,
    job: flags.job ?? null,
    windowMinutes: flags.window,
    test: hasBound
      ? { kind: 'bound', above: above ?? null, below: below ?? null, least }
      : { kind: 'drift', windows: flags.before, z: flags.z, least },
  });
  if (error) {
    const [issue] = error.issues;
    throw new AgonError(
      'bad-flag',
      `${issue!.path.join('.')}: ${issue!.message}.`,
      '`agon watch add --help` has more.',
    );
  }
  const id = `rule-${randomUUID()}`;
  await ledger.alerts.keepRule({ id, rule: data, createdBy: null });
  const made = (await ledger.alerts.findRule(id))!;
  printLines(flags.json ? [JSON.stringify(toLine(made))] : [describeRule(made), `Added ${id}.`]);
}

/** `agon watch rules` */
export function defineWatchRules(command: Command): void {
  command.description('List the rules.').option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, ['agon watch rules', 'agon watch rules --json']);
  setLedgerAction(command, async ({ ledger }: OpenLedger, flags: WatchFlags) => {
    const rules = await ledger.alerts.listRules();
    if (flags.json) return printLines(rules.map((rule) => JSON.stringify(toLine(rule))));
    printLines([...rules.map(describeRule), style('dim', printCount(rules.length, 'rule'))]);
  });
}

/** `agon watch remove ID` */
export function defineWatchRemove(command: Command): void {
  command.description('Remove a rule with its alerts.').argument('<id>', 'id of the rule');
  addLedgerFlags(command);
  addExamples(command, ['agon watch remove rule-0d1c7a52-9f1b-4c57-8a51-3f1d5f0f6a11']);
  setLedgerAction(command, async ({ ledger }: OpenLedger, id: string) => {
    if (!(await ledger.alerts.findRule(id)))
      throw new AgonError('unknown-rule', `There is no rule ${id}.`, '`agon watch rules` lists them.');
    await ledger.alerts.removeRule(id);
    printLines([`Removed ${id}.`]);
  });
}

function toLine({ id, rule, createdAt, checkedAt }: WatchRuleRow) {
  return { id, ...rule, createdAt, checkedAt };
}

function describeRule({ id, rule: { name, figure, by, windowMinutes, test } }: WatchRuleRow): string {
  const when =
    test.kind === 'drift'
      ? `${test.z} standard errors from the ${test.windows} windows before`
      : [test.above === null ? '' : `above ${test.above}`, test.below === null ? '' : `below ${test.below}`]
          .filter(Boolean)
          .join(' or ');
  return sanitize(`${id}  ${name}: ${figure}${by === null ? '' : ` by ${by}`} within ${windowMinutes} min, ${when}`);
}
