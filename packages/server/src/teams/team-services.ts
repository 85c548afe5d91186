import type { Ledger, TeamRow } from '@agonhq/ledger';
import { hashOf } from '@agonhq/engine/hash';
import { errorCode, type LogLine } from '../log.ts';
import type { Service } from '../open-service.ts';

/** The services of teams, each opened when somebody first asks for it. */
export interface TeamServices {
  /** What serves a team; null where there is no such team. */
  find(team: string): Promise<Service | null>;
  /** Does something with it that keeps it open; null where there is no such team. */
  use<Result>(team: string, work: (service: Service) => Promise<Result>): Promise<Result | null>;
  /** Those that are open now. */
  listOpen(): Service[];
  /** Opens each team for a moment, so that what is due there is done. */
  visitAll(): Promise<void>;
  /** Closes what nobody has asked for in a while. */
  closeIdle(): Promise<void>;
  /** Ends what is under way in each, and lets go of them. */
  close(): Promise<void>;
}

export interface TeamServicesOptions {
  /** Of the installation: it knows its teams. */
  ledger: Pick<Ledger, 'teams'>;
  /** The service of a team, and what closes its ledger. */
  open(team: TeamRow): Promise<{ service: Service; release(): Promise<void> }>;
  /** Beyond this many, those that were used the longest ago are closed. */
  mostOpen: number;
  idleMs: number;
  log(line: LogLine): void;
  now?: () => number;
}

interface OpenTeam {
  name: string;
  /** Of its settings: with others it is opened anew. */
  settings: string;
  opened: Promise<{ service: Service; release(): Promise<void> }>;
  service: Service | null;
  usedAt: number;
  inUse: number;
}

/** How long a row is believed: what is added, changed or removed elsewhere counts after that. */
const believedMs = 3_000;
/** How long a team whose settings changed may take to end what is being judged. */
const patienceMs = 10_000;

export function openTeamServices(options: TeamServicesOptions): TeamServices {
  const { ledger, mostOpen, idleMs, log, now = Date.now } = options;
  const open = new Map<string, OpenTeam>();
  const rows = new Map<string, { row: Promise<TeamRow | undefined>; until: number }>();
  /** What is done with a team is done one after the other: it is never open twice. */
  const turns = new Map<string, Promise<unknown>>();
  let isClosed = false;

  function rowOf(name: string): Promise<TeamRow | undefined> {
    const held = rows.get(name);
    if (held && now() < held.until) return held.row;
    const row = ledger.teams.findTeam(name);
    // Only what is there is held: whoever guesses names fills no memory, and a new team counts at once.
    rows.set(name, { row, until: now() + believedMs });
    const forget = () => rows.delete(name);
    row.then((found) => found ?? forget(), forget);
    return row;
  }

  function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const done = (turns.get(name) ?? Promise.resolve()).then(work, work);
    const settled: Promise<void> = done
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => void (turns.get(name) === settled && turns.delete(name)));
    turns.set(name, settled);
    return done;
  }

  /** The team as it is on record now, open; null where it is gone. */
  async function enter(name: string): Promise<OpenTeam | null> {
    const row = await rowOf(name);
    const there = open.get(name);
    if (row && there?.service && there.settings === hashOf(row.settings)) return hold(there);
    return inTurn(name, async () => {
      const current = await rowOf(name);
      const old = open.get(name);
      if (current && old && old.settings === hashOf(current.settings)) return hold(old);
      if (old) await leave(old);
      if (!current || isClosed) return null;
      return hold(await begin(current));
    });
  }

  function hold(team: OpenTeam): OpenTeam {
    team.inUse += 1;
    team.usedAt = now();
    return team;
  }

  async function begin(row: TeamRow): Promise<OpenTeam> {
    const team: OpenTeam = {
      name: row.name,
      settings: hashOf(row.settings),
      opened: options.open(row),
      service: null,
      usedAt: now(),
      inUse: 0,
    };
    const { service } = await team.opened;
    team.service = service;
    open.set(row.name, team);
    log({ level: 'info', event: 'team-opened', team: row.name });
    void service
      .resumeUnfinished()
      .catch((error: unknown) => log({ level: 'warn', event: 'team', team: row.name, code: errorCode(error) }));
    void makeRoom();
    return team;
  }

  /** Ends a team here; only ever in its turn. */
  async function leave(team: OpenTeam): Promise<void> {
    open.delete(team.name);
    const { service, release } = await team.opened;
    const { promise: impatient, resolve } = Promise.withResolvers<void>();
    const clock = setTimeout(resolve, patienceMs);
    await Promise.race([service.context.trials.whenIdle(), impatient]);
    clearTimeout(clock);
    await service.stop();
    await service.close();
    await release();
    log({ level: 'info', event: 'team-closed', team: team.name });
  }

  const isIdle = ({ inUse, service }: OpenTeam) =>
    inUse === 0 && service !== null && !service.isBusy() && service.context.metrics.openStreams() === 0;

  function leaveIfIdle(team: OpenTeam): Promise<void> {
    return inTurn(team.name, async () => {
      if (open.get(team.name) === team && isIdle(team)) await leave(team);
    });
  }

  async function makeRoom(): Promise<void> {
    const idle = [...open.values()].filter(isIdle).toSorted((one, other) => one.usedAt - other.usedAt);
    for (const team of idle.slice(0, Math.max(0, open.size - mostOpen))) await leaveIfIdle(team);
  }

  async function use<Result>(name: string, work: (service: Service) => Promise<Result>): Promise<Result | null> {
    const team = await enter(name);
    if (!team) return null;
    try {
      return await work(team.service!);
    } finally {
      team.inUse -= 1;
      team.usedAt = now();
    }
  }

  return {
    use,
    find: (name) => use(name, async (service) => service),
    listOpen: () => [...open.values()].flatMap(({ service }) => service ?? []),
    async visitAll() {
      for (const { name } of await ledger.teams.listTeams()) {
        if (isClosed) return;
        await use(name, (service) => service.tidy()).catch((error: unknown) =>
          log({ level: 'warn', event: 'team', team: name, code: errorCode(error) }),
        );
      }
    },
    async closeIdle() {
      for (const team of open.values()) {
        // What it has spent of its budget is known here alone.
        const hasBudget = Object.keys(team.service?.context.settings.budget ?? {}).some((name) =>
          name.startsWith('run'),
        );
        if (!hasBudget && now() - team.usedAt > idleMs && isIdle(team)) await leaveIfIdle(team);
        else if (!(await rowOf(team.name))) await inTurn(team.name, async () => open.has(team.name) && leave(team));
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(turns.values());
      await Promise.all([...open.values()].map((team) => inTurn(team.name, () => leave(team))));
    },
  };
}

/** What somebody is told who names a team that there is not. */
