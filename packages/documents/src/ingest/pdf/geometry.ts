/** A rectangle in points, from the upper left corner of the page. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function right(area: Area): number {
  return area.x + area.width;
}

export function bottom(area: Area): number {
  return area.y + area.height;
}

export function union(areas: readonly Area[]): Area {
  let [x, y, x2, y2] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const area of areas) {
    x = Math.min(x, area.x);
    y = Math.min(y, area.y);
    x2 = Math.max(x2, right(area));
    y2 = Math.max(y2, bottom(area));
  }
  return { x, y, width: x2 - x, height: y2 - y };
}

/** How far two stretches of an axis overlap; negative when they lie apart. */
export function overlap(start: number, end: number, otherStart: number, otherEnd: number): number {
  return Math.min(end, otherEnd) - Math.max(start, otherStart);
}

/** The part of an area that lies on the page. */
export function within(area: Area, page: { width: number; height: number }): Area {
  const x = Math.min(Math.max(area.x, 0), page.width);
  const y = Math.min(Math.max(area.y, 0), page.height);
  return {
    x,
    y,
    width: Math.min(Math.max(right(area), x), page.width) - x,
    height: Math.min(Math.max(bottom(area), y), page.height) - y,
  };
}
