import type { BenchJob, ContentDataOptions } from '../bench/index.ts';
import { AgonError } from '../errors.ts';
import type { Settings } from '../settings/index.ts';
import { namesFrom } from './names-flags.ts';
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

const fields: Record<BenchJob, readonly string[]> = {
  moderation: ['id', 'label', 'text', 'image', 'image_description', 'category', 'raters', 'trivial'],
  evaluation: ['id', 'label', 'prompt', 'response', 'messages', 'model', 'risk', 'behaviour', 'category', 'raters'],
  documents: ['id', 'label', 'claim', 'doc', 'doc_text', 'evidence_ids', 'category', 'raters'],
};

const labelWords = {
  safety: { meanings: ['safe', 'unsafe'], example: 'hateful=unsafe,fine=safe' },
  claims: { meanings: ['entailed', 'refuted', 'neutral'], example: 'yes=entailed,no=refuted' },
} as const;

/** What the data calls our fields and labels. */
export function namedFields(
  flags: DataFlags,
  job: BenchJob,
): { fields: Record<string, string>; labels: Record<string, string> } {
  if (flags.data.includes('-'))
    throw new AgonError(
      'bad-flag',
      '--data reads files, not standard input.',
      'Write the items to a file: its hash is part of the figures.',
    );
  return namesFrom<string>(flags, fields[job], job === 'documents' ? labelWords.claims : labelWords.safety);
}

export function contentOptionsFrom(flags: ContentDataFlags): ContentDataOptions {
  const { fields: named, labels } = namedFields(flags, 'moderation');
  return {
    root: flags.root,
    limit: flags.limit,
    preferImages: flags.vision === true,
    fields: named,
    labels: labels as ContentDataOptions['labels'],
  };
}

export async function settingsForData(flags: ContentDataFlags): Promise<Settings> {
  return moderationSettingsFor({ ...flags, vision: flags.vision !== false });
}
