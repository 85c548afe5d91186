import { existsSync } from 'node:fs';

/* What a process believes the time to be, by Debian's libfaketime: its own clock alone, never the machine's. */

const places = ['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);

/** Null where it is not installed. */
export function findFakeTime(): string | null {
  return places.find((place) => existsSync(place)) ?? null;
}

/** The environment of a process whose clock is moved (`+3d`, `-2h`, `+0 x3`: three times as fast). */
export function moveClock(clock: string | null): Record<string, string> {
  const library = findFakeTime();
  if (clock === null || library === null) return {};
  // Time that passes is measured by another clock, which nobody can set.
  return { LD_PRELOAD: library, FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
