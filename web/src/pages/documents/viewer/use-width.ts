import { useLayoutEffect, useState, type RefObject } from 'react';

/** How wide there is room in an element; 0 until it was measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const room = element.current;
    if (!room) return undefined;
    const observer = new ResizeObserver(() => setWidth(room.clientWidth));
    observer.observe(room);
    setWidth(room.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
