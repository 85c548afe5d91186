import type { Share, ShareClaim } from '../runs/workers.ts';

/** What a worker wants of a model, and what it has until its lease ends. */
export interface HeldShare {
  worker: string;
  wanted: number;
  concurrency: number;
  requestsPerMinute: number;
  tokensPerMinute: number;
}

type Wish = Pick<HeldShare, 'worker' | 'wanted' | 'concurrency'>;

/**
 * A bucket holds a tenth of its share for bursts: of fewer requests a minute it could not hold one, and would have to
 * give it on credit.
 */
const fewestRequests = 10;

export interface ClaimInTurn extends Omit<ShareClaim, 'model' | 'leaseMs'> {
  /** Counts up every few minutes, for all alike: whose turn it is where there is too little for everybody. */
  turn?: number;
}

/**
 * The share of one worker, given what all hold whose lease runs, and the places that it holds with that. The share is
 * the fair one as far as nobody else holds it: the sum of what is held is at most the limit at every moment. A place
 * with a call in it stays held; who has more calls than its share starts none until enough of them have ended.
 */
export function computeShare(
  { worker, limits, wanted, inUse, turn = 0 }: ClaimInTurn,
  shares: readonly HeldShare[],
): { share: Share; held: number } {
  const others = shares.filter((share) => share.worker !== worker);
  const before = shares.find((share) => share.worker === worker)?.concurrency ?? 0;
  const wishes = [...others, { worker, wanted, concurrency: before }];
  const fair = dividePlaces(limits.concurrency, limitWishes(limits, wishes, turn));
  const own = fair.get(worker)!;
  const held = Math.min(
    Math.max(own, inUse),
    countFree(
      limits.concurrency,
      others.map((share) => share.concurrency),
    ),
  );
  const places = [...fair.values()];
  const part = own / Math.max(1, sum(places));
  const rate = (limit: number, of: (share: HeldShare) => number, fewest = 0) => {
    const least = Math.min(fewest, limit);
    const sharing = places.filter((place) => place > 0).length;
    const fairRate = own === 0 ? 0 : sharing === 1 ? limit : least + (limit - sharing * least) * part;
    const left = countFree(limit, others.map(of));
    return left < least - rounding ? 0 : toThousandths(Math.min(fairRate, left));
  };
  const share = {
    concurrency: Math.min(own, held),
    ...(limits.requestsPerMinute !== undefined && {
      requestsPerMinute: rate(limits.requestsPerMinute, (other) => other.requestsPerMinute, fewestRequests),
    }),
    ...(limits.tokensPerMinute !== undefined && {
      tokensPerMinute: rate(limits.tokensPerMinute, (other) => other.tokensPerMinute),
    }),
  };
  return { share, held };
}

/** Only as many want something as there are places and requests for; the others have their turn a few minutes later. */
function limitWishes(
  { concurrency, requestsPerMinute = Infinity }: ShareClaim['limits'],
  wishes: readonly Wish[],
  turn: number,
): readonly Wish[] {
  const most = Math.max(1, Math.min(concurrency, Math.floor(requestsPerMinute / fewestRequests)));
  const waiting = wishes
    .filter(({ wanted }) => wanted > 0)
    .map(({ worker }) => worker)
    .sort();
  if (waiting.length <= most) return wishes;
  const first = (turn * most) % waiting.length;
  const chosen = new Set([...waiting.slice(first), ...waiting.slice(0, first)].slice(0, most));
  return wishes.map((wish) => (chosen.has(wish.worker) ? wish : { ...wish, wanted: 0 }));
}

/**
 * Divides places among those who want some: nobody gets more than it wants, and what one leaves the others share.
 * Places that cannot be divided go to those who hold the most already, so that they stay where they are.
 */
export function dividePlaces(limit: number, wishes: readonly Wish[]): Map<string, number> {
  const places = new Map(wishes.map(({ worker }) => [worker, 0]));
  let left = limit;
  const give = ({ worker, wanted }: Wish, most: number) => {
    const more = Math.min(most, wanted - places.get(worker)!);
    places.set(worker, places.get(worker)! + more);
    left -= more;
  };
  let open = wishes.filter(({ wanted }) => wanted > 0);
  while (open.length > 0 && left >= open.length) {
    const each = Math.floor(left / open.length);
    for (const wish of open) give(wish, each);
    open = open.filter(({ worker, wanted }) => wanted > places.get(worker)!);
  }
  const inLine = open.toSorted((a, b) => b.concurrency - a.concurrency || (a.worker < b.worker ? -1 : 1));
  for (const wish of inLine.slice(0, left)) give(wish, 1);
  return places;
}

function countFree(limit: number, held: readonly number[]): number {
  return Math.max(0, limit - sum(held));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const rounding = 0.01;

/** Downwards, so that the sum of what was rounded is not above the limit. */
function toThousandths(number: number): number {
  return Math.floor(number * 1_000) / 1_000;
}
