import type { Jobs } from '@agonhq/judges/job';
import type { Usage } from '@agonhq/engine/debate';
import type { LearnOptions } from '../learning/index.ts';
import type { Ledger } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, type Policy } from '@agonhq/engine/policy';
import {
  openLibrary,
  seedPrecedents,
  type Embedder,
  type KeptPrecedent,
  type Library,
} from '@agonhq/models/precedents';
import { createEmbeddedReasoner, createLlmPool, embeddedModel } from '@agonhq/models/reasoners';
import {
  installationSecret,
  llmSettingsOf,
  mergeSettings,
  readSettings,
  requiredModelOf,
  seatsFor,
  settingsFromEnvironment,
  type Settings,
} from '../settings/index.ts';
import { listClauseExamples, locateLibrary, openEmbedder, type AgonParts } from '../kits/index.ts';

/** Who learns, as configured, and what it takes to make precedents of what it says. */
export interface Curator extends Pick<LearnOptions, 'jobs' | 'curator' | 'secret' | 'seeds'> {
  /** The policy that is in force. */
  policy: Policy;
  embedder: Embedder;
  /** What its calls cost so far. */
  spent(): Usage;
}

/** What learning needs of an installation. */
export type Learning = Curator & Pick<LearnOptions, 'ledger' | 'library'>;

type Environment = Record<string, string | undefined>;

/** What whoever learns may hand in; otherwise it is as the settings say. */
export interface CuratorParts extends Pick<AgonParts, 'policy' | 'pool'> {
  /** The decided cases that ship with Agon, under that policy. */
  seeds?: readonly KeptPrecedent[];
}

/** Puts together what learns from the cases of a ledger. */
export async function openLearning(
  jobs: Jobs,
  settings: Settings,
  ledger: Ledger,
  environment: Environment = process.env,
  parts: CuratorParts & { library?: Library } = {},
): Promise<Learning> {
  const curator = await openCurator(jobs, settings, environment, parts);
  return {
    ...curator,
    ledger,
    library:
      parts.library ?? (await openLibrary({ ...locateLibrary(curator.seeds, ledger), embedder: curator.embedder })),
  };
}

/** The curator without a ledger, for experiments. */
export async function openCurator(
  jobs: Jobs,
  given: Settings,
  environment: Environment = process.env,
  parts: CuratorParts = {},
): Promise<Curator> {
  const settings = mergeSettings(settingsFromEnvironment(jobs, environment), readSettings(jobs, given, 'settings'));
  const pool =
    parts.pool ??
    createLlmPool(
      { ...llmSettingsOf(settings), cache: settings.cache === 'ledger' ? false : settings.cache },
      environment,
    );
  const model = requiredModelOf(null, 'curator', seatsFor(jobs.requireLearning(), settings, environment));
  const free = model === embeddedModel;
  if (!free) pool.check([model]);
  const policy = parts.policy ?? (settings.policy ? await loadPolicy(settings.policy) : await defaultPolicy());
  const seeds = parts.seeds ?? (await seedPrecedents(policy));
  const embeddedUnder = onePerPolicy((under) => createEmbeddedReasoner(under, listClauseExamples(seeds)));
  return {
    jobs,
    curator: { model, free, under: (under) => (free ? embeddedUnder(under) : pool.forItem()(model)) },
    secret: await installationSecret(environment),
    policy,
    seeds,
    embedder: openEmbedder(settings, environment),
    spent: () => pool.spent(),
  };
}

function onePerPolicy<Value>(make: (policy: Policy) => Value): (policy: Policy) => Value {
  const made = new Map<string, Value>();
  return (policy) => {
    const known = made.get(policy.hash) ?? make(policy);
    made.set(policy.hash, known);
    return known;
  };
}
