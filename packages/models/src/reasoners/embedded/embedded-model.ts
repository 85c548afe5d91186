import guardManifest from '../../../../../models/guard-2/guard.json' with { type: 'json' };
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { guardFiles } from './guard.ts';

export const embeddedModel = `embedded:${guardManifest.id}`;

/** Names the files of the models behind it: another guard of the same id has another. */
export const embeddedDigest = hashOf(guardFiles).slice(7, 15);

/** Whether a name stands for an embedded model that this Agon does not have. */
export function isAbsentModel(model: string): boolean {
  return model.startsWith('embedded:') && model !== embeddedModel;
}

/** Refuses an embedded model that is not installed. */
export function assertInstalled(model: string): void {
  if (!isAbsentModel(model)) return;
  throw new AgonError('model-not-installed', `${model} is not installed: this Agon has ${embeddedModel}.`, {
    library: `Name ${embeddedModel} instead.`,
    cli: `Name ${embeddedModel} instead: --model, --seat or seats in agon.config.yaml.`,
    api: `Name ${embeddedModel} instead, in the settings of the server: seats.`,
  });
}
