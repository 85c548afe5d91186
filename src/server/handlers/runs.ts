import type { OwnJobId as Job } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import type { RunItem, RunRow } from '../../ledger/index.ts';
import { diffRuns, exportLines, reportOn, type Flip } from '../../runs/index.ts';
import { assertOpen, type House } from '../server-context.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { inPieces, events, located, media, type SentEvent } from '../reply.ts';
import { qualityIntervals } from '../runs/quality-intervals.ts';
import type { RunMoment } from '../runs/server-runs.ts';
import { runOf } from '../runs/find-run.ts';

/** Many subjects through one configuration. */
export const runHandlers: Handlers<GroupOf<'runs'>> = {
  async 'runs.create'({ body, files }, house) {
    assertOpen(house);
    const run = await house.runs.create({ ...body, files });
    return located(rowOf(run, house), `/api/runs/${encodeURIComponent(run.id)}`);
  },

  async 'runs.list'({ query: { limit, after = null, ...filter } }, house) {
    const { rows, next } = await house.ledger.runs.pageRuns(filter, { limit, after });
    return { rows: rows.map((run) => rowOf(run, house)), next };
  },

  async 'runs.get'({ params }, house) {
    const { counts, plan, cascade, failures, quality, committed, ...run } = await reportOn(
      house.ledger,
      await runOf(params.id, house.ledger),
    );
    const report = {
      ...rowOf(run, house),
      counts: { ...counts, lastEndedAt: counts.lastEndedAt?.toISOString() ?? null },
      plan,
      cascade,
      failures,
      quality: quality && { ...quality, intervals: qualityIntervals(quality) },
      committed,
    };
    return JSON.parse(withoutFolder(JSON.stringify(report), run.id, house)) as object;
  },

  async 'runs.events'({ params, lastEventId }, house) {
    const { id } = await runOf(params.id, house.ledger);
    return events(({ signal }) => progressEvents(house.runs.progress(id, signal), lastEventId, house));
  },

  async 'runs.items'({ params, query: { limit, after, state } }, house) {
    const { id } = await runOf(params.id, house.ledger);
    const page = await house.ledger.runs.listItems(id, {
      order: 'input',
      limit: limit + 1,
      after: after === undefined ? null : { position: positionIn(after) },
      ...(state ? { states: [state] } : {}),
    });
    const rows = page.slice(0, limit);
    return {
      rows: rows.map((item) => itemRow(item, house)),
      next: page.length > limit ? String(rows.at(-1)!.position) : null,
    };
  },

  async 'runs.cancel'({ params }, { runs }) {
    const { run, waiting } = await runs.cancel(params.id);
    return { id: run.id, state: run.state, waiting };
  },

  async 'runs.resume'({ params }, { runs, ledger }) {
    const { id, state } = await runs.resume(params.id);
    return { id, state, waiting: (await ledger.runs.countItems(id)).waiting };
  },

  async 'runs.retry'({ params }, { runs }) {
    const { run, waiting } = await runs.retryFailed(params.id);
    return { id: run.id, state: run.state, waiting };
  },

  async 'runs.export'({ params, query: { format, order, only } }, house) {
    const { id } = await runOf(params.id, house.ledger);
    const lines = exportLines(house.ledger, id, { format, order, ...(only ? { only } : {}) });
    return media(
      inPieces(lines, (piece) => withoutFolder(piece, id, house)),
      format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
      `${id}.${format}`,
    );
  },

  async 'runs.diff'({ params, query, signal }, house) {
    const [before, after] = [await runOf(params.id, house.ledger), await runOf(params.other, house.ledger)];
    const flipped: Flip[] = [];
    const differing = diffRuns(house.ledger, before, after, { limit: query.limit, signal });
    let next = await differing.next();
    for (; !next.done; next = await differing.next()) flipped.push(next.value);
    const { version: _, ...difference } = next.value;
    return { ...difference, flipped };
  },
};

/** A run without its plan and without where its input lies. */
function rowOf(run: Omit<RunRow, 'settings'>, house: House) {
  const { id, name, configuration, state, problem, total, startedAt, endedAt } = run;
  return {
    id,
    name,
    job: run.job as Job,
    configuration,
    state,
    problem: problem && withoutFolder(problem, id, house),
    total,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    live: house.runs.isLive(id),
  };
}

function itemRow(
  { run, position, key, state, expected, sameAs, attempts, result, error, endedAt }: RunItem,
  house: House,
) {
  return {
    position,
    key,
    state,
    expected,
    sameAs,
    attempts,
    result,
    error: error && {
      ...error,
      message: withoutFolder(error.message, run, house),
      hint: withoutFolder(error.hint, run, house),
    },
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** Files are known by their names: where they lie on the server is nobody's business. */
function withoutFolder(text: string, run: string, { runs }: House): string {
  const folder = runs.folderOf(run);
  return text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the upload');
}

function positionIn(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new AgonError(
    'bad-page',
    'There is no such page of items.',
    'Pass what `next` of the page before says, or nothing for the first.',
  );
}

/** Whoever comes back hears where the run stands now, under a number that has not been. */
async function* progressEvents(
  moments: AsyncIterable<RunMoment>,
  lastEventId: string | null,
  house: House,
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
      data: { type, run: id, state, problem: problem && withoutFolder(problem, id, house), ...progress },
    };
  }
}
