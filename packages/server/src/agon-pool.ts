import {
  createAgon,
  type Agon,
  type AgonParts,
  openDocumentReaders,
  openLedgerCache,
  openPrecedents,
  type Precedents,
} from '@agonhq/core/app';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, policyOnRecord, type Policy } from '@agonhq/engine/policy';
import type { Library } from '@agonhq/models/precedents';
import { createLlmPool, type CallControl } from '@agonhq/models/reasoners';
import type { Sensitivity } from '@agonhq/engine/policy/sensitivity';
import { llmSettingsOf, mergeSettings, type Settings } from '@agonhq/core/settings';

/**
 * How something is judged, where a request says it. `guard` is a judge whose model is Agon's own, `embedded` a debate
 * of which every seat is.
 */
export type JudgingMethod = string;

/** Agons, one for each way of judging, that share models, ledger, library and the policy in force. */
export interface AgonPool {
  /** The Agon that judges by a method and at a sensitivity; by default as the settings say. */
  agonFor(job: string, method?: JudgingMethod, sensitivity?: Sensitivity): Promise<Agon>;
  /**
   * An Agon of its own, with settings changed and, where one is given, under another policy; whoever opens it closes
   * it.
   */
  openAgon(job: string, changes: Settings, policy?: Policy, occasion?: AgonParts['occasion']): Promise<Agon>;
  /** The policy in force. */
  activePolicy(): Policy;
  /** Judges by another policy from now on; what is being judged ends under the old one. */
  activatePolicy(policy: Policy): Promise<void>;
  /** The library that debates draw on, with what has changed in the ledger. */
  openLibrary(): Promise<Library>;
  /** Takes in what has changed in the ledger, here or by another server: the policy in force and the precedents. */
  refresh(): Promise<void>;
  /** The ledger was changed: whoever judges next looks at it first. */
  markStale(): void;
  /** What the library is made of, for those who look after it. */
  readonly seeds: Precedents['seeds'];
  /** How models are reached: shared by everything that judges here. */
  readonly pool: NonNullable<AgonParts['pool']>;
  /** How documents are read: in processes of their own. */
  readonly readFiles: NonNullable<AgonParts['readFiles']>;
  close(): Promise<void>;
}

export interface AgonPoolOptions {
  jobs: Jobs;
  settings: Settings;
  ledger: Ledger;
  environment: Record<string, string | undefined>;
  /** What limits calls of models, where it is shared with others. */
  control?: CallControl | undefined;
  /** Told while the vectors of precedents are made. */
  onEmbedding?: AgonParts['onEmbedding'];
}

/** How often it is looked for what other processes did: precedents, and another policy in force. */
const refreshMs = 2_000;

export async function openAgonPool(options: AgonPoolOptions): Promise<AgonPool> {
  const { jobs, settings, ledger, environment, control, onEmbedding } = options;
  const pool = createLlmPool(llmSettingsOf(settings), environment, openLedgerCache(ledger), control);
  const reading = openDocumentReaders();
  let inForce = await loadActivePolicy(settings, ledger);
  let precedents = await precedentsUnder(inForce);
  let agons = new Map<string, Promise<Agon>>();
  let lookedAt = performance.now();
  let looking: Promise<void> | null = null;
  let stale = false;
  let before: Promise<unknown> = Promise.resolve();

  async function precedentsUnder(policy: Policy) {
    const { seeds, library } = await openPrecedents(jobs, { ...settings, ledger: undefined }, environment, {
      ledger,
      policy,
    });
    return { seeds, library: await library({ onProgress: onEmbedding }) };
  }

  async function enact(policy: Policy): Promise<void> {
    precedents = await precedentsUnder(policy);
    inForce = policy;
    agons = new Map();
  }

  /** One after the other, so that nobody goes back to a policy that was in force when they began to look. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = before.then(work, work);
    before = done.catch(() => undefined);
    return done;
  }

  function look(): Promise<void> {
    looking ??= inTurn(async () => {
      lookedAt = performance.now();
      stale = false;
      const activated = settings.policy ? undefined : await ledger.policies.findActivePolicy();
      if (activated && activated.hash !== inForce.hash) await enact(policyOnRecord(activated.document));
      else await precedents.library.refresh();
    }).finally(() => (looking = null));
    return looking;
  }

  /** For somebody who comes after a change: a look that was begun before it may not have seen it. */
  async function lookAnew(): Promise<void> {
    await looking?.catch(() => undefined);
    await look();
  }

  function open(job: string, changes: Settings, policy = inForce, occasion: AgonParts['occasion'] = {}): Promise<Agon> {
    const { policy: _, ...own } = mergeSettings(settings, changes);
    const itemUsd = changes.budget?.itemUsd;
    return createAgon(own, {
      environment,
      jobs,
      only: [job],
      ledger,
      pool: itemUsd === undefined ? pool : pool.withItemBudget(itemUsd),
      policy,
      precedents: precedents.library,
      readFiles: reading.readFiles,
      occasion,
    });
  }

  return {
    async agonFor(job, method, sensitivity) {
      if (stale) await lookAnew();
      else if (performance.now() - lookedAt > refreshMs) await look();
      else await looking;
      const key = `${job} ${method ?? ''} ${sensitivity ?? ''}`;
      let court = agons.get(key);
      if (!court) {
        agons.set(key, (court = open(job, { ...methodSettings(job, method), sensitivity })));
        court.catch(() => agons.delete(key));
      }
      return court;
    },
    openAgon: open,
    activePolicy: () => inForce,
    activatePolicy: (policy) => inTurn(() => enact(policy)),
    async openLibrary() {
      await lookAnew();
      return precedents.library;
    },
    refresh: lookAnew,
    markStale() {
      stale = true;
    },
    get seeds() {
      return precedents.seeds;
    },
    pool,
    readFiles: reading.readFiles,
    async close() {
      await Promise.allSettled([...agons.values()].map(async (court) => (await court).close()));
      await Promise.all([reading.close(), pool.close()]);
    },
  };
}

/** The policy file that is set; else what was activated on this ledger; else the one that ships. */
async function loadActivePolicy(settings: Settings, ledger: Ledger): Promise<Policy> {
  if (settings.policy) return loadPolicy(settings.policy);
  const active = await ledger.policies.findActivePolicy();
  return active ? policyOnRecord(active.document) : defaultPolicy();
}

/** A request's way of judging, as settings. */
export function methodSettings(job: string, method: string | undefined): Settings {
  if (method === undefined) return {};
  if (method === 'embedded') return { seats: embeddedSeats, [job]: { method: 'debate' } };
  if (method === 'guard') return { seats: { judge: 'embedded:guard-2' }, [job]: { method: 'judge' } };
  return { [job]: { method } };
}

const embeddedSeats = Object.fromEntries(
  ['default', 'debaters', 'supporter', 'strict-debater', 'loose-debater', 'arbiter'].map((seat) => [
    seat,
    'embedded:guard-2',
  ]),
);
