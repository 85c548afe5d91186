import { noUsage } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import type { Settings } from '../../settings/index.ts';
import type { OpenClaimSystem } from '../jobs/documents/systems.ts';
import { withRepeatCache, type OpenSystemsOptions, type OpenedSystem } from './open-systems.ts';
import type { SystemEntry } from './system-entry.ts';
import { externalSystems, isExternalSystem, openClaimPredictions, openExternalSystem } from './external/index.ts';
import type { ExternalJob, Subjects } from './external/external-system.ts';
import type { SharedDescriptions } from '../jobs/moderation/shared-descriptions.ts';
import type { OpenSystem } from './system.ts';

export const externalNames = externalSystems;
export const isExternal = isExternalSystem;

/** A system of somebody else's. Its repeats ask it anew; what a file says of an item is the same every time. */
export async function openExternalSystems<Job extends ExternalJob>(
  job: Job,
  { name, system }: SystemEntry,
  settings: Settings,
  { repeats, sight }: Pick<OpenSystemsOptions, 'repeats'> & { sight?: SharedDescriptions },
): Promise<OpenedSystem<OpenSystem<Subjects[Job]>>> {
  const open = (repeat: number) =>
    openExternalSystem(system, {
      job,
      settings: withRepeatCache(repeat, settings),
      ...(sight ? { describe: sight.inWords } : {}),
    });
  const opened = await Promise.all(
    Array.from({ length: system.startsWith('predictions:') ? 1 : repeats }, (_, index) => open(index + 1)),
  );
  const called = name === system ? opened[0]!.name : name;
  const { models, notes } = opened[0]!;
  return {
    kind: 'external',
    models,
    rounds: null,
    name: called,
    repeats: opened.map((one) => ({ ...one, name: called, configuration: withSight(one, sight) })),
    ...(notes ? { notesOn: notes } : {}),
  };
}

/** Who describes images to those who read text changes what they say; what a file says stays. */
function withSight(
  { configuration, models }: { configuration: string; models: readonly string[] },
  sight: SharedDescriptions | undefined,
): string {
  return models.length > 0 && sight?.preprocessor
    ? hashOf([configuration, sight.preprocessor.fingerprint])
    : configuration;
}

/** What somebody else said of claims, read from a file. */
export async function openPredictedClaims({ name, system }: SystemEntry): Promise<OpenedSystem<OpenClaimSystem>> {
  const given = /^predictions:(?<called>[^=]+)=(?<file>.+)$/su.exec(system)?.groups;
  if (!given)
    throw new AgonError(
      'bad-flag',
      `${system} does not say whose predictions stand in which file.`,
      'Write predictions:NAME=FILE.jsonl.',
    );
  const called = name === system ? given['called']! : name;
  const predictions = await openClaimPredictions(given['file']!, called);
  const examined: OpenClaimSystem = {
    name: called,
    configuration: predictions.configuration,
    examine: async ({ claims }) =>
      claims.flatMap(({ key, line, item }) => {
        const said = predictions.predict({ line, ...(item.id === undefined ? {} : { id: item.id }) });
        if (!said) return [];
        const { label, score, costUsd, latencyMs } = said;
        return [
          {
            key,
            label,
            score,
            rule: 'prediction',
            cited: null,
            byModel: {},
            turns: [],
            opening: null,
            usage: { ...noUsage, costUsd },
            latencyMs,
          },
        ];
      }),
    spent: () => noUsage,
    close: async () => {},
  };
  return { kind: 'external', models: [], rounds: null, name: called, repeats: [examined], notesOn: predictions.notes };
}
