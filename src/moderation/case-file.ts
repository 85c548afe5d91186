import type { CaseFile, Observation } from '../debate/index.ts';
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
  const read = caseFile.sources.filter((source): source is Observation => 'tool' in source && source.tool !== 'placeholder');
  return caseFile.sources.filter(
    (source): source is Observation => isPlaceholder(source) && !read.some((other) => other.of === (source as Observation).of),
  );
}
