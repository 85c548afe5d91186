import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SentAnnotationItem } from '../../api/client.ts';

export type ViewedPart = SentAnnotationItem['parts'][number];

export type ItemViewing = ReturnType<typeof useViewing>;

export function imagePartName(number: number): string {
  return `image-${number}`;
}

/** What of an item was looked at. Of several images, all have to be. */
export function useViewing({ parts, images }: Pick<SentAnnotationItem, 'parts' | 'images'>) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const isSeen = (part: ViewedPart) =>
    part === 'image' ? images.every((_, number) => seen.has(imagePartName(number))) : seen.has(part);
  return {
    seen,
    missing: parts.filter((part) => !isSeen(part)),
    mark: (name: string) => setSeen((before) => (before.has(name) ? before : new Set([...before, name]))),
  };
}

const viewingTasks: Record<ViewedPart, string> = {
  image: 'show and view the image',
  text: 'read the text to the end',
  prompt: 'read the prompt to the end',
  response: 'read the response to the end',
};

/** What is still to be done before a decision, in words; null when nothing is. */
export function describeMissing({ missing }: ItemViewing): string | null {
  return missing.length === 0 ? null : missing.map((part) => viewingTasks[part]).join(', and ');
}

interface SeenOptions {
  /** Whether it can be seen at all: revealed, loaded. */
  active: boolean;
  ms: number;
  onSeen: () => void;
}

/**
 * Tells once that an element was before somebody's eyes for a while: most of it in the window, or most of the window
 * filled with it, and the page in front.
 */
export function useSeen<Element extends HTMLElement>({ active, ms, onSeen }: SeenOptions): RefObject<Element | null> {
  const element = useRef<Element>(null);
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    const target = element.current;
    if (!active || !target) return undefined;
    let inView = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const weigh = () => {
      const looked = inView && document.visibilityState === 'visible';
      if (!looked) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(seen, ms);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting, intersectionRatio, intersectionRect } = entries.at(-1)!;
        inView = isIntersecting && (intersectionRatio >= 0.6 || intersectionRect.height >= 0.5 * window.innerHeight);
        weigh();
      },
      { threshold: [0, 0.2, 0.4, 0.6, 0.8, 1] },
    );
    observer.observe(target);
    document.addEventListener('visibilitychange', weigh);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', weigh);
    };
  }, [active, ms]);
  return element;
}
