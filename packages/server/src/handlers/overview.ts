import type { GroupOf, Handlers } from '../handler.ts';

/** What happened over a time. */
export const overviewHandlers: Handlers<GroupOf<'overview'>> = {
  'overview.get': ({ query }, { overview }) => overview.readOverview(query),
};
