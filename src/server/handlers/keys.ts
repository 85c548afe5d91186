import { shownKey } from '../auth/shown-key.ts';
import type { GroupOf, Handlers } from '../handler.ts';

/** The keys of the server. Only whoever may do everything comes here, so that nobody grants what they lack. */
export const keyHandlers: Handlers<GroupOf<'keys'>> = {
  'keys.list': async (_, { keys }) => ({ rows: (await keys.list()).map(shownKey) }),

  async 'keys.create'({ body: { expiresAt, ...asked } }, { keys }) {
    const { row, key } = await keys.create({
      ...asked,
      ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
    });
    return { ...shownKey(row), key };
  },

  'keys.revoke': async ({ params: { id } }, { keys }) => shownKey(await keys.revoke(id)),
};
