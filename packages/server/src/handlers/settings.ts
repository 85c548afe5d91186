import { AgonError } from '@agonhq/engine/agon-error';
import type { GroupOf, Handlers } from '../handler.ts';
import { describeServer, showTrouble } from '../settings/describe-server.ts';

/** What the server runs with, and whether its models answer. */
export const settingsHandlers: Handlers<GroupOf<'settings'> | GroupOf<'models'>> = {
  'settings.get': (_, context) => describeServer(context),

  async 'models.try'({ body: { model }, signal }, { modelTrials }) {
    const began = performance.now();
    try {
      return { model, ok: true, milliseconds: Math.round(await modelTrials.tryModel(model, signal)), problem: null };
    } catch (error) {
      if (!AgonError.is(error) || error.code === 'unnamed-model') throw error;
      return { model, ok: false, milliseconds: Math.round(performance.now() - began), problem: showTrouble(error) };
    }
  },
};
