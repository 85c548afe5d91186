import { baselineMethods, describeBaseline, isBaseline } from '@agonhq/engine/debate';

/** The command that fits a calibration of its scores. */
export const calibratedWith = 'agon calibrate --data FILE --out calibration.json';

/** How content is judged: Aetheria's debate, or one of the methods it is compared with. */
export const moderationMethods = ['debate', ...baselineMethods, 'refusal-match'] as const;
export type ModerationMethod = (typeof moderationMethods)[number];

/** The seats of moderation that speak in the debate itself, and the one that judges alone. */
export type ModerationSeat = 'supporter' | 'strict-debater' | 'loose-debater' | 'arbiter' | 'judge';

/** What the paper's Table 3 takes away. */
export const removableParts = ['retrieval', 'supporter', 'strict', 'loose', 'debate'] as const;
export type RemovablePart = (typeof removableParts)[number];

export interface DebatePlan {
  /** Absent for the debate, which stays the configuration that it was before there were others. */
  method?: Exclude<ModerationMethod, 'debate'>;
  rounds: number;
  turns: 'together' | 'alternate';
  earlyStop: boolean;
  without: readonly RemovablePart[];
  /** Top-K of retrieval. */
  precedents: number;
}

export function methodOf({ method }: Pick<DebatePlan, 'method'>): ModerationMethod {
  return method ?? 'debate';
}

/**
 * Which seats a plan asks, in the order of the protocol: everything that is compared with the debate has the models of
 * its seats.
 */
export function seatsOf({ method, without }: Pick<DebatePlan, 'method' | 'without'>): ModerationSeat[] {
  if (method === 'judge') return ['judge'];
  if (method === 'refusal-match') return [];
  const absent = new Set<string>(without);
  return [
    ...(absent.has('supporter') ? [] : (['supporter'] as const)),
    ...(absent.has('debate') || absent.has('strict') ? [] : (['strict-debater'] as const)),
    ...(absent.has('debate') || absent.has('loose') ? [] : (['loose-debater'] as const)),
    'arbiter',
  ];
}

/** How many turns a debate has that runs all its rounds. */
export function countModerationTurns({ rounds, without }: DebatePlan): number {
  const seats = seatsOf({ without });
  const debaters = seats.filter((seat) => seat.endsWith('-debater')).length;
  return seats.length - debaters + rounds * debaters;
}

/** The plan in words, for the record: `supporter, 2 rounds together with early stop, arbiter`. */
export function describeModerationPlan(plan: DebatePlan, examples = 0): string {
  const method = methodOf(plan);
  const seats = seatsOf(plan);
  const stop = plan.earlyStop ? ' with early stop' : '';
  if (method === 'refusal-match') return 'refusal patterns';
  if (isBaseline(method)) return describeBaseline(method, { seats: seats.length, rounds: plan.rounds, stop, examples });
  const debaters = seats.filter((seat) => seat.endsWith('-debater'));
  const order = debaters.length < 2 ? ` of ${debaters[0]}` : ` ${plan.turns}`;
  const rounds = `${plan.rounds} ${plan.rounds === 1 ? 'round' : 'rounds'}`;
  return [
    seats.includes('supporter') && (plan.without.includes('retrieval') ? 'supporter without retrieval' : 'supporter'),
    debaters.length > 0 && `${rounds}${order}${stop}`,
    'arbiter',
  ]
    .filter(Boolean)
    .join(', ');
}
