import type { ClaimDataOptions, ContentDataOptions, ExchangeDataOptions, Naming } from '../bench/index.ts';
import { AgonError } from '../errors.ts';
import type { Settings } from '../settings/index.ts';
import { moderationSettingsFor, type ModerationSettingsFlags } from './settings-flags.ts';

/** The flags of every command that reads labelled data, as commander hands them over. */
export interface DataFlags {
  data: string[];
  map?: string[];
  mapLabel?: string[];
  limit?: number;
  concurrency: number;
  quiet?: boolean;
}

export interface ContentDataFlags extends DataFlags, Omit<ModerationSettingsFlags, 'vision'> {
  root?: string;
  /** True: look at images even where they are described. False: never. Absent: where there is no description. */
  vision?: boolean;
}

const contentFields = ['id', 'label', 'text', 'image', 'image_description'];
const exchangeFields = ['id', 'label', 'prompt', 'response', 'messages', 'model', 'risk', 'behaviour'];
const claimFields = ['id', 'label', 'claim', 'doc', 'doc_text', 'evidence_ids'];

export function contentOptionsFrom(flags: ContentDataFlags): ContentDataOptions {
  return { root: flags.root, limit: flags.limit, preferImages: flags.vision === true, ...namingFrom(flags, contentFields) };
}

export function exchangeOptionsFrom(flags: DataFlags): ExchangeDataOptions {
  return { limit: flags.limit, ...namingFrom(flags, exchangeFields) };
}

export function claimOptionsFrom(flags: DataFlags & { root?: string }): ClaimDataOptions {
  const { fields, labels } = mappingFrom(flags, claimFields, { meanings: ['entailed', 'refuted', 'neutral'], example: 'yes=entailed,no=refuted' });
  return { root: flags.root, limit: flags.limit, fields, labels };
}

function namingFrom(flags: DataFlags, known: readonly string[]): Naming {
  return mappingFrom(flags, known, { meanings: ['safe', 'unsafe'], example: 'hateful=unsafe,fine=safe' });
}

function mappingFrom<Meaning extends string>(flags: DataFlags, known: readonly string[], { meanings, example }: { meanings: readonly Meaning[]; example: string }) {
  const fields = pairs(flags.map ?? [], '--map', `${known[2]}=comment`);
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new AgonError('bad-flag', `--map ${unknown}=…: an item has no such field.`, `Fields are ${known.join(', ')}.`);
  const labels = pairs(flags.mapLabel ?? [], '--map-label', example.split(',')[0]!);
  const wrong = Object.entries(labels).find(([, label]) => !(meanings as readonly string[]).includes(label));
  if (wrong) throw new AgonError('bad-flag', `--map-label ${wrong.join('=')}: a label means ${meanings.slice(0, -1).join(', ')} or ${meanings.at(-1)}.`, `Write --map-label ${example}.`);
  if (flags.data.includes('-')) throw new AgonError('bad-flag', '--data reads files, not standard input.', 'Write the items to a file: its hash is part of the figures.');
  return { fields, labels: labels as Record<string, Meaning> };
}

export async function settingsForData(flags: ContentDataFlags): Promise<Settings> {
  return moderationSettingsFor({ ...flags, vision: flags.vision !== false });
}

function pairs(values: readonly string[], flag: string, example: string): Record<string, string> {
  return Object.fromEntries(
    values.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1) throw new AgonError('bad-flag', `${flag} ${pair} is not a pair.`, `Write ${flag} ${example}.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
