import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { BenchRow } from '@agonhq/ledger';
import { pageItems, renderItemLines, showItem } from '../benches/bench-grid.ts';
import { showBenchReport, showBenchRow } from '../benches/bench-report.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { findPolicy } from '../policies/policy-work.ts';
import { replyWithLines, replyWithLocation } from '../reply.ts';
import { assertNotDraining, type ServerContext } from '../server-context.ts';

/**
 * Measurements of systems on labelled data, as they are on record. The bench itself is loaded when somebody asks for
 * one.
 */
export const benchHandlers: Handlers<GroupOf<'benches'>> = {
  async 'benches.create'({ body, files, once }, context) {
    assertNotDraining(context);
    const row = await context.benches.create(await readWanted({ ...body, files }, context), once);
    return replyWithLocation(await showRow(row, context), `/api/benches/${encodeURIComponent(row.id)}`);
  },

  async 'benches.estimate'({ body, files, signal }, context) {
    return context.benches.estimate(await readWanted({ ...body, files }, context), signal);
  },

  async 'benches.systems'(_, { jobs }) {
    const { listJobBenches } = await import('@agonhq/bench');
    return {
      jobs: listJobBenches(jobs).map(({ job, defaultSystem, offeredSystems }) => ({
        job,
        usual: defaultSystem,
        systems: offeredSystems.map((system) => ({ ...system, takesModel: system.name.includes('provider:model') })),
      })),
    };
  },

  async 'benches.cancel'({ params }, context) {
    return showRow(await context.benches.cancel(params.id), context);
  },

  async 'benches.resume'({ params }, context) {
    assertNotDraining(context);
    return showRow(await context.benches.resume(params.id), context);
  },

  async 'benches.list'({ query: { limit, after } }, { ledger, benches }) {
    const { readBenchSummary } = await import('@agonhq/bench');
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
      rows: page.map((row) => showBenchRow(row, readBenchSummary(row), benches.isLive(row.id))),
      next: rows.length > limit ? page.at(-1)!.id : null,
    };
  },

  async 'benches.get'({ params }, { benches }) {
    const { readBenchSummary } = await import('@agonhq/bench');
    const row = await benches.findBench(params.id);
    const shown = {
      ...showBenchReport(row, readBenchSummary(row), await benches.readBench(row), benches.isLive(row.id)),
      ...(await benches.describe(row)),
    };
    return JSON.parse(benches.hideFolder(JSON.stringify(shown))) as object;
  },

  async 'benches.items'({ params, query: { turns: wantsTurns, ...query } }, context) {
    const { readTurns } = await import('@agonhq/bench');
    const { id, set } = await findSet(params, context);
    const { page, next, total } = pageItems(set, query);
    const outcomes = page.flatMap((place) => set.stored.systems.map(({ repeats }) => repeats[0]![place]!));
    const turns = wantsTurns ? await readTurns(context.ledger, id, outcomes) : [];
    const { systems, items } = set.result;
    const shown = {
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
    return JSON.parse(context.benches.hideFolder(JSON.stringify(shown))) as object;
  },

  async 'benches.exportItems'({ params, query }, context) {
    const { id, set } = await findSet(params, context);
    const name = `${id.slice(0, 12)}-${params.set}-items`;
    return replyWithLines(renderItemLines(set, query), query.format, name, context.benches.hideFolder);
  },
};

type Asked = z.infer<typeof schemas.newBench> & { files: readonly UploadedFile[] };

async function readWanted({ policy, ...wanted }: Asked, context: ServerContext) {
  return policy === undefined ? wanted : { ...wanted, policy: await findPolicy(policy, context) };
}

async function showRow(row: BenchRow, { benches }: ServerContext) {
  const { readBenchSummary } = await import('@agonhq/bench');
  return showBenchRow(row, readBenchSummary(row), benches.isLive(row.id));
}

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
