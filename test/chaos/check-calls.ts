import type { ServedCall, StruckBlow, TownRecord } from './record.ts';

/* As the tests of the fleet have it: asked for again is what was being said when its worker was struck, nothing else. */

/** What a process was about to ask for when it was struck, it may ask for so long after it was healed. */
const echoMs = 5_000;
/** Calls of a debate that are made at once. */
const callsAtOnce = 2;
/** What a server judges at once: 16 that it is asked for, and 8 of each of two runs. */
const casesOfAServer = 32;

/** What was asked for again although it had been answered, and nobody was struck who could have lost it. */
export function checkCalls({ calls, blows }: TownRecord, itemsAtOnce: number): string[] {
  const said: string[] = [];
  /** How many repetitions each blow is the reason of. */
  const reasons = new Map<StruckBlow, number>();
  const workers = new Map([...Map.groupBy(calls, ({ act }) => act)].map(([act, own]) => [act, namesOf(own)]));
  for (const { earlier, later } of findRepeated(calls)) {
    const beside = workers.get(earlier.act)!;
    const blow = blows.find((each) => explains(each, earlier, later, beside));
    if (!blow)
      said.push(
        `${earlier.by} had an answer on chaos-${earlier.act}-${earlier.item} at ${seconds(earlier.endedAt!)}, and ` +
          `${later.by} asked for it again at ${seconds(later.startedAt)}; nothing had struck ${earlier.by}.`,
      );
    else reasons.set(blow, (reasons.get(blow) ?? 0) + 1);
  }
  for (const [blow, times] of reasons)
    if (times > mostFor(blow, itemsAtOnce))
      said.push(`${times} calls were made again for one blow: ${blow.kind} ${blow.target} at ${seconds(blow.at)}.`);
  return said;
}

/** Good answers to the same question, each with the one before it. */
export function findRepeated(calls: readonly ServedCall[]): { earlier: ServedCall; later: ServedCall }[] {
  const good = calls.filter(({ outcome, endedAt }) => outcome === 'good' && endedAt !== null);
  return [...Map.groupBy(good, ({ asked }) => asked).values()].flatMap((same) =>
    same.slice(1).map((later, index) => ({ earlier: same[index]!, later })),
  );
}

const namesOf = (calls: readonly ServedCall[]) => new Set(calls.map(({ by }) => by));

/**
 * A blow on whoever had the earlier answer, or on what it keeps its answers in, between its call and the next. A server
 * that is told to end stops the runs that it conducts for all who work on them (`beside`), until it is back.
 */
function explains(
  { kind, target, from, to, missed }: StruckBlow,
  earlier: ServedCall,
  later: ServedCall,
  beside: ReadonlySet<string>,
): boolean {
  if (missed !== null || from > later.startedAt || (to ?? Infinity) + echoMs < earlier.startedAt) return false;
  const mayLose = `${earlier.by}>`;
  return (
    target === earlier.by ||
    target === later.by ||
    target.startsWith(mayLose) ||
    target.startsWith('all>') ||
    ((kind === 'terminate' || kind === 'clock') && beside.has(target)) ||
    target === `client>${earlier.by}` ||
    (target === 'postgres' && earlier.by !== 'three')
  );
}

/** What a process may have had in hand; of what all of them share, all of them. */
function mostFor({ kind, target }: StruckBlow, itemsAtOnce: number): number {
  const processes = kind.startsWith('postgres') || kind === 'full-disk' || target.startsWith('all>') ? 5 : 1;
  return processes * Math.max(itemsAtOnce, casesOfAServer) * callsAtOnce;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
