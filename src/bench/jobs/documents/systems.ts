import { createAgon } from '../../../app/index.ts';
import type { Usage } from '../../../debate/index.ts';
import { documentsJob, type DocumentMethod } from '../../../jobs/documents/index.ts';
import { AgonError } from '../../../errors.ts';
import { assertAffordable } from '../../../runs/index.ts';
import { mergeSettings, type Settings } from '../../../settings/index.ts';
import { analyzeClaimsWith } from './analyze-claims.ts';
import type { ClaimSystem } from './run-claims.ts';
import type { SystemKind } from '../../result.ts';
import {
  withRepeatCache,
  openSystems,
  type OpenSystemsOptions,
  type OpenSystems,
  type OpenedSystem,
} from '../../systems/open-systems.ts';
import { toSystemEntry, reseatSettings, type SystemEntry, withoutLedger } from '../../systems/system-entry.ts';
import { openPredictedClaims } from '../../systems/external-contenders.ts';

/** A system for claims that is ready to judge, until it is closed. */
export interface OpenClaimSystem extends ClaimSystem {
  spent(): Usage;
  close(): Promise<void>;
}

const methods: Record<string, { method: DocumentMethod; kind: SystemKind }> = {
  full: { method: 'debate', kind: 'debate' },
  debate: { method: 'debate', kind: 'debate' },
  embedded: { method: 'debate', kind: 'debate' },
  single: { method: 'single', kind: 'baseline' },
  'zero-shot': { method: 'zero-shot', kind: 'baseline' },
  vote: { method: 'vote', kind: 'baseline' },
  control: { method: 'control', kind: 'control' },
};
export const claimSystemNames = [
  ...Object.keys(methods),
  'all-arbiter',
  'all-debaters',
  'all:provider:model',
  'seat:NAME=provider:model',
  'predictions:NAME=FILE',
];

/**
 * The systems of a bench of documents in their order; without names the debate, called `embedded` when no seat is an
 * LLM's.
 */
export async function openClaimSystems(
  given: readonly (string | SystemEntry)[] | undefined,
  settings: Settings,
  options: OpenSystemsOptions,
): Promise<OpenSystems<OpenClaimSystem>> {
  const entries = (given ?? ['full']).map(toSystemEntry);
  return openSystems(entries, {
    settings,
    unnamed: given === undefined,
    options,
    open: (entry) => openContender(entry, mergeSettings(settings, entry.settings ?? {}), options),
  });
}

async function openContender(
  entry: SystemEntry,
  settings: Settings,
  { repeats }: OpenSystemsOptions,
): Promise<OpenedSystem<OpenClaimSystem>> {
  const { name, system } = entry;
  if (system.startsWith('predictions:')) return openPredictedClaims(entry);
  const { kind, settings: own } = variationOf(system, settings);
  const opened = await Promise.all(Array.from({ length: repeats }, (_, index) => openRepeat(name, own, index + 1)));
  return { kind, models: opened[0]!.models, rounds: null, repeats: opened.map((one) => one.system) };
}

function variationOf(system: string, settings: Settings): { kind: SystemKind; settings: Settings } {
  if (Object.hasOwn(methods, system)) {
    const { method, kind } = methods[system]!;
    return { kind, settings: mergeSettings(settings, { documents: { method } }) };
  }
  const elsewhere = reseatSettings(system, 'documents', settings);
  if (elsewhere) return { kind: 'debate', settings: elsewhere };
  throw new AgonError(
    'bad-flag',
    `--systems ${system}: there is no such system.`,
    `Systems are ${claimSystemNames.join(', ')}.`,
  );
}

async function openRepeat(
  name: string,
  settings: Settings,
  repeat: number,
): Promise<{ system: OpenClaimSystem; models: string[] }> {
  const agon = await createAgon(withRepeatCache(repeat, withoutLedger(settings)), { jobs: ['documents'] });
  const { configuration, models } = agon.provenanceOf(documentsJob);
  const system: OpenClaimSystem = {
    name,
    configuration,
    examine: analyzeClaimsWith(async (files, options) => {
      const analysis = await agon.analyze(files, options);
      analysis.claims.forEach((answer) => assertAffordable(answer));
      return analysis;
    }),
    spent: () => agon.spent(),
    close: () => agon.close(),
  };
  return { system, models: [...new Set(Object.values(models))] };
}
