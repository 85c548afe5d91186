import type { Command } from 'commander';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { locateTeam, openLedger, teamExists, unknownTeam, type Ledger, type TeamRow } from '@agonhq/ledger';
import { addExamples, addInstallationFlags, setAction } from '../define-command.ts';
import { locateLedger, withLedger, type LedgerFlags } from '../open-ledger.ts';
import { formatMoment } from '../terminal/format.ts';
import { printLines } from '../terminal/style.ts';
import { fitLines, formatColumns, type PrintedColumn } from '../terminal/table.ts';

interface TeamFlags extends LedgerFlags {
  settings?: string;
  policy?: string;
  yes?: boolean;
  json?: boolean;
}

/** Works on the ledger of the installation, whatever team the environment names. */
const installation = (flags: TeamFlags): TeamFlags => ({ ...flags, team: '' });

/** `agon teams` */
export function defineTeams(command: Command): void {
  command
    .description(
      'List the teams of this installation. Each has a ledger of its own, in a schema of the same database or in a ' +
        'file beside it: policy, keys, cases, precedents, budgets and caches are apart. An installation needs ' +
        'no teams.',
    )
    .option('--json', 'print one JSON object per line');
  addInstallationFlags(command);
  addExamples(command, [
    'agon teams add acme --settings acme.yaml',
    'agon keys create --team acme --name admin --scope admin',
    'agon teams',
    'agon teams remove acme --yes',
  ]);
  setAction(command, listTeams);
}

async function listTeams(flags: TeamFlags): Promise<void> {
  const rows = await withLedger(installation(flags), (ledger) => ledger.teams.listTeams());
  if (flags.json) printLines(rows.map((row) => JSON.stringify(row)));
  else if (rows.length === 0) printLines(['There are no teams. Add one: agon teams add NAME']);
  else printLines(fitLines(formatColumns(rows, columns, [...columns.keys()])));
}

const columns: PrintedColumn<TeamRow>[] = [
  ['team', ({ name }) => name],
  ['since', ({ createdAt }) => formatMoment(createdAt)],
  ['sets', ({ settings }) => Object.keys(settings as object).join(', ') || '–'],
];

/** `agon teams add NAME` */
export function defineTeamsAdd(command: Command): void {
  command
    .description('Add a team, with a ledger of its own.')
    .argument('<name>', 'up to 24 small letters, digits and hyphens')
    .option('--settings <file>', 'what the team sets otherwise than the installation: .yaml, .json, .ts or .js')
    .option('--policy <file>', 'policy that the team judges by (default: the one that Agon ships)')
    .option('--json', 'print the team as JSON');
  addInstallationFlags(command);
  addExamples(command, ['agon teams add acme', 'agon teams add acme --settings acme.yaml --policy acme-policy.yaml']);
  setAction(command, addTeam);
}

async function addTeam(name: string, flags: TeamFlags): Promise<void> {
  const settings = await readTeamFile(flags.settings);
  const policy = flags.policy === undefined ? null : await loadPolicyFile(flags.policy);
  await withLedger(
    installation(flags),
    async (ledger, { settings: own }) => {
      if (!(await ledger.teams.addTeam(name, settings))) throw teamExists(name);
      const opened = await openLedger(locateTeam(locateLedger(own), name));
      try {
        if (policy) await enact(opened, policy);
      } finally {
        await opened.close();
      }
      const row = (await ledger.teams.findTeam(name))!;
      printLines([
        flags.json
          ? JSON.stringify({ version: 1, ...row })
          : `Added the team ${name}. Its first key: agon keys create --team ${name} --name admin --scope admin`,
      ]);
    },
    { create: true },
  );
}

/** `agon teams set NAME` */
export function defineTeamsSet(command: Command): void {
  command
    .description('Replace what a team sets otherwise than the installation. Servers follow within seconds.')
    .argument('<name>', 'the team')
    .requiredOption('--settings <file>', 'its settings: .yaml, .json, .ts or .js; an empty file for none');
  addInstallationFlags(command);
  addExamples(command, ['agon teams set acme --settings acme.yaml']);
  setAction(command, setTeam);
}

async function setTeam(name: string, flags: TeamFlags): Promise<void> {
  const settings = await readTeamFile(flags.settings);
  await withLedger(installation(flags), async (ledger) => {
    if (!(await ledger.teams.changeTeam(name, settings))) throw unknownTeam(name);
  });
  printLines([`The team ${name} has these settings now.`]);
}

/** `agon teams remove NAME` */
export function defineTeamsRemove(command: Command): void {
  command
    .description(
      'Delete a team with its ledger: keys, cases, verdicts, precedents, the audit log. There is no way back.',
    )
    .argument('<name>', 'the team')
    .option('--yes', 'really delete it');
  addInstallationFlags(command);
  addExamples(command, ['agon ledger backup --team acme --out acme.backup', 'agon teams remove acme --yes']);
  setAction(command, removeTeam);
}

async function removeTeam(name: string, flags: TeamFlags): Promise<void> {
  await withLedger(installation(flags), async (ledger, { settings: own }) => {
    if (!(await ledger.teams.findTeam(name))) throw unknownTeam(name);
    if (!flags.yes)
      throw badFlag(
        `This deletes everything on record of the team ${name}, for good. Nothing was deleted.`,
        `Back it up first (agon ledger backup --team ${name} --out ${name}.backup), then confirm with --yes.`,
      );
    const opened = await openLedger(locateTeam(locateLedger(own), name));
    try {
      await refuseHolds(opened, name);
    } finally {
      await opened.close();
    }
    await ledger.teams.removeTeam(name);
  });
  printLines([`Deleted the team ${name} with its ledger. Running servers let go of it within a minute.`]);
}

async function refuseHolds(ledger: Ledger, team: string): Promise<void> {
  const [hold] = await ledger.holds.listHolds({ inForce: true });
  if (hold)
    throw new AgonError(
      'legal-hold',
      `The legal hold ${hold.id} keeps the team ${team} from being deleted.`,
      `agon holds list --team ${team} shows what is held; agon holds lift lifts it.`,
    );
}

async function readTeamFile(file: string | undefined): Promise<unknown> {
  if (file === undefined) return {};
  const { ownJobs } = await import('@agonhq/core/own-jobs');
  const { settingsFromFile } = await import('@agonhq/core/settings');
  const { readTeamSettings } = await import('@agonhq/core/teams');
  return readTeamSettings(ownJobs, await settingsFromFile({ jobs: ownJobs, file, folder: process.cwd() }), file);
}

async function loadPolicyFile(file: string) {
  const { loadPolicy } = await import('@agonhq/engine/policy');
  return loadPolicy(file);
}

async function enact(ledger: Ledger, policy: Awaited<ReturnType<typeof loadPolicyFile>>): Promise<void> {
  const { hash, name, version } = policy;
  await ledger.policies.keepPolicy({ hash, name, version, document: policy });
  await ledger.policies.activatePolicy(hash, null);
}
