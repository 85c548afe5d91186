import { AgonError } from '../../../errors.ts';
import type { Content } from '../../../jobs/moderation/index.ts';

/**
 * A content as those read it who read text alone: its text and, in the very words that the debate reads, its images.
 */
export function contentAsText({ text, images = [] }: Content): string {
  const seen = images.map((image) => {
    if ('description' in image) return `Image: ${image.description}`;
    throw new AgonError(
      'no-description',
      'An image has no description, and this system reads only text.',
      'Name who describes images (--preprocessor openai:gpt-4o-mini), or give descriptions in the data.',
    );
  });
  return [...(text === undefined ? [] : [text]), ...seen].join('\n\n');
}

export function hasUnseenImages({ images = [] }: Content): boolean {
  return images.some((image) => !('description' in image));
}
