import { drawFor, type Draws } from '../hostile/draws.ts';

/** What can happen to a town. */
export const blowKinds = [
  'kill',
  'stop',
  'terminate',
  'cut',
  'slow',
  'black-hole',
  'half-open',
  'refuse',
  'provider',
  'postgres-restart',
  'postgres-backend',
  'full-disk',
  'clock',
] as const;
export type BlowKind = (typeof blowKinds)[number];

export interface Blow {
  /** Milliseconds after the beginning. */
  at: number;
  kind: BlowKind;
  /** A process, a link (`one>postgres`), a disk, or what the provider does. */
  target: string;
  forMs: number;
  /** Of `slow` the delay in milliseconds, of `clock` what the process believes (`+3d`). */
  detail: string;
}

/** What there is to strike. */
export interface Targets {
  processes: readonly string[];
  /** `from>to`. */
  links: readonly string[];
  disks: readonly string[];
}

/** What cannot be done here, and is left out. */
export type Missing = Partial<Record<BlowKind, string>>;

export const providerModes = ['slow', 'busy', 'broken', 'garbage', 'cut', 'hang'] as const;
export type ProviderMode = (typeof providerModes)[number] | 'well';

const clocks = ['+90s', '-90s', '+2h', '-2h', '+3d', '-3d', '+40d', '+0 x3', '-1d x2'] as const;

/** How often each kind is drawn. */
const weights: Record<BlowKind, number> = {
  kill: 6,
  stop: 3,
  terminate: 2,
  cut: 4,
  slow: 2,
  'black-hole': 2,
  'half-open': 2,
  refuse: 1,
  provider: 5,
  'postgres-restart': 2,
  'postgres-backend': 1,
  'full-disk': 2,
  clock: 3,
};

/** Longer than the heartbeat of a worker, after which others take over what it has. */
const longerThanAHeartbeatMs = 36_000;
const pauseMs = { least: 1_000, most: 6_500 };
const firstBlowMs = 2_000;
/** Of ten blows, so many come with a second one at the same moment. */
const twoAtOnce = 2;

/** The blows of a seed: the same seed and length give the same ones, whatever this machine can do. */
export function planBlows(seed: number, lengthMs: number, targets: Targets, missing: Missing = {}): Blow[] {
  const draws = drawFor('blows', seed);
  const blows: Blow[] = [];
  for (let at = firstBlowMs; at < lengthMs; at += between(draws, pauseMs.least, pauseMs.most)) {
    blows.push(drawBlow(draws, at, lengthMs, targets));
    if (draws.below(10) < twoAtOnce) blows.push(drawBlow(draws, at, lengthMs, targets));
  }
  return blows.filter(({ kind }) => missing[kind] === undefined);
}

function drawBlow(draws: Draws, at: number, lengthMs: number, { processes, links, disks }: Targets): Blow {
  const kind = drawKind(draws);
  // Drawn whether it is needed or not, so that a kind that changes leaves the blows after it as they were.
  const [process, link, disk] = [draws.pick(processes), draws.pick(links), draws.pick(disks)];
  const [mode, clock] = [draws.pick(providerModes), draws.pick(clocks)];
  const [short, middle, long, delay] = [
    between(draws, 200, 3_000),
    between(draws, 2_000, 9_000),
    draws.below(4) === 0,
    between(draws, 40, 400),
  ];
  const blow = (target: string, forMs: number, detail = ''): Blow => ({ at, kind, target, forMs, detail });
  switch (kind) {
    case 'kill':
    case 'terminate':
      return blow(process, short);
    case 'clock':
      return blow(process, short, clock);
    case 'stop':
      return blow(process, long && at + longerThanAHeartbeatMs < lengthMs ? longerThanAHeartbeatMs : middle);
    case 'cut':
      return blow(link, 0);
    case 'slow':
      return blow(link, middle, String(delay));
    case 'black-hole':
    case 'half-open':
    case 'refuse':
      return blow(link, middle);
    case 'provider':
      return blow(mode, middle);
    case 'postgres-restart':
    case 'postgres-backend':
      return blow('postgres', short);
    case 'full-disk':
      return blow(disk, middle);
  }
}

function drawKind(draws: Draws): BlowKind {
  let place = draws.below(blowKinds.reduce((sum, kind) => sum + weights[kind], 0));
  return blowKinds.find((kind) => (place -= weights[kind]) < 0)!;
}

function between(draws: Draws, least: number, most: number): number {
  return least + draws.below(most - least);
}
