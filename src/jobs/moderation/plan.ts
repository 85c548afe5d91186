/** How content is judged: Aetheria's debate, or one of the methods it is held against. */
export const moderationMethods = ['debate', 'judge', 'vote', 'role-free', 'control', 'refusal-match'] as const;
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
 * Which seats a plan asks, in the order of the protocol: everything that is held against the debate has the models of
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
export function turnsOfDebate({ rounds, without }: DebatePlan): number {
  const seats = seatsOf({ without });
  const debaters = seats.filter((seat) => seat.endsWith('-debater')).length;
  return seats.length - debaters + rounds * debaters;
}

/** The plan in words, for the record: `supporter, 2 rounds together with early stop, arbiter`. */
export function describePlan(plan: DebatePlan, shots = 0): string {
  const judges = seatsOf(plan).length;
  switch (methodOf(plan)) {
    case 'debate':
      return describeDebate(plan);
    case 'judge':
      return shots === 0 ? 'one judge' : `one judge with ${shots} ${shots === 1 ? 'example' : 'examples'}`;
    case 'vote':
      return `independent vote of ${judges} ${judges === 1 ? 'judge' : 'judges'}`;
    case 'role-free':
      return (
        `${roundsOf(plan)} of ${judges} ${judges === 1 ? 'judge' : 'judges'} without roles${stopOf(plan)}, ` +
        'majority'
      );
    case 'control':
      return "independent votes for the debate's tokens, majority";
    case 'refusal-match':
      return 'refusal patterns';
  }
}

function describeDebate(plan: DebatePlan): string {
  const debaters = seatsOf(plan).filter((seat) => seat.endsWith('-debater'));
  const order = debaters.length < 2 ? ` of ${debaters[0]}` : ` ${plan.turns}`;
  return [
    seatsOf(plan).includes('supporter') &&
      (plan.without.includes('retrieval') ? 'supporter without retrieval' : 'supporter'),
    debaters.length > 0 && `${roundsOf(plan)}${order}${stopOf(plan)}`,
    'arbiter',
  ]
    .filter(Boolean)
    .join(', ');
}

function roundsOf({ rounds }: DebatePlan): string {
  return `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
}

function stopOf({ earlyStop }: DebatePlan): string {
  return earlyStop ? ' with early stop' : '';
}
