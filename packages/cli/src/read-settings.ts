import { isJobModule, loadJobs } from '@agonhq/core/app/load-jobs';
import { AgonError } from '@agonhq/engine/agon-error';
import { createJobs, type Job, type Jobs } from '@agonhq/judges/job';
import { ownBlocks } from '@agonhq/core/own-blocks';
import {
  loadCalibration,
  mergeSettings,
  settingsFromEnvironment,
  settingsFromFile,
  type Settings,
} from '@agonhq/core/settings';
import {
  listOptions,
  selectOptions,
  settingsFromFlags,
  type SettingOption,
  type SettingsSelection,
} from './settings-flags.ts';

/** Flags that stand for settings and that commands look at themselves, as commander hands them over. */
export interface SettingsFlags {
  config?: string;
  team?: string;
  policy?: string;
  calibration?: string;
  model?: string;
  seat?: string[];
  arbiter?: string;
  cache?: string;
  budgetUsd?: string;
  runBudgetUsd?: string;
  method?: string;
  /** The job, by its id or the module that exports it. */
  job?: string;
  /** False with --no-ledger. */
  ledger?: string | false;
}

/** What may be spent, as commander hands it over. */
export type SpendingFlags = Pick<SettingsFlags, 'budgetUsd' | 'runBudgetUsd'>;

/** The team that a command works for; null for the installation itself. */
export function readTeamName({ team = process.env['AGON_TEAM'] }: Pick<SettingsFlags, 'team'>): string | null {
  return team ? team : null;
}

/** The settings of a command, and the jobs that there are under them. */
export interface CommandSettings {
  settings: Settings;
  jobs: Jobs;
}

/** The job that a flag names: by the module that exports it, or by its id, which may be of a job in agon.config.*. */
export async function loadJob(name: string, config: string | undefined): Promise<Job> {
  const own = await loadOwnJobs();
  const module = await loadJobModule(name);
  const { jobs } = module ? { jobs: withJob(own, module) } : await readFile(config, own);
  return jobs.require(module?.id ?? name);
}

/** The job of the module that a flag names; null for a plain id, for which nothing is loaded. */
export async function loadJobModule(name: string | undefined): Promise<Job | null> {
  return name !== undefined && isJobModule(name) ? (await loadJobs([name]))[0]! : null;
}

/** These jobs, and one that was loaded. */
export function withJob(jobs: Jobs, job: Job | null): Jobs {
  return job ? createJobs([...jobs.list(), job], jobs.listBlocks()) : jobs;
}

/**
 * File, environment, flags of a command that judges: the later the stronger. `known` are the jobs that it needs; by
 * default all that Agon comes with.
 */
export async function readJobSettings(
  flags: SettingsFlags,
  selection: SettingsSelection,
  known?: Jobs,
): Promise<CommandSettings> {
  const jobs = known ?? withJob(await loadOwnJobs(), selection.job);
  if (flags.calibration !== undefined) await assertFittedFor(selection.job, flags.calibration, jobs);
  return readLayers(flags, selectOptions(selection), jobs);
}

/** For a server, which does all jobs; `agon serve` for all teams. */
export async function readServiceSettings(flags: SettingsFlags, kind: 'serve' | 'mcp'): Promise<CommandSettings> {
  const options = [...listOptions(createJobs([], ownBlocks), kind, null), ...spendingOptions()];
  return readLayers(kind === 'serve' ? { ...flags, team: '' } : flags, options, await loadOwnJobs());
}

/** For commands that do not start a new case: how models are reached, where the ledger is, and which jobs there are. */
export async function readInstallation(flags: SettingsFlags): Promise<CommandSettings> {
  return readLayers(flags, spendingOptions(), withJob(await loadOwnJobs(), await loadJobModule(flags.job)));
}

/** The models that --model and --seat name, by seat. */
export function readSeatFlags({ model, seat }: Pick<SettingsFlags, 'model' | 'seat'>): NonNullable<Settings['seats']> {
  const jobs = createJobs([], ownBlocks);
  return settingsFromFlags(jobs, { model, seat }, listOptions(jobs, 'mcp', null)).seats ?? {};
}

/** What models may be asked for and what may be spent, as settings of their own. */
export function readSpending(flags: SpendingFlags): Pick<Settings, 'budget' | 'defaults'> {
  const { budget, defaults } = settingsFromFlags(createJobs([]), flags, spendingOptions());
  return { ...(budget ? { budget } : {}), ...(defaults ? { defaults } : {}) };
}

/** Of policy, cache, budgets and limits those that a command has: the others were not given. */
function spendingOptions(): SettingOption[] {
  const jobs = createJobs([]);
  const options = [...listOptions(jobs, 'judge', null), ...listOptions(jobs, 'resume', null)];
  return options.filter(({ row }) => row !== null && /^(policy|cache|budget\.|defaults\.)/.test(row.path));
}

async function loadOwnJobs(): Promise<Jobs> {
  return (await import('@agonhq/core/own-jobs')).ownJobs;
}

/** The settings in a file, and these jobs with those that it names. */
async function readFile(file: string | undefined, known: Jobs): Promise<CommandSettings> {
  let jobs = known;
  const settings = await settingsFromFile({
    file,
    folder: process.cwd(),
    jobs,
    async loadJobs(modules, folder) {
      const added = await loadJobs(modules, folder);
      return (jobs = createJobs([...known.list(), ...added], known.listBlocks()));
    },
  });
  return { settings, jobs };
}

async function readLayers(
  flags: SettingsFlags,
  options: readonly SettingOption[],
  known: Jobs,
): Promise<CommandSettings> {
  const { settings: file, jobs } = await readFile(flags.config, known);
  const installation = mergeSettings(file, settingsFromEnvironment(jobs, process.env));
  const given = settingsFromFlags(jobs, flags, [...options, ...listOptions(createJobs([]), 'ledger', null)]);
  const team = readTeamName(flags);
  if (team === null) return { settings: mergeSettings(installation, given), jobs };
  const { readTeamLayer } = await import('./read-team.ts');
  // The flags are the strongest; the ledger that they name is that of the installation, beside which the team's lies.
  const { ledger, ...others } = given;
  const own = await readTeamLayer(jobs, team, mergeSettings(installation, { ledger }));
  return { settings: mergeSettings(own, others), jobs };
}

/** A configuration file may serve several jobs and name the calibration of one; a flag is meant for this one. */
async function assertFittedFor({ id, calibratedWith }: Job, file: string, jobs: Jobs): Promise<void> {
  if (calibratedWith === undefined) return;
  const { job: fitted } = await loadCalibration(jobs, file);
  if (fitted !== id)
    throw new AgonError(
      'calibration-mismatch',
      `The calibration ${file} was fitted on ${fitted}, not on ${id}.`,
      `Fit one with \`${calibratedWith}\`, or leave --calibration out.`,
    );
}
