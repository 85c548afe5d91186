import { AgonError } from '@agonhq/engine/agon-error';
import { moderationJob } from '@agonhq/judges/moderation';
import { partSeparator } from '@agonhq/engine/text';
import type { JobBench } from '../../job-bench.ts';
import { safetyFormats } from '../safety/formats.ts';
import { safetyBench, type KeptSafety, type SafetyRun } from '../safety/run-safety.ts';
import { moderationFormats } from './formats.ts';
import { groundsBlock } from './grounds.ts';
import { readLabelledContent, type LabelledContent } from './labelled-content.ts';
import { buildModerationReport, type ModerationReport } from './report.ts';
import { cell, tableHead, type BenchBlock } from '../../report/block.ts';
import { offerSystems } from '../../systems/offered-systems.ts';
import { moderationAblations, moderationSystemNames, openModerationSystems, type ModerationSystem } from './systems.ts';

/** Moderation on the bench: contents that are safe or unsafe. */
export const moderationBench: JobBench<
  LabelledContent,
  ModerationSystem,
  KeptSafety,
  SafetyRun<LabelledContent>,
  ModerationReport
> = {
  ...safetyBench,
  job: moderationJob.id,
  itemFields: ['text', 'image', 'image_description'],
  ownFields: ['text', 'image', 'image_description'],
  recognizesItem: (fields) => ['text', 'image', 'image_description'].some((field) => Object.hasOwn(fields, field)),
  example: '{"id":"1","text":"…","label":"safe"}',
  formats: [...moderationFormats, ...safetyFormats],
  readItem: readLabelledContent,
  readText({ subject }) {
    if (AgonError.is(subject)) return null;
    const shown = (subject.images ?? []).map((image) =>
      'description' in image ? image.description : 'file' in image ? image.file : '',
    );
    return { whole: [subject.text ?? '', ...shown].join(' ').trim(), response: null, about: '' };
  },
  describeItem({ subject }) {
    if (AgonError.is(subject)) return { excerpt: '', model: null };
    const described = (subject.images ?? []).flatMap((image) => ('description' in image ? [image.description] : []));
    const parts = [subject.text, ...described].filter((part) => part !== undefined);
    return { excerpt: parts.join(partSeparator), model: null };
  },
  presentation: { title: moderationJob.title, leadingMetric: 'f1', accuracyTitle: null },
  offeredSystems: offerSystems([
    'full',
    'judge',
    'vote',
    'role-free',
    'control',
    'guard',
    'without-retrieval',
    'without-supporter',
    'without-strict',
    'without-loose',
    'without-debate',
    'rounds-1',
    'rounds-2',
    'rounds-3',
    'refusal-match',
    'all-arbiter',
    'all-debaters',
    'judge:provider:model',
    'all:provider:model',
    'seat:NAME=provider:model',
  ]),
  systemNames: moderationSystemNames,
  defaultSystem: 'full',
  ablations: moderationAblations,
  openSystems: openModerationSystems,
  buildReport: ({ data, runs }, { by }) => buildModerationReport(data, runs, by),
  buildBlocks: ({ data, systems }) => [imagesBlock(data), groundsBlock(systems)].filter((block) => block !== null),
};

/** What stood for the images; null where there are none. */
function imagesBlock({ images }: ModerationReport['data']): BenchBlock | null {
  if (images.described + images.files === 0) return null;
  return {
    title: 'Images',
    lead: 'What was judged of the images: descriptions that came with the data, or the files themselves.',
    table: {
      head: tableHead('', 'By description | By file'),
      rows: [[cell.amount(images.described), cell.amount(images.files)]],
    },
  };
}
