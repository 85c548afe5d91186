import { type Ledger, type TeamRow, isTeamName, teamExists, unknownTeam } from '@agonhq/ledger';
import { shareLimits } from '@agonhq/core/runs';
import { applyTeam } from '@agonhq/core/teams';
import { sendProblem, toProblem } from '../http/problem.ts';
import { type Metrics, openMetrics } from '../metrics.ts';
import { type Service, type ServiceOptions, openService } from '../open-service.ts';
import { openTeamServices } from './team-services.ts';
import { looksLikeOurs, readKey } from '../auth/key-text.ts';
import { readPresentedKey } from '../auth/principal.ts';
import { readSessionCookie, readSessionTeam } from '../auth/sessions.ts';
import { randomUUID } from 'node:crypto';
import { type CallControl, type Limiter, createLimiter, createSharedLimiter } from '@agonhq/models/reasoners';
import type { Settings } from '@agonhq/core/settings';

export interface InstallationOptions extends Omit<ServiceOptions, 'team' | 'metrics' | 'teams' | 'queued' | 'control'> {
  /** Opens the ledger of a team; absent where the installation has none. Whoever asked for it closes it. */
  openTeamLedger?: ((team: string) => Promise<Ledger>) | undefined;
}

/** The installation's own service, and those of its teams: who asks is answered by theirs, and by no other. */
export interface Installation extends Pick<Service, 'resumeUnfinished' | 'stop' | 'close'> {
  answer(request: Request, env?: object): Response | Promise<Response>;
  whenIdle(signal: AbortSignal): Promise<void>;
  /** Does what is due, in every team. */
  tidy(): Promise<void>;
  closeIdle(): Promise<void>;
}

const defaults = { open: 50, idleMinutes: 30 };

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { openTeamLedger, ...common } = options;
  const { ledger, settings, environment, log } = common;
  const metrics = new Map<string, Metrics>();
  const control = createLimiterShare(ledger, settings);
  const teams = openTeamServices({
    ledger,
    mostOpen: settings.teams?.open ?? defaults.open,
    idleMs: (settings.teams?.idleMinutes ?? defaults.idleMinutes) * 60_000,
    log,
    open: openTeam,
  });
  const own = await openService({
    ...common,
    team: null,
    control,
    metrics: openMetrics(),
    queued: countQueued(ledger),
    teams: openTeamLedger && {
      async addTeam(name, its) {
        if (!(await ledger.teams.addTeam(name, its))) throw teamExists(name);
        return (await teams.find(name))!.context;
      },
      findTeam: async (name) => (await teams.find(name))?.context ?? null,
      listTeams: () => teams.listOpen().map(({ context }) => context),
    },
  });

  /** What a team counted stays counted while the server runs, also where it was closed in between. */
  function metricsOf(name: string): Metrics {
    const held = metrics.get(name) ?? openMetrics(undefined, name);
    metrics.set(name, held);
    return held;
  }

  async function openTeam(team: TeamRow) {
    const opened = await openTeamLedger!(team.name);
    // A limit is that of an account with a provider, whoever asks; unless teams have accounts of their own.
    const isApart = settings.teams?.limits === 'apart';
    const ofTeam = isApart ? opened : shareLimits(opened, ledger);
    const merged = applyTeam(common.jobs, settings, team);
    const apart = isApart ? createLimiterShare(opened, merged) : null;
    const release = () => {
      apart?.close();
      return opened.close();
    };
    try {
      const service = await openService({
        ...common,
        team: team.name,
        settings: merged,
        ledger: ofTeam,
        // Nothing may find its way to the ledger of the installation, or be let in by its key.
        environment: { ...environment, AGON_API_KEY: undefined, AGON_DATABASE_URL: undefined, AGON_LEDGER: undefined },
        log: (line) => log({ ...line, team: team.name }),
        control: apart ?? control,
        metrics: metricsOf(team.name),
      });
      return { service, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** The header opens nothing where a key is needed, and tells nobody there which teams there are. */
  function findAsked(request: Request): ReturnType<typeof findTeamOf> {
    const asked = openTeamLedger ? findTeamOf(request) : null;
    return asked?.by === 'header' && own.needsKey(request) ? null : asked;
  }

  async function answerForTeam(
    { team, by }: NonNullable<ReturnType<typeof findTeamOf>>,
    request: Request,
    env: object | undefined,
  ): Promise<Response> {
    try {
      const answered = await teams.use(team, async (service) => service.answer(request, env));
      if (answered) return answered;
      // A key or a session of a team that there is not is as wrong as any other.
      if (by !== 'header') return await own.answer(request, env);
      throw unknownTeam(team);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status >= 500) log({ level: 'error', event: 'failure', team, code: problem.code });
      return sendProblem(problem, request, () => 1);
    }
  }

  return {
    answer(request, env) {
      const asked = findAsked(request);
      return asked ? answerForTeam(asked, request, env) : own.answer(request, env);
    },
    async resumeUnfinished() {
      await own.resumeUnfinished();
      if (openTeamLedger) void teams.visitAll();
    },
    async whenIdle(signal) {
      await Promise.all([own, ...teams.listOpen()].map((service) => service.whenIdle(signal)));
    },
    async tidy() {
      await own.tidy();
      if (openTeamLedger) await teams.visitAll();
    },
    closeIdle: () => teams.closeIdle(),
    async stop() {
      await own.stop();
      await Promise.all(teams.listOpen().map((service) => service.stop()));
    },
    async close() {
      await teams.close();
      await own.close();
      control.close();
    },
  };
}

/** Whoever scrapes more often than this is told the same again: counting reads an index. */
const freshMs = 5_000;

/** Items of runs that wait, by team; null is the installation's own. */
function countQueued({ teams }: Pick<Ledger, 'teams'>): () => Promise<ReadonlyMap<string | null, number>> {
  let counted: Promise<ReadonlyMap<string | null, number>> = Promise.resolve(new Map());
  let countedAt = -Infinity;
  return () => {
    if (performance.now() - countedAt > freshMs) {
      countedAt = performance.now();
      const before = counted;
      counted = teams.countQueuedItems().catch(() => before);
    }
    return counted;
  };
}

/** The header by which somebody without a key says for which team they ask: on this machine, where no key is needed. */
const teamHeader = 'agon-team';

/**
 * Whose request it is, as its key says, or else its session, or else the header. It only chooses who is asked: whether
 * the key is right is for the team to say. Null for the installation's own.
 */
function findTeamOf({ headers }: Request): { team: string; by: 'key' | 'session' | 'header' } | null {
  const key = readPresentedKey(headers);
  if (key !== null && looksLikeOurs(key)) return choose('key', readKey(key)?.team ?? null);
  const token = key === null ? readSessionCookie(headers) : null;
  if (token !== null) return choose('session', readSessionTeam(token));
  return choose('header', headers.get(teamHeader));
}

function choose<By extends 'key' | 'session' | 'header'>(by: By, team: string | null): { team: string; by: By } | null {
  return team === null || (by !== 'header' && !isTeamName(team)) ? null : { team, by };
}

interface LimiterShare extends CallControl {
  limiter: NonNullable<CallControl['limiter']>;
  /** Claims no more; who waits is refused. */
  close(): void;
}

/**
 * Limiters that everybody shares who calls a model: in this process, and with servers and workers that have the same
 * ledger where somebody set a limit, since that is one of an account with a provider. The calls at once that are set by
 * default are those of each server. The limits are those of whoever called first.
 */
function createLimiterShare({ fleet }: Pick<Ledger, 'fleet'>, settings: Settings): LimiterShare {
  const server = `server-${randomUUID()}`;
  const limiters = new Map<string, Limiter>();
  const closers: (() => void)[] = [];
  const isSet = (model: string) =>
    [settings.defaults, settings.models?.[model]].some((each) => each?.concurrency !== undefined);

  const open: LimiterShare['limiter'] = (model, limits) => {
    const { requestsPerMinute, tokensPerMinute } = limits;
    if (!fleet || !(isSet(model) || (requestsPerMinute ?? tokensPerMinute) !== undefined)) return createLimiter(limits);
    const worker = `${server}/requests`;
    const shared = createSharedLimiter(model, limits, (ask) => fleet.claimShare({ worker, model, limits, ...ask }));
    closers.push(() => shared.close());
    return shared;
  };

  return {
    limiter(model, limits) {
      const limiter = limiters.get(model) ?? open(model, limits);
      limiters.set(model, limiter);
      return limiter;
    },
    close() {
      for (const close of closers) close();
    },
  };
}
