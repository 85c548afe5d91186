import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { createLlmPool, type LlmPool } from '@agonhq/models/reasoners';
import { llmSettingsOf, type Settings } from '@agonhq/core/settings';
import { openRepeats, withRepeatCache } from '../open-systems.ts';
import { withoutLedger, type SystemEntry } from '../system-entry.ts';
import type { MeasuredSystem } from '../system.ts';
import type { ExternalReader, ExternalSystem, ShownExternally } from './external-system.ts';
import { guardNames, guardSystem, readGuardName, readOptions } from './open-guard.ts';
import { openPredictions, predictedSystem, readPredictionsName, safetyPredictions } from './predictions.ts';
import { contentSafetySystem, moderationEndpointSystem } from './service-system.ts';

export interface ExternalSystemOptions<Subject> {
  reader: ExternalReader<Subject>;
  settings: Settings;
  /** Shared with other systems where there is one: its limits and budget are theirs too. */
  pool?: LlmPool;
}

const others = ['azure-content-safety', 'openai-moderation', 'predictions'];
const usualModeration = 'omni-moderation-latest';

export const externalSystems = [
  ...guardNames.map((name) => `${name}:provider:model`),
  'azure-content-safety',
  'openai-moderation[:model]',
  'predictions:NAME=FILE.jsonl',
];

/** Whether a name is meant for a system of somebody else's. */
export function isExternalSystem(name: string): boolean {
  return [...guardNames, ...others].includes(name.split(/[:?]/, 1)[0]!);
}

/**
 * Somebody else's system, ready for every repeat. Each repeat asks it anew; what a file says of an item is the same
 * every time. `fingerprint` is of what describes images to it.
 */
export async function openExternalSystems<Subject>(
  { name, system }: SystemEntry,
  options: ExternalSystemOptions<Subject> & { repeats: number; fingerprint?: string | undefined },
): Promise<MeasuredSystem<ExternalSystem<Subject>>> {
  const { repeats, fingerprint, settings } = options;
  const opened = await openRepeats(system.startsWith('predictions:') ? 1 : repeats, (repeat) =>
    openExternalSystem(system, { ...options, settings: withRepeatCache(repeat, settings) }),
  );
  const called = name === system ? opened[0]!.name : name;
  const { models, notes } = opened[0]!;
  // Who describes images to those who read text changes what they say; what a file says stays.
  const configurationOf = (configuration: string) =>
    models.length > 0 && fingerprint !== undefined ? hashOf([configuration, fingerprint]) : configuration;
  return {
    name: called,
    kind: 'external',
    models,
    of: null,
    rounds: null,
    repeats: opened.map((one) => ({ ...one, name: called, configuration: configurationOf(one.configuration) })),
    ...(notes ? { notesOn: notes } : {}),
  };
}

/**
 * Opens a system of somebody else's by its name. One that has nothing to say in a job is an AgonError
 * (`system-does-not-apply`), and so is a name that nobody has.
 *
 * @example await openExternalSystem('llama-guard:vllm:Llama-Guard-3-8B', { reader: exchangeReader, settings })
 */
export async function openExternalSystem<Subject>(
  name: string,
  { reader, ...options }: ExternalSystemOptions<Subject>,
): Promise<ExternalSystem<Subject>> {
  if (name.startsWith('predictions:')) {
    const { file, called } = readPredictionsName(name);
    return predictedSystem(await openPredictions(file, called, safetyPredictions));
  }
  const pool = () => options.pool ?? createLlmPool(llmSettingsOf(withoutLedger(options.settings)));
  const service =
    /^(?<family>azure-content-safety|openai-moderation(?::(?<model>[^\s?]+))?)(?:\?(?<options>\S*))?$/.exec(
      name,
    )?.groups;
  if (service) {
    const { images = 'described' } = readOptions(name, { images: ['seen', 'described'] }, service['options'] ?? '');
    const shown = { name, images, show: showFrom(reader, images) };
    if (service['family'] === 'azure-content-safety') return contentSafetySystem(pool().contentSafety(), shown);
    return moderationEndpointSystem(pool().moderationEndpoint(`openai:${service['model'] ?? usualModeration}`), shown);
  }
  const { guard, model } = readGuardName(name);
  if (!reader.hasResponse && guard.needsResponse !== null) {
    throw new AgonError(
      'system-does-not-apply',
      `${name} does not apply to ${reader.job}: ${guard.needsResponse}`,
      'Measure it on exchanges: agon bench evaluation.',
    );
  }
  const classifier = pool().classifier(model);
  if (guard.transport === 'completions' && !classifier.wholePrompts) {
    throw badFlag(
      `${name}: the API of ${model} takes no whole prompts.`,
      'Serve the model over an OpenAI-compatible URL with /v1/completions, or send it as a conversation ' +
        '(?transport=chat).',
    );
  }
  return guardSystem({
    name,
    guard,
    classifier,
    observe: (subject, signal) => reader.toDialogue(subject, signal),
  });
}

/** What services are shown that may look at images themselves. */
function showFrom<Subject>(
  reader: ExternalReader<Subject>,
  images: string,
): (subject: Subject, signal: AbortSignal) => Promise<ShownExternally> {
  if (reader.toImages && images === 'seen') return (subject) => reader.toImages!(subject);
  return async (subject, signal) => {
    const { prompt, response } = await reader.toDialogue(subject, signal);
    return { text: (response ?? prompt) || null, images: [] };
  };
}
