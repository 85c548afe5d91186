import { createAgon, type Agon, type AgonParts } from '@agonhq/core/app';
import { describesImage, isObservation, type Answered, type Failed, type Reasoner } from '@agonhq/engine/debate';
import { type Content, moderationJob } from '@agonhq/judges/moderation';
import { createLlmPool, embeddedModel, type LlmPool } from '@agonhq/models/reasoners';
import { llmSettingsOf, modelOf, seatsFor, type Settings } from '@agonhq/core/settings';
import { withoutLedger } from '../../systems/system-entry.ts';

/** What every system of a bench sees of an image: the same words, asked for once. */
export interface SharedDescriptions {
  /** Who describes images; undefined where nobody does. */
  preprocessor?: Reasoner;
  /** The content with words in place of its images, for those who read text alone. */
  describeImages(content: Content, signal: AbortSignal): Promise<Content>;
  close(): Promise<void>;
}

/** The paper's fairness rule: a baseline reads the description that the debate reads. */
export async function openSharedDescriptions(
  settings: Settings,
  parts: Pick<AgonParts, 'pool' | 'environment'> = {},
): Promise<SharedDescriptions> {
  const model =
    settings.moderation?.vision === false
      ? null
      : modelOf(moderationJob, 'preprocessor', seatsFor(moderationJob, settings, parts.environment ?? process.env));
  const described = model !== null && model !== embeddedModel;
  const preprocessor = described
    ? remembering(parts.pool ?? createLlmPool(llmSettingsOf(withoutLedger(settings)), parts.environment), model)
    : undefined;
  let reader: Promise<Agon> | undefined;
  return {
    ...(preprocessor ? { preprocessor } : {}),
    async describeImages(content, signal) {
      if (!content.images?.some((image) => !('description' in image))) return content;
      reader ??= createAgon(
        withoutLedger({
          ...settings,
          calibration: false,
          moderation: { ...settings.moderation, method: 'refusal-match' },
        }),
        { ...parts, only: ['moderation'], ...(preprocessor ? { reasoners: { preprocessor } } : {}) },
      );
      const { sources } = await (await reader).moderate(content, { signal });
      const seen = sources.filter(
        (source) => describesImage(source) || (isObservation(source) && source.tool === 'ocr'),
      );
      return { ...content, images: seen.map(({ text }) => ({ description: text })) };
    },
    close: async () => (await reader)?.close(),
  };
}

/** Says the same of the same image to whoever asks, also while it is still being looked at. */
function remembering(pool: Pick<LlmPool, 'forItem'>, model: string): Reasoner {
  const said = new Map<string, Promise<Answered<unknown> | Failed>>();
  return {
    ...pool.forItem()(model),
    answer: (role, question, options) => {
      const key = (question.caseFile.attachments ?? []).map(({ hash }) => hash).join(' ');
      let answer = said.get(key);
      if (!answer) {
        said.set(key, (answer = pool.forItem()(model).answer(role, question, options)));
        answer.catch(() => said.delete(key));
      }
      return answer as Promise<Failed>;
    },
  };
}
