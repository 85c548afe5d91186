import { AgonError } from '../../../errors.ts';
import type { Exchange } from '../../../jobs/evaluation/index.ts';
import type { Content } from '../../../jobs/moderation/index.ts';
import { createLlmPool, type LlmPool, type ServiceImage } from '../../../reasoners/index.ts';
import { llmSettingsOf, type Settings } from '../../../settings/index.ts';
import { inspectImage, loadImage } from '../../../tools/index.ts';
import { withoutLedger } from '../system-entry.ts';
import { contentAsText, hasUnseenImages, dialogueOfContent, dialogueOfExchange, type Dialogue } from './dialogue.ts';
import type { ExternalJob, ExternalSystem, Subjects } from './external-system.ts';
import { guardNames, readGuardName, readOptions, guardSystem } from './open-guard.ts';
import { openSafetyPredictions, predictedSystem } from './predictions.ts';
import { contentSafetySystem, moderationEndpointSystem, type Shown } from './service-system.ts';

export interface ExternalSystemOptions<Job extends ExternalJob> {
  job: Job;
  settings: Settings;
  /** Shared with other systems where there is one: its limits and budget are theirs too. */
  pool?: LlmPool;
  /** Puts words in place of images, the same that our own systems read. */
  describe?(content: Content, signal: AbortSignal): Promise<Content>;
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
 * Opens a system of somebody else's by its name. One that has nothing to say in a job is an AgonError
 * (`system-does-not-apply`), and so is a name that nobody has.
 *
 * @example await openExternalSystem('llama-guard:vllm:meta-llama/Llama-Guard-3-8B', { job: 'moderation', settings })
 */
export async function openExternalSystem<Job extends ExternalJob>(
  name: string,
  options: ExternalSystemOptions<Job>,
): Promise<ExternalSystem<Subjects[Job]>> {
  if (name.startsWith('predictions:')) return predictedSystem(await predictionsOf(name));
  const pool = () => options.pool ?? createLlmPool(llmSettingsOf(withoutLedger(options.settings)));
  const service =
    /^(?<family>azure-content-safety|openai-moderation(?::(?<model>[^\s?]+))?)(?:\?(?<options>\S*))?$/.exec(
      name,
    )?.groups;
  if (service) {
    const { images = 'described' } = readOptions(name, { images: ['seen', 'described'] }, service['options'] ?? '');
    const shown = { name, images, show: shownIn(options, images) };
    if (service['family'] === 'azure-content-safety') return contentSafetySystem(pool().contentSafety(), shown);
    return moderationEndpointSystem(pool().moderationEndpoint(`openai:${service['model'] ?? usualModeration}`), shown);
  }
  const { guard, model } = readGuardName(name);
  if (options.job === 'moderation' && guard.needsResponse !== null) {
    throw new AgonError(
      'system-does-not-apply',
      `${name} does not apply to moderation: ${guard.needsResponse}`,
      'Measure it on exchanges: agon bench evaluation.',
    );
  }
  const classifier = pool().classifier(model);
  if (guard.transport === 'completions' && !classifier.wholePrompts) {
    throw new AgonError(
      'bad-flag',
      `${name}: the API of ${model} takes no whole prompts.`,
      'Serve the model over an OpenAI-compatible URL with /v1/completions, or send it as a conversation ' +
        '(?transport=chat).',
    );
  }
  return guardSystem({ name, guard, classifier, observe: observedIn(options) });
}

async function predictionsOf(name: string) {
  const rest = name.slice('predictions:'.length);
  const at = rest.indexOf('=');
  if (at < 1 || at === rest.length - 1)
    throw new AgonError(
      'bad-flag',
      `${name} does not say whose predictions stand in which file.`,
      'Write predictions:NAME=FILE.jsonl.',
    );
  return openSafetyPredictions(rest.slice(at + 1), rest.slice(0, at));
}

/** What those read who read text alone. */
function observedIn<Job extends ExternalJob>({
  job,
  describe,
}: ExternalSystemOptions<Job>): (subject: Subjects[Job], signal: AbortSignal) => Promise<Dialogue> {
  if (job === 'evaluation') return async (subject) => dialogueOfExchange(subject as Exchange);
  return async (subject, signal) => {
    const content = subject as Content;
    return dialogueOfContent(
      contentAsText(describe && hasUnseenImages(content) ? await describe(content, signal) : content),
    );
  };
}

/** What those see who look at images themselves. Of an exchange it is what the model answered that is judged. */
function shownIn<Job extends ExternalJob>(
  options: ExternalSystemOptions<Job>,
  images: string,
): (subject: Subjects[Job], signal: AbortSignal) => Promise<Shown> {
  const observe = observedIn(options);
  if (options.job === 'evaluation' || images === 'described') {
    return async (subject, signal) => {
      const { prompt, response } = await observe(subject, signal);
      return { text: (response ?? prompt) || null, images: [] };
    };
  }
  return async (subject) => {
    const { images: all = [], ...content } = subject as Content;
    const text = contentAsText({ ...content, images: all.filter((image) => 'description' in image) });
    return {
      text: text === '' ? null : text,
      images: await Promise.all(all.flatMap((image) => ('description' in image ? [] : [seen(image)]))),
    };
  };
}

async function seen(image: { file: string } | { data: Uint8Array; name?: string }): Promise<ServiceImage> {
  const bytes = 'file' in image ? await loadImage(image.file) : image.data;
  return (await inspectImage(bytes, 'file' in image ? image.file : (image.name ?? 'image'))).vision;
}
