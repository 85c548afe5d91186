import { AgonError } from '../../errors.ts';
import { pageItems, renderItemLines, showItem } from '../benches/bench-grid.ts';
import { showBenchReport, showBenchRow } from '../benches/bench-report.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { joinLines, replyWithMedia } from '../reply.ts';
import type { ServerContext } from '../server-context.ts';

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

/**
 * Measurements of systems on labelled data, as they are on record. The bench itself is loaded when somebody asks for
 * one.
 */
export const benchHandlers: Handlers<GroupOf<'benches'>> = {
  async 'benches.list'({ query: { limit, after } }, { ledger }) {
    const { readBenchSummary } = await import('../../bench/index.ts');
    const rows = await ledger.benches
      .listBenches({ limit: limit + 1, ...(after === undefined ? {} : { before: after }) })
      .catch((error: unknown) => {
        if (AgonError.is(error) && error.code === 'unknown-bench')
          throw new AgonError(
            'bad-page',
            '`after` names no page of benches.',
            'Pass what `next` of the page before says, or nothing for the first.',
          );
        throw error;
      });
    const page = rows.slice(0, limit);
    return {
      rows: page.map((row) => showBenchRow(row, readBenchSummary(row))),
      next: rows.length > limit ? page.at(-1)!.id : null,
    };
  },

  async 'benches.get'({ params }, { benches }) {
    const { readBenchSummary } = await import('../../bench/index.ts');
    const row = await benches.findBench(params.id);
    return showBenchReport(row, readBenchSummary(row), await benches.readBench(row));
  },

  async 'benches.items'({ params, query: { turns: wantsTurns, ...query } }, context) {
    const { readTurns } = await import('../../bench/index.ts');
    const { id, set } = await findSet(params, context);
    const { page, next, total } = pageItems(set, query);
    const outcomes = page.flatMap((place) => set.stored.systems.map(({ repeats }) => repeats[0]![place]!));
    const turns = wantsTurns ? await readTurns(context.ledger, id, outcomes) : [];
    const { systems, items } = set.result;
    return {
      rows: page.map((place, row) => {
        const item = showItem(set, place);
        return {
          ...item,
          outcomes: item.outcomes.map((outcome, column) => ({
            ...outcome,
            turns: turns[row * systems.length + column] ?? [],
          })),
        };
      }),
      next,
      total,
      categories: [...new Set(items.flatMap(({ category }) => category ?? []))].toSorted(),
    };
  },

  async 'benches.exportItems'({ params, query }, context) {
    const { id, set } = await findSet(params, context);
    return replyWithMedia(
      joinLines(renderItemLines(set, query)),
      query.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
      `${id.slice(0, 12)}-${params.set}-items.${query.format}`,
    );
  },
};

async function findSet(params: { id: string; set: number }, { benches }: ServerContext) {
  const { id, sets } = await benches.readBench(await benches.findBench(params.id));
  const set = sets[params.set];
  if (set) return { id, set };
  throw new AgonError(
    'unknown-set',
    `Bench ${params.id} has no set ${params.set} with figures.`,
    sets.length === 0 ? 'It has none yet.' : `They are numbered from 0 to ${sets.length - 1}.`,
  );
}
