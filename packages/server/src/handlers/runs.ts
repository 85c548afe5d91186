import { AgonError } from '@agonhq/engine/agon-error';
import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import type { GridItem, RunRow } from '@agonhq/ledger';
import {
  diffRuns,
  makeGridRecord,
  renderExportLines,
  renderGridLines,
  reportRun,
  type Flip,
  type Quality,
} from '@agonhq/core/runs';
import { assertNotDraining, type ServerContext } from '../server-context.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { replyWithEvents, replyWithLines, replyWithLocation, type SentEvent } from '../reply.ts';
import { findPolicy } from '../policies/policy-work.ts';
import { findRunById, type RunMoment } from '../runs/read-run.ts';
import type { RunOrder } from '../runs/server-runs.ts';
import { wilsonInterval, type Interval } from '@agonhq/engine/statistics';

/** Many subjects through one configuration. */
export const runHandlers: Handlers<Exclude<GroupOf<'runs'>, 'runs.bundle'>> = {
  async 'runs.create'({ body, files, once }, context) {
    assertNotDraining(context);
    const order = await readRunOrder({ ...body, files }, context);
    const run = await context.runs.create(order, once);
    return replyWithLocation(showRun(run, context), `/api/runs/${run.id}`);
  },

  async 'runs.estimate'({ body, files, signal }, context) {
    return context.runs.estimate(await readRunOrder({ ...body, files }, context), signal);
  },

  async 'runs.list'({ query: { limit, after = null, ...filter } }, context) {
    const { rows, next } = await context.ledger.runs.pageRuns(filter, { limit, after });
    return { rows: rows.map((run) => showRun(run, context)), next };
  },

  async 'runs.get'({ params }, context) {
    const { counts, plan, cascade, failures, quality, committed, ...run } = await reportRun(
      context.ledger,
      await findRunById(params.id, context.ledger),
    );
    const report = {
      ...showRun(run, context),
      counts,
      plan,
      cascade,
      failures,
      quality: quality && { ...quality, intervals: computeQualityIntervals(quality) },
      committed,
    };
    return JSON.parse(hideFolder(JSON.stringify(report), run.id, context)) as object;
  },

  async 'runs.events'({ params, lastEventId }, context) {
    const { id } = await findRunById(params.id, context.ledger);
    return replyWithEvents(({ signal }) => progressEvents(context.runs.progress(id, signal), lastEventId, context));
  },

  async 'runs.items'({ params, query: { limit, after, ...query } }, context) {
    const grid = await readGridQuery(params.id, query, context);
    const { rows, ...page } = await context.ledger.runs.pageItems(grid.run.id, grid.filter, {
      ...grid.options,
      limit,
      after: after ?? null,
      count: after === undefined,
    });
    return { rows: rows.map((item) => showItem(item, context)), ...page };
  },

  async 'runs.exportItems'({ params, query: { format, ...query } }, context) {
    const { run, beside, filter, options } = await readGridQuery(params.id, query, context);
    const lines = renderGridLines(context.ledger, { run, beside, filter, options, format });
    return replyWithLines(lines, format, `${run.id}-items`, (piece) => hideFolder(piece, run.id, context));
  },

  async 'runs.cancel'({ params }, { runs }) {
    const { run, waiting } = await runs.cancel(params.id);
    return { id: run.id, state: run.state, waiting };
  },

  async 'runs.resume'({ params }, context) {
    assertNotDraining(context);
    const { id, state } = await context.runs.resume(params.id);
    return { id, state, waiting: (await context.ledger.runs.countItems(id)).waiting };
  },

  async 'runs.retry'({ params }, context) {
    assertNotDraining(context);
    const { run, waiting } = await context.runs.retryFailed(params.id);
    return { id: run.id, state: run.state, waiting };
  },

  async 'runs.export'({ params, query: { format, order, only } }, context) {
    const { id } = await findRunById(params.id, context.ledger);
    const lines = renderExportLines(context.ledger, id, { format, order, ...(only ? { only } : {}) });
    return replyWithLines(lines, format, id, (piece) => hideFolder(piece, id, context));
  },

  async 'runs.diff'({ params, query, signal }, context) {
    const [before, after] = [
      await findRunById(params.id, context.ledger),
      await findRunById(params.other, context.ledger),
    ];
    const flipped: Flip[] = [];
    const differing = diffRuns(context.ledger, before, after, { limit: query.limit, signal });
    let next = await differing.next();
    for (; !next.done; next = await differing.next()) flipped.push(next.value);
    const { version: _, ...difference } = next.value;
    return { ...difference, flipped };
  },
};

type AskedRun = z.infer<typeof schemas.newRun> & Pick<RunOrder, 'files'>;

async function readRunOrder({ policy, ...order }: AskedRun, context: ServerContext): Promise<RunOrder> {
  return policy === undefined ? order : { ...order, policy: await findPolicy(policy, context) };
}

/** A run without its plan and without where its input lies. */
function showRun(run: Omit<RunRow, 'settings'>, context: ServerContext) {
  const { id, name, configuration, state, problem, total, startedAt, endedAt } = run;
  return {
    id,
    name,
    job: run.job,
    configuration,
    state,
    problem: problem && hideFolder(problem, id, context),
    total,
    startedAt,
    endedAt,
    live: context.runs.isLive(id),
  };
}

/** An item without who worked on it, and without where its files lie. */
function showItem(item: GridItem, context: ServerContext): object {
  return JSON.parse(hideFolder(JSON.stringify(makeGridRecord(item)), item.run, context)) as object;
}

type GridQuery = Omit<z.infer<typeof schemas.gridExportQuery>, 'format'>;

/** What a grid is asked for: which run beside which, what of it, and in which order. */
async function readGridQuery(id: string, query: GridQuery, { ledger }: ServerContext) {
  const { with: others = [], sort, order, ...filter } = query;
  if (others.length === 0 && (filter.changed !== undefined || sort === 'change'))
    throw new AgonError(
      'bad-request',
      'Nothing has changed without another run.',
      'Name one in `with`, or leave `changed` and the order by `change` out.',
    );
  const [run, ...beside] = await Promise.all([id, ...others].map((each) => findRunById(each, ledger)));
  return { run: run!, beside, filter, options: { others, by: sort, descending: order === 'desc' } };
}

/** Files are known by their names: where they lie on the server is nobody's business. */
function hideFolder(text: string, run: string, { runs }: ServerContext): string {
  const folder = runs.folderOf(run);
  return text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the upload');
}

/** Whoever comes back hears where the run stands now, under a number that has not been. */
async function* progressEvents(
  moments: AsyncIterable<RunMoment>,
  lastEventId: string | null,
  context: ServerContext,
): AsyncGenerator<SentEvent, void, void> {
  let number = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  for await (const {
    run: { id, state, problem },
    progress,
    over,
  } of moments) {
    number += 1;
    const type = over ? 'end' : 'progress';
    yield {
      id: String(number),
      type,
      data: { type, run: id, state, problem: problem && hideFolder(problem, id, context), ...progress },
    };
  }
}

/**
 * The 95 % intervals of a run's quality. Accuracy, precision and recall are shares of items. F1 is a function of one
 * that only grows with it: of those found among all that are unsafe or were called so, J, it is 2J / (1 + J).
 */
export function computeQualityIntervals({
  items,
  accuracy,
  confusion,
}: Pick<Quality, 'items' | 'accuracy' | 'confusion'>): Record<
  'accuracy' | 'precision' | 'recall' | 'f1',
  Interval | null
> {
  const cells = Object.entries(confusion).map(([cell, count]) => ({
    truth: cell.split(' as ')[0]!,
    label: cell.split(' as ')[1]!,
    count,
  }));
  const count = (fits: (truth: string, label: string) => boolean) =>
    cells.reduce((sum, cell) => (fits(cell.truth, cell.label) ? sum + cell.count : sum), 0);
  const found = count((truth, label) => truth === 'unsafe' && label === 'unsafe');
  const there = count((truth) => truth === 'unsafe');
  const falseAlarms = count((truth, label) => truth === 'safe' && label !== 'safe');
  const jaccard = wilsonInterval(found, there + falseAlarms);
  return {
    accuracy: wilsonInterval(Math.round(accuracy * items), items),
    precision: wilsonInterval(found, found + falseAlarms),
    recall: wilsonInterval(found, there),
    f1: jaccard && [(2 * jaccard[0]) / (1 + jaccard[0]), (2 * jaccard[1]) / (1 + jaccard[1])],
  };
}
