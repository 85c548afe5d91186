import { z } from 'zod';
import { ownJobs } from '@agonhq/core/own-jobs';
import { listOptions } from '@agonhq/cli/settings-flags';
import { listSettings, type SettingRow } from '@agonhq/core/settings';

/** The settings of a group, or those with these very paths, as a table. */
export function renderSettings(...groups: readonly string[]): string {
  const rows = listSettings(ownJobs).filter(({ path }) => groups.some((group) => path === group || path.startsWith(`${group}.`)));
  return [
    '| setting | what it is | values | default | flag | environment |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${[quote(row.path), ...describe(row)].join(' | ')} |`),
  ].join('\n');
}

function describe(row: SettingRow): string[] {
  const { notes, type, variables } = row;
  return [
    notes.help,
    notes.values ?? describeValues(type),
    notes.default ?? '',
    listFlags(row).map(quote).join(', '),
    variables.map(quote).join(', '),
  ];
}

/** The flags of a setting, over all commands and jobs. */
function listFlags({ path, job }: SettingRow): string[] {
  const kinds = ['judge', 'run', 'bench', 'resume', 'serve', 'mcp', 'ledger'] as const;
  const jobs = job === null ? [null, ...ownJobs.list()] : [ownJobs.find(job) ?? null];
  const options = kinds.flatMap((kind) => jobs.flatMap((one) => listOptions(ownJobs, kind, one)));
  return [...new Set(options.filter(({ row }) => row?.path === path).map(({ flag }) => flag))].map(
    (flag) => flag.replace(/ .*$/, ''),
  );
}

function describeValues(type: z.ZodType): string {
  if (type instanceof z.ZodEnum) return type.options.map((option) => quote(String(option))).join(', ');
  if (type instanceof z.ZodBoolean) return 'true, false';
  if (type instanceof z.ZodArray) return `a list of ${describeValues(type.element as z.ZodType)}`;
  if (type instanceof z.ZodNumber) return describeNumber(type);
  return 'a text';
}

function describeNumber(type: z.ZodNumber): string {
  const { minimum, exclusiveMinimum, maximum } = z.toJSONSchema(type);
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? format(maximum) : null;
  if (typeof exclusiveMinimum === 'number')
    return most === null ? `above ${format(exclusiveMinimum)}` : `above ${format(exclusiveMinimum)}, up to ${most}`;
  if (minimum === undefined) return 'a number';
  return most === null ? `${format(minimum)} or more` : `${format(minimum)} to ${most}`;
}

function format(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

function quote(text: string): string {
  return `\`${text}\``;
}
