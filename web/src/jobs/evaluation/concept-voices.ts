import type { Answer } from '../../api/types.ts';

/* Where each voice of an evaluation sees the case, round by round, in the space of the three risk concepts. */

export interface Distribution {
  explicit: number;
  implicit: number;
  none: number;
}

export type Shape = 'circle' | 'square' | 'diamond' | 'hexagon';

/** A seat, or the mixture of both benches. */
export interface Voice {
  name: string;
  tone: 'risk' | 'implicit' | 'both' | 'quiet' | 'ink';
  shape: Shape;
  /** Tells the seats of one role apart: the first is filled, others are hollow. */
  filled: boolean;
  /** Whether its points are one path: votes that do not know of each other are not. */
  joined: boolean;
  points: readonly VoicePoint[];
}

export interface VoicePoint {
  round: number | null;
  distribution: Distribution;
  label: string | null;
  /** A fallback stands in for what was not said. */
  standIn: boolean;
}

const roles: Record<string, Pick<Voice, 'tone' | 'shape'> & { name: string }> = {
  auditor: { name: 'Auditor', tone: 'risk', shape: 'circle' },
  detector: { name: 'Detector', tone: 'implicit', shape: 'square' },
  critic: { name: 'Critic', tone: 'both', shape: 'diamond' },
};
const judge = { name: 'Judge', tone: 'quiet', shape: 'circle' } as const;

/** Every seat's path through the rounds, then the mixture's. Seats that stated no distribution are left out. */
export function readVoices({ transcript }: Pick<Answer, 'transcript'>): Voice[] {
  const turns = transcript.filter((entry) => entry.kind === 'turn').filter(({ role }) => role !== 'arbiter');
  const seats = [...new Map(turns.map(({ seat, role }) => [seat, role]))];
  const voices = seats.map(([seat, role]): Voice => {
    const { name, tone, shape } = (Object.hasOwn(roles, role) ? roles[role] : undefined) ?? judge;
    const peers = seats.filter((other) => other[1] === role);
    const number = peers.findIndex(([other]) => other === seat) + 1;
    const own = turns.filter((turn) => turn.seat === seat);
    return {
      name: peers.length > 1 ? `${name} ${number}` : name,
      tone,
      shape,
      filled: number === 1,
      joined: seat !== 'control',
      points: own.flatMap(({ round, answer, fallback }) => {
        const distribution = readDistribution((answer as { distribution?: unknown } | null | undefined)?.distribution);
        return distribution
          ? [
              {
                round,
                distribution,
                label: fallback ? null : readLabel(answer),
                standIn: fallback !== undefined && fallback !== null,
              },
            ]
          : [];
      }),
    };
  });
  const mixed = transcript.flatMap((entry): VoicePoint[] => {
    if (entry.kind !== 'computed' || entry.name !== 'mixture') return [];
    const distribution = readDistribution((entry.value as { mixture?: unknown } | null | undefined)?.mixture);
    return distribution ? [{ round: entry.round, distribution, label: null, standIn: false }] : [];
  });
  const mixture: Voice = {
    name: 'Mixture',
    tone: 'ink',
    shape: 'hexagon',
    filled: true,
    joined: true,
    points: mixed,
  };
  return [...voices, mixture].filter(({ points }) => points.length > 0);
}

/** The label, or, for the mixture, which says none, the likeliest concept. */
export function describeStanding({ label, standIn, distribution }: VoicePoint): string {
  if (standIn) return 'no answer';
  return label ?? Object.entries(distribution).toSorted(([, one], [, other]) => other - one)[0]![0];
}

function readDistribution(value: unknown): Distribution | null {
  if (typeof value !== 'object' || value === null) return null;
  const parts = ['explicit', 'implicit', 'none'].map((name) => (value as Record<string, unknown>)[name]);
  if (!parts.every((part) => typeof part === 'number' && part >= 0)) return null;
  const [explicit, implicit, none] = parts as [number, number, number];
  const sum = explicit + implicit + none;
  return sum > 0 && Number.isFinite(sum)
    ? { explicit: explicit / sum, implicit: implicit / sum, none: none / sum }
    : null;
}

function readLabel(answer: unknown): string | null {
  const label = typeof answer === 'object' && answer !== null ? (answer as { label?: unknown }).label : null;
  return typeof label === 'string' ? label : null;
}
