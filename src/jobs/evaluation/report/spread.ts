export interface Place {
  x: number;
  y: number;
}

/** More marks than this are left where they are: nobody could read them anyway, and moving them takes time. */
const most = 150;

/**
 * Moves marks that would cover one another aside until they are `distance` apart, as far as the frame allows. The
 * same places always give the same result.
 */
export function spread(
  places: readonly Place[],
  distance: number,
  frame: { left: number; top: number; right: number; bottom: number },
): Place[] {
  const moved = places.map(({ x, y }) => ({ x, y }));
  if (moved.length > most) return moved;
  const near = (one: Place) =>
    moved.filter((other) => Math.hypot(other.x - one.x, other.y - one.y) < distance).length > 1;
  // A nudge by the golden angle each: marks at one place, or in one line, leave it in different directions.
  for (const [index, place] of moved
    .map((place, index) => [index, place] as const)
    .filter(([, place]) => near(place))) {
    place.x += Math.cos(index * 2.4);
    place.y += Math.sin(index * 2.4);
  }
  const within = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);
  for (let turn = 0; turn < 200; turn += 1) {
    let crowded = false;
    for (const [index, one] of moved.entries()) {
      for (const other of moved.slice(index + 1)) {
        const [x, y] = [other.x - one.x, other.y - one.y];
        const apart = Math.hypot(x, y) || 0.001;
        if (apart >= distance - 0.1) continue;
        crowded = true;
        const push = (distance - apart) / 2 / apart;
        one.x -= x * push;
        one.y -= y * push;
        other.x += x * push;
        other.y += y * push;
      }
    }
    for (const place of moved) {
      place.x = within(place.x, frame.left, frame.right);
      place.y = within(place.y, frame.top, frame.bottom);
    }
    if (!crowded) break;
  }
  return moved;
}
