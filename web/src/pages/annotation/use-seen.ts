import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

export interface SeenOptions {
  /** Whether it can be seen at all: revealed, loaded. */
  active: boolean;
  /** For so long. */
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
