import { useState } from 'react';
import type { AnnotationItem } from '../../api/types.ts';

export type Part = AnnotationItem['parts'][number];

/** What of an item was looked at. Of several images, all have to be. */
export interface Viewing {
  seen: ReadonlySet<string>;
  /** Which parts are still to be looked at. */
  missing: readonly Part[];
  mark(name: string): void;
}

export function imagePartName(number: number): string {
  return `image-${number}`;
}

export function useViewing({ parts, images }: Pick<AnnotationItem, 'parts' | 'images'>): Viewing {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const isSeen = (part: Part) =>
    part === 'image' ? images.every((_, number) => seen.has(imagePartName(number))) : seen.has(part);
  return {
    seen,
    missing: parts.filter((part) => !isSeen(part)),
    mark: (name) => setSeen((before) => (before.has(name) ? before : new Set([...before, name]))),
  };
}

const viewingTasks: Record<Part, string> = {
  image: 'show the image and look at it',
  text: 'read the text to its end',
  prompt: 'read the prompt to its end',
  response: 'read the response to its end',
};

/** What is still to be done before a decision, in words; null when nothing is. */
export function describeMissing({ missing }: Viewing): string | null {
  return missing.length === 0 ? null : missing.map((part) => viewingTasks[part]).join(', and ');
}
