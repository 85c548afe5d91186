import { setTimeout as pause } from 'node:timers/promises';
import { replaceParts, type Ledger } from '@agonhq/ledger';
import { workForFleet, type FleetWorker, type WorkerOptions, type WorkerStatus } from './worker.ts';

/** What a worker needs to work for a team. */
export interface TeamAtWork extends Pick<WorkerOptions, 'ledger' | 'own'> {
  release(): Promise<void>;
}

export interface TeamsOptions extends WorkerOptions {
  openTeam(name: string): Promise<TeamAtWork>;
}

/** One worker for each team that has something to do; null is the installation's own, which is always there. */
interface Member {
  places: number;
  worker: FleetWorker;
  drain: AbortController;
  ended: Promise<void>;
}

const lookMs = 1_000;

/**
 * Works for an installation and all its teams: those that have runs share the places of this process alike, so that a
 * team with many items keeps no other waiting.
 */
export async function workForTeams(options: TeamsOptions): Promise<FleetWorker> {
  const { ledger, own, concurrency, signal, onLine = () => undefined } = options;
  const { teams } = ledger;
  const members = new Map<string | null, Member>();
  /** Those that end what they have in hand, with fewer places or none to come. */
  const leaving = new Set<Member>();
  const past = { judged: 0, failed: 0 };
  /** What ends the installation's own ends this process; a team that is gone, or away, is tried again. */
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const installation: TeamAtWork = { ledger, own, release: async () => undefined };
  await divide(await findBusy());
  return { status, ended: work() };

  async function findBusy(): Promise<ReadonlySet<string | null>> {
    return new Set(await teams.listBusyTeams());
  }

  async function work(): Promise<void> {
    const stopping = AbortSignal.any([options.drain, signal]);
    while (!stopping.aborted) {
      await Promise.race([pause(lookMs, undefined, { signal: stopping }).catch(() => undefined), failure.promise]);
      if (stopping.aborted) break;
      try {
        const busy = await findBusy();
        if (options.untilIdle && busy.size === 0) break;
        await divide(busy);
      } catch (error) {
        onLine((error as Error).message);
      }
    }
    for (const { drain } of members.values()) drain.abort();
    await Promise.allSettled([...members.values(), ...leaving].map(({ ended }) => ended));
    await members.get(null)?.ended;
  }

  /** Gives each that has something to do its part of the places. */
  async function divide(busy: ReadonlySet<string | null>): Promise<void> {
    const part = Math.max(1, Math.floor(concurrency / Math.max(1, busy.size)));
    // With nothing to do it keeps one place, and says that this process lives.
    const places = new Map([...busy].map((team) => [team, part]));
    if (!busy.has(null)) places.set(null, busy.size === 0 ? concurrency : 1);
    for (const [team, member] of members) if (places.get(team) !== member.places) letGo(team, member);
    for (const [team, count] of places) if (!members.has(team)) members.set(team, await begin(team, count));
  }

  async function begin(team: string | null, places: number): Promise<Member> {
    const { release, ...given } = team === null ? installation : await options.openTeam(team);
    const drain = new AbortController();
    const worker = await workForFleet({
      ...options,
      ...given,
      concurrency: places,
      drain: AbortSignal.any([options.drain, drain.signal]),
      untilIdle: false,
      onLine: team === null ? onLine : (line) => onLine(`${team}: ${line}`),
    });
    const member: Member = { places, worker, drain, ended: endAndRelease(worker, release) };
    member.ended.catch((error: unknown) => {
      if (team === null) failure.reject(error);
      else if (members.get(team) === member) letGo(team, member);
    });
    return member;
  }

  function letGo(team: string | null, member: Member): void {
    members.delete(team);
    leaving.add(member);
    member.drain.abort();
    void member.ended
      .catch((error: unknown) => onLine((error as Error).message))
      .then(() => {
        const { judged, failed } = member.worker.status();
        past.judged += judged;
        past.failed += failed;
        leaving.delete(member);
      });
  }

  function status(): WorkerStatus {
    const all = [...members.values(), ...leaving].map(({ worker }) => worker.status());
    const sum = (of: (one: WorkerStatus) => number) => all.reduce((total, one) => total + of(one), 0);
    return {
      worker: members.get(null)?.worker.status().worker ?? '',
      state: options.drain.aborted ? 'draining' : 'working',
      running: sum(({ running }) => running),
      judged: past.judged + sum(({ judged }) => judged),
      failed: past.failed + sum(({ failed }) => failed),
      heardAt: Math.min(...all.map(({ heardAt }) => heardAt)),
      refused: Object.assign({}, ...all.map(({ refused }) => refused)) as WorkerStatus['refused'],
    };
  }
}

async function endAndRelease(worker: FleetWorker, release: () => Promise<void>): Promise<void> {
  try {
    await worker.ended;
  } finally {
    await release();
  }
}

/** The ledger of a team whose claims on models are made with those of all others, where limits are shared. */
export function shareLimits(team: Ledger, { fleet: all }: Pick<Ledger, 'fleet'>): Ledger {
  if (!team.fleet || !all) return team;
  const { claimShare } = all;
  return replaceParts(team, { fleet: () => ({ ...team.fleet!, claimShare }) });
}
