import { AgonError } from '../../errors.ts';
import { pageItems, showBenchReport, showBenchRow } from '../benches/bench-report.ts';
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

  async 'benches.items'({ params, query }, { benches, ledger }) {
    const { readTurns } = await import('../../bench/index.ts');
    const { id, sets } = await benches.readBench(await benches.findBench(params.id));
    const set = sets[params.set];
    if (!set)
      throw new AgonError(
        'unknown-set',
        `Bench ${params.id} has no set ${params.set} with figures.`,
        sets.length === 0 ? 'It has none yet.' : `They are numbered from 0 to ${sets.length - 1}.`,
      );
    const { result, stored } = set;
    const { page, next, total } = pageItems(set, query);
    const turns = await readTurns(
      ledger,
      id,
      page.flatMap((place) => stored.systems.map(({ repeats }) => repeats[0]![place]!)),
    );
    return {
      rows: page.map((place, row) => {
        const { line, id: name, gold, category, excerpt } = result.items[place]!;
        const outcomes = result.systems.map((system, column) => {
          const { said, score, rule, problem } = system.repeats[0]![place]!;
          return {
            system: system.name,
            said,
            score,
            right: gold === null ? null : said === gold,
            rule,
            problem,
            turns: turns[row * result.systems.length + column]!,
          };
        });
        return { position: place, line, id: name, gold, category, excerpt, outcomes };
      }),
      next,
      total,
      categories: [...new Set(result.items.flatMap(({ category }) => category ?? []))].toSorted(),
    };
  },
};
