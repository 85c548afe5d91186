import { isObservation, type CaseFile, type Observation } from '../../debate/index.ts';
import type { Source } from '../../evidence/index.ts';
import type { JudgedImage, Modality } from './subject.ts';

/** All that the debaters of a moderation case may see. */
export interface ModerationCaseFile extends CaseFile {
  modality: Modality;
  images: readonly JudgedImage[];
}

/** The neutral text that stands for an image nobody could describe. Nothing can be quoted from it. */
export const placeholderText = 'An image is attached that could not be described.';

export function isPlaceholder(source: { id: string; text: string }): boolean {
  return (source as Observation).tool === 'placeholder';
}

/** Images of which neither a description nor any text is known. */
export function unseenImages(caseFile: ModerationCaseFile): Observation[] {
  const read = caseFile.sources.filter(
    (source): source is Observation => 'tool' in source && source.tool !== 'placeholder',
  );
  return caseFile.sources.filter(
    (source): source is Observation =>
      isPlaceholder(source) && !read.some((other) => other.of === (source as Observation).of),
  );
}

/** What stands for the case: its own text and what its images show, not what tools found hidden in them. */
export function ownSources({ sources }: CaseFile): (Source | Observation)[] {
  const own = sources.filter((source) => !isObservation(source) || ['vision', 'given'].includes(source.tool));
  return own.length > 0 ? own : sources.filter((source) => !isPlaceholder(source));
}
