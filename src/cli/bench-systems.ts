import { createAgon, openPrecedents } from '../agon.ts';
import type { BenchSystem } from '../bench/index.ts';
import { noUsage, type Usage } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import { removableParts, type Content, type RemovablePart } from '../moderation/index.ts';
import { bareGuard, embeddedModel } from '../reasoners/index.ts';
import type { Settings } from '../settings/index.ts';
import { affordable } from '../runs/index.ts';
import { offTheRecord } from './off-the-record.ts';

/** A system that is ready to judge, until it is closed. */
export interface OpenSystem<Subject> extends BenchSystem<Subject> {
  spent(): Usage;
  close(): Promise<void>;
}

/** What each system leaves out of the debate. */
const withoutPart: Record<string, readonly RemovablePart[]> = {
  full: [],
  embedded: [],
  'without-precedents': ['retrieval'],
  ...Object.fromEntries(removableParts.map((part) => [`without-${part}`, [part]])),
};

/** The systems of `--systems`; without it, the configuration as it is, called `embedded` when no seat is an LLM's. */
export async function openModerationSystems(names: readonly string[] | undefined, settings: Settings, datasets: readonly string[]): Promise<OpenSystem<Content>[]> {
  const unknown = names?.find((name) => name !== 'guard' && !(name in withoutPart));
  if (unknown !== undefined) throw new AgonError('bad-flag', `--systems ${unknown}: there is no such system.`, `Systems are guard, ${Object.keys(withoutPart).join(', ')}.`);
  if (names) return Promise.all([...new Set(names)].map((name) => (name === 'guard' ? Promise.resolve(guardAlone) : openDebate(name, settings, datasets, withoutPart[name]))));
  const whole = await openDebate('full', settings, datasets);
  return [{ ...whole, name: whole.embedded ? 'embedded' : 'full' }];
}

/** The embedded guard's score without a debate: what every debate is held against. */
const guardAlone: OpenSystem<Content> = {
  name: 'guard',
  configuration: `${embeddedModel} alone`,
  judge: async (content) => {
    const { label, probability } = await bareGuard(content);
    return { label, score: probability, probability, usage: { ...noUsage, calls: 1 } };
  },
  spent: () => noUsage,
  close: async () => {},
};

/**
 * The debate of a configuration, less the parts it is asked to do without. It draws on the ledger's precedents but for
 * those of the data it is measured on, and leaves nothing on record.
 */
async function openDebate(name: string, settings: Settings, datasets: readonly string[], without: readonly RemovablePart[] = []): Promise<OpenSystem<Content> & { embedded: boolean }> {
  const kept = settings.ledger ? await openPrecedents(settings) : null;
  const agon = await createAgon(offTheRecord(without.length > 0 ? reduced(settings, without) : settings), { jobs: ['moderation'], ...(kept ? { precedents: await kept.library() } : {}) });
  const { configuration, setup, calibration: curve, models } = agon.provenance();
  return {
    name,
    configuration,
    setup,
    ...(curve ? { calibration: curve } : {}),
    embedded: Object.values(models).every((model) => model.startsWith('embedded:')),
    judge: async (content, signal) => {
      const { verdict, usage } = affordable(await agon.moderate(content, { signal, ...(kept ? { unseen: { datasets } } : {}) }));
      const { calls, inputTokens, outputTokens, cachedTokens, costUsd } = usage;
      return { label: verdict.label, score: verdict.score, probability: verdict.probability, usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd }, verdict };
    },
    spent: () => agon.spent(),
    async close() {
      await agon.close();
      await kept?.close();
    },
  };
}

/** A calibration belongs to the debate it was fitted on, and no longer to a part of it. */
function reduced(settings: Settings, without: readonly RemovablePart[]): Settings {
  const { moderation } = settings;
  return { ...settings, calibration: false, moderation: { ...moderation, without: [...(moderation?.without ?? []), ...without] } };
}
