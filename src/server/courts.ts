import { createAgon, type Agon, type AgonParts, type Job } from '../agon.ts';
import { ledgerCache, openPrecedents, type Precedents } from '../agon.ts';
import type { Ledger } from '../ledger/index.ts';
import { defaultPolicy, loadPolicy, policyOnRecord, type Policy } from '../policy/index.ts';
import type { Library } from '../precedents/index.ts';
import { createLlmPool } from '../reasoners/index.ts';
import { llmSettingsOf, mergeSettings, type Settings } from '../settings/index.ts';

/** How something is judged, where a request says it. `guard` is a judge whose model is Agon's own. */
export type CourtMethod = string;

/** Agons, one for each way of judging, that share models, ledger, library and the policy in force. */
export interface Courts {
  /** The Agon that judges by a method; by default as the settings say. */
  court(job: Job, method?: CourtMethod): Promise<Agon>;
  /** The policy in force. */
  policy(): Policy;
  /** Judges by another policy from now on; what is being judged ends under the old one. */
  enact(policy: Policy): Promise<void>;
  /** The library that debates draw on, with what has changed in the ledger. */
  library(): Promise<Library>;
  /** What the library is made of, for those who look after it. */
  readonly seeds: Precedents['seeds'];
  /** How models are reached: shared by everything that judges here. */
  readonly pool: NonNullable<AgonParts['pool']>;
  close(): Promise<void>;
}

export interface CourtsOptions {
  settings: Settings;
  ledger: Ledger;
  environment: Record<string, string | undefined>;
}

/** How often another process's precedents are looked for. */
const lookMs = 2_000;

export async function openCourts({ settings, ledger, environment }: CourtsOptions): Promise<Courts> {
  const pool = createLlmPool(llmSettingsOf(settings), environment, ledgerCache(ledger));
  let inForce = await policyInForce(settings, ledger);
  let precedents = await precedentsUnder(inForce);
  let courts = new Map<string, Promise<Agon>>();
  let lookedAt = performance.now();

  async function precedentsUnder(policy: Policy) {
    const { seeds, library } = await openPrecedents({ ...settings, ledger: undefined }, environment, { ledger, policy });
    return { seeds, library: await library() };
  }

  async function refreshed(): Promise<Library> {
    if (performance.now() - lookedAt > lookMs) {
      lookedAt = performance.now();
      await precedents.library.refresh();
    }
    return precedents.library;
  }

  function open(job: Job, method: string | undefined): Promise<Agon> {
    const { policy: _, ...own } = mergeSettings(settings, methodSettings(job, method));
    return createAgon(own, { environment, jobs: [job], ledger, pool, policy: inForce, precedents: precedents.library });
  }

  return {
    async court(job, method) {
      await refreshed();
      const key = `${job} ${method ?? ''}`;
      let court = courts.get(key);
      if (!court) {
        courts.set(key, (court = open(job, method)));
        court.catch(() => courts.delete(key));
      }
      return court;
    },
    policy: () => inForce,
    async enact(policy) {
      precedents = await precedentsUnder(policy);
      inForce = policy;
      courts = new Map();
    },
    async library() {
      await precedents.library.refresh();
      return precedents.library;
    },
    get seeds() {
      return precedents.seeds;
    },
    pool,
    async close() {
      await Promise.allSettled([...courts.values()].map(async (court) => (await court).close()));
    },
  };
}

/** The policy file that is set; else what was activated on this ledger; else the one that ships. */
async function policyInForce(settings: Settings, ledger: Ledger): Promise<Policy> {
  if (settings.policy) return loadPolicy(settings.policy);
  const active = await ledger.policies.active();
  return active ? policyOnRecord(active.document) : defaultPolicy();
}

/** A request's way of judging, as settings. */
function methodSettings(job: Job, method: string | undefined): Settings {
  if (method === undefined) return {};
  if (method === 'guard') return { seats: { judge: 'embedded:guard-1' }, [job]: { method: 'judge' } };
  return { [job]: { method } };
}
