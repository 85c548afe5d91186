import { isJobModule, loadJobs } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Job, Jobs } from '@agonhq/judges/job';
import { addJob, allJobs, requireJob } from '@agonhq/core/own-jobs';
import {
  listOptions,
  loadCalibration,
  mergeSettings,
  settingsFromEnvironment,
  settingsFromFile,
  settingsFromFlags,
  type SettingOption,
  type Settings,
} from '@agonhq/core/settings';
import { selectOptions, type SettingsSelection } from './settings-flags.ts';

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

/** The job that a flag names: by the module that exports it, or by its id, which may be of a job in agon.config.*. */
export async function loadJob(name: string, config: string | undefined): Promise<Job> {
  if (isJobModule(name)) {
    const [job] = await loadJobs([name]);
    addJob(job!);
    return job!;
  }
  await settingsFromFile({ file: config, folder: process.cwd(), jobs: allJobs, loadJobs: addJobs });
  return requireJob(name);
}

async function addJobs(modules: readonly string[], folder: string): Promise<Jobs> {
  for (const job of await loadJobs(modules, folder)) addJob(job);
  return allJobs;
}

/** The id of the job that a flag names, which may be a module; nothing else is loaded for a plain id. */
export async function readJobFlag(name: string | undefined): Promise<string | undefined> {
  return name !== undefined && isJobModule(name) ? (await loadJob(name, undefined)).id : name;
}

/** File, environment, flags of a command that judges: the later the stronger. */
export async function readJobSettings(flags: SettingsFlags, selection: SettingsSelection): Promise<Settings> {
  if (flags.calibration !== undefined) await assertFittedFor(requireJob(selection.job), flags.calibration);
  return readLayers(flags, selectOptions(selection));
}

/** For a server, which does all jobs; `agon serve` for all teams. */
export async function readServiceSettings(flags: SettingsFlags, kind: 'serve' | 'mcp'): Promise<Settings> {
  return readLayers(kind === 'serve' ? { ...flags, team: '' } : flags, [
    ...listOptions(allJobs, kind, null),
    ...spendingOptions(),
  ]);
}

/** For commands that do not start a new case: how models are reached, and where the ledger is. */
export async function readInstallationSettings(flags: SettingsFlags): Promise<Settings> {
  return readLayers(flags, spendingOptions());
}

/** The models that --model and --seat name, by seat. */
export function readSeatFlags({ model, seat }: Pick<SettingsFlags, 'model' | 'seat'>): NonNullable<Settings['seats']> {
  return settingsFromFlags(allJobs, { model, seat }, listOptions(allJobs, 'mcp', null)).seats ?? {};
}

/** What models may be asked for and what may be spent, as settings of their own. */
export function readSpending(flags: SpendingFlags): Pick<Settings, 'budget' | 'defaults'> {
  const { budget, defaults } = settingsFromFlags(allJobs, flags, spendingOptions());
  return { ...(budget ? { budget } : {}), ...(defaults ? { defaults } : {}) };
}

/** Of policy, cache, budgets and limits those that a command has: the others were not given. */
function spendingOptions(): SettingOption[] {
  const options = [...listOptions(allJobs, 'judge', null), ...listOptions(allJobs, 'resume', null)];
  return options.filter(({ row }) => row !== null && /^(policy|cache|budget\.|defaults\.)/.test(row.path));
}

async function readLayers(flags: SettingsFlags, options: readonly SettingOption[]): Promise<Settings> {
  const file = await settingsFromFile({ file: flags.config, folder: process.cwd(), jobs: allJobs, loadJobs: addJobs });
  const installation = mergeSettings(file, settingsFromEnvironment(allJobs, process.env));
  const given = settingsFromFlags(allJobs, flags, [...options, ...listOptions(allJobs, 'ledger', null)]);
  const team = readTeamName(flags);
  if (team === null) return mergeSettings(installation, given);
  const { readTeamLayer } = await import('./read-team.ts');
  // The flags are the strongest; the ledger that they name is that of the installation, beside which the team's lies.
  const { ledger, ...others } = given;
  return mergeSettings(await readTeamLayer(allJobs, team, mergeSettings(installation, { ledger })), others);
}

/** A configuration file may serve several jobs and name the calibration of one; a flag is meant for this one. */
async function assertFittedFor({ id, calibratedWith }: Job, file: string): Promise<void> {
  if (calibratedWith === undefined) return;
  const { job: fitted } = await loadCalibration(allJobs, file);
  if (fitted !== id)
    throw new AgonError(
      'calibration-mismatch',
      `The calibration ${file} was fitted on ${fitted}, not on ${id}.`,
      `Fit one with \`${calibratedWith}\`, or leave --calibration out.`,
    );
}
