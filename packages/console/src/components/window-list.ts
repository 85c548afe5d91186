import { useLayoutEffect, useState, useSyncExternalStore } from 'react';

/* For lists of which only what is on the screen is in the page. */

const narrow = matchMedia('(max-width: 639px)');

/** Whether the screen is that of a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}

/** How far below the top of the page an element begins: what is above it may grow. */
export function useTopOf(element: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + scrollY));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [element]);
  return top;
}
