import type { ClaimDataOptions, ContentDataOptions, ExchangeDataOptions, Naming } from '../bench/index.ts';
import { AgonError } from '../errors.ts';
import type { Settings } from '../settings/index.ts';
import { namesFrom, type LabelWords } from './names-flags.ts';
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

function mappingFrom<Meaning extends string>(flags: DataFlags, known: readonly string[], words: LabelWords<Meaning>) {
  if (flags.data.includes('-')) throw new AgonError('bad-flag', '--data reads files, not standard input.', 'Write the items to a file: its hash is part of the figures.');
  return namesFrom(flags, known, words);
}

export async function settingsForData(flags: ContentDataFlags): Promise<Settings> {
  return moderationSettingsFor({ ...flags, vision: flags.vision !== false });
}
