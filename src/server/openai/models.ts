import { AgonError } from '../../errors.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import type { CourtMethod } from '../agon-pool.ts';

/** A way of judging that is asked for as OpenAI's SDKs ask for a model. */
export interface ModerationModel {
  id: 'agon-guard' | 'agon-debate';
  /** By which court a content is judged; nothing for the one that the settings say. */
  methodFor(content: Content): CourtMethod | undefined;
}

/**
 * The guard alone reads one message; a debate of the same model also weighs what is written in images beside a text.
 */
const guard: ModerationModel = {
  id: 'agon-guard',
  methodFor: ({ images = [] }) => (images.length === 0 ? 'guard' : 'embedded'),
};
const debate: ModerationModel = { id: 'agon-debate', methodFor: () => undefined };

/** What clients of OpenAI name when they are not told otherwise. */
const openAiNames = [
  'omni-moderation-latest',
  'omni-moderation-2024-09-26',
  'text-moderation-latest',
  'text-moderation-stable',
  'text-moderation-007',
];

export const moderationModels: readonly ModerationModel[] = [guard, debate];

const byName = new Map<string, ModerationModel>([
  ...moderationModels.map((model) => [model.id, model] as const),
  ...openAiNames.map((name) => [name, guard] as const),
]);

/** The model of a name, ours or OpenAI's; the guard where none is named. */
export function moderationModel(name: string = guard.id): ModerationModel {
  const model = byName.get(name);
  if (!model)
    throw new AgonError(
      'unknown-moderation-model',
      `There is no moderation model ${JSON.stringify(name)}.`,
      `Use ${moderationModels.map(({ id }) => id).join(' or ')}; OpenAI’s own names, omni-moderation-latest among ` +
        `them, stand for ${guard.id}.`,
    );
  return model;
}

/** When the first of them was made, in seconds: OpenAI's list says it of every model. */
const created = Date.UTC(2026, 0, 1) / 1000;

/** A model as OpenAI lists it. */
export function listedModel({ id }: ModerationModel) {
  return { id, object: 'model' as const, created, owned_by: 'agon' };
}
