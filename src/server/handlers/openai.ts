import type { Agon } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import type { CourtMethod } from '../agon-pool.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { heard, moderationTrial } from '../trials/run-trial.ts';
import type { House } from '../server-context.ts';
import { contentsOf, isEmpty, listedModel, moderationModel, moderationModels } from '../openai/read-input.ts';
import { judgeEach } from '../openai/judge-each.ts';
import {
  emptyResult,
  moderationResult,
  unjudgeableResult,
  type ModerationResult,
} from '../openai/moderation-result.ts';
import { scoresOf } from '../openai/category-scores.ts';

/** OpenAI's moderation API. */
export const openAiHandlers: Handlers<GroupOf<'openai'>> = {
  async 'openai.moderate'({ body: { input, model: named }, signal }, house) {
    const model = moderationModel(named);
    const contents = await contentsOf(input, house.outbound, signal);
    // Several are texts, and go to the same court.
    const method = model.methodFor(contents[0]!);
    const agon = await house.courts.court('moderation', method);
    const judge = (content: Content, stop: AbortSignal) => resultFor(content, { agon, method, house, signal: stop });
    const results = await judgeEach(contents, contents.length > 1 ? sparingOthers(judge) : judge, {
      places: house.hearings.places,
      concurrency: house.limits.concurrency,
      signal,
    });
    const { name, version, hash } = agon.policy;
    const id = `modr-${hashOf([model.id, hash, results.map(({ agon: told }, index) => told.case ?? index)]).slice(7, 31)}`;
    return { id, model: named ?? model.id, results, agon: { model: model.id, policy: { name, version, hash } } };
  },

  'openai.models': () => ({ object: 'list', data: moderationModels.map(listedModel) }),

  'openai.model': ({ params: { id } }) => listedModel(moderationModel(id)),
};

interface Judging {
  agon: Agon;
  method: CourtMethod | undefined;
  house: House;
  signal: AbortSignal;
}

async function resultFor(content: Content, { agon, method, house, signal }: Judging): Promise<ModerationResult> {
  if (isEmpty(content)) return emptyResult();
  const answer = await heard(house, moderationTrial(agon, method, content), signal);
  return moderationResult(answer, await scoresOf(answer, agon.policy, house.courts.seeds, signal));
}

/** What is wrong with a text itself, whoever judges it. */
const ofTheText = new Set(['text-too-long', 'ill-formed-text', 'binary-text']);

function sparingOthers(judge: (content: Content, stop: AbortSignal) => Promise<ModerationResult>): typeof judge {
  return async (content, stop) => {
    try {
      return await judge(content, stop);
    } catch (error) {
      if (AgonError.is(error) && ofTheText.has(error.code)) return unjudgeableResult(error);
      throw error;
    }
  };
}
