import type { GroupOf, Handlers } from '../handler.ts';

/** What happened over a time. */
export const overviewHandlers: Handlers<GroupOf<'overview'>> = {
  'overview.get': ({ query: { since, until, job, offsetMinutes } }, { overview }) =>
    overview.readOverview({
      ...(since ? { since: new Date(since) } : {}),
      ...(until ? { until: new Date(until) } : {}),
      job,
      offsetMinutes,
    }),
};
