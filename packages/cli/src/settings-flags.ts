import { Option, type Command } from 'commander';
import { createJobs, type Job } from '@agonhq/judges/job';
import { ownBlocks } from '@agonhq/core/own-blocks';
import { listOptions, type SettingOption } from '@agonhq/core/settings';
import { addConfigFlag, collect, list } from './define-command.ts';

/* Flags that stand for settings: which there are, the table of settings says. read-settings.ts reads their values. */

/** Which command of a job takes the flags, and which settings it leaves out. */
export interface SettingsSelection {
  kind: 'judge' | 'run' | 'bench';
  job: Job;
  without?: readonly string[];
}

/** The options of a command that judges by a job. */
export function selectOptions({ kind, job, without = [] }: SettingsSelection): SettingOption[] {
  return listOptions(createJobs([job]), kind, job).filter(({ row }) => row === null || !without.includes(row.path));
}

/** For commands that judge by a job: its own settings, its seats, and what all jobs have in common. */
export function addSettingsFlags(command: Command, selection: SettingsSelection): Command {
  return addOptions(addConfigFlag(command), selectOptions(selection));
}

/** For commands that take any job: the flags of the one that --job names on the command line. */
export async function addJobFlags(command: Command, kind: SettingsSelection['kind']): Promise<Job | null> {
  command.option('--job <job>', 'job to judge by: an id, or a module that exports one (./my-job.ts)');
  const name = findFlag('--job');
  const { loadJob } = await import('./read-settings.ts');
  const job = name === undefined ? null : await loadJob(name, findFlag('--config'));
  addOptions(addConfigFlag(command), listOptions(createJobs(job ? [job] : [], ownBlocks), kind, job));
  return job;
}

function findFlag(flag: string): string | undefined {
  const at = process.argv.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at === -1) return undefined;
  const arg = process.argv[at]!;
  return arg === flag ? process.argv[at + 1] : arg.slice(flag.length + 1);
}

/** For commands that serve every job. */
export function addServiceFlags(command: Command, kind: 'serve' | 'mcp', policy: string): Command {
  const options = listOptions(createJobs([], ownBlocks), kind, null);
  return addOptions(
    command,
    options.map((option) => (option.row?.path === 'policy' ? { ...option, help: policy } : option)),
  );
}

/** For commands that judge cases or carry out runs again: seats and plan are those on record. */
export function addSpendingFlags(command: Command, { item, total }: { item: string; total: string }): Command {
  return command.option('--budget-usd <amount>', item).option('--run-budget-usd <amount>', total);
}

/** How fast a run may go and what it may spend, beyond the budgets in US dollars. */
export function addLimitFlags(command: Command): Command {
  return addOptions(command, listOptions(createJobs([]), 'resume', null));
}

function addOptions(command: Command, options: readonly SettingOption[]): Command {
  for (const { flag, help, choices, takes } of options) {
    const option = new Option(flag, help);
    if (choices) option.choices(choices);
    if (takes !== 'one') option.argParser(takes === 'list' ? list : collect);
    command.addOption(option);
  }
  return command;
}
