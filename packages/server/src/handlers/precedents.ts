import { approvePrecedents, rejectPrecedent, learn } from '@agonhq/core/learning';
import {
  addPrecedent,
  correctPrecedent,
  findPrecedent,
  pageOfPrecedents,
  retirePrecedent,
  type KeptPrecedent,
} from '@agonhq/models/precedents';
import { reviewerName, type Principal } from '../auth/principal.ts';
import type { GroupOf, Handlers, Request } from '../handler.ts';
import type { ServerContext } from '../server-context.ts';
import { replyWithLocation, type Reply } from '../reply.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { findClause, type Policy } from '@agonhq/engine/policy';
import { randomUUID } from 'node:crypto';
import { openLearning } from '@agonhq/core/app';
import { lockLearning } from '@agonhq/core/runs';
import { agonHome } from '@agonhq/core/settings';
import { runWork } from '../trials/run-work.ts';

/** The decided cases that debates draw on, and how mistakes become some. */
export const precedentHandlers: Handlers<GroupOf<'precedents'> | GroupOf<'learning'>> = {
  'precedents.list': ({ query: { limit, after = null, ...filter } }, { agons, ledger }) =>
    pageOfPrecedents(agons.seeds, ledger.precedents, filter, { limit, after }),

  'precedents.get': ({ params }, { agons, ledger }) => findPrecedent(params.id, agons.seeds, ledger.precedents),

  async 'precedents.create'({ body: { category, clause, expiresAt = null, ...words }, principal, once }, context) {
    const { agons, ledger } = context;
    const before = await ledger.idempotency.findMade(once);
    if (before !== null) return replyWithPrecedent(await findPrecedent(before, agons.seeds, ledger.precedents));
    await agons.refresh();
    const policy = agons.activePolicy();
    const place = resolveClause({ category, clause }, { category: null, clause: null }, policy);
    const { name, version, hash } = policy;
    const made = await addPrecedent(
      { ...words, ...place, policy: { name, version, hash }, confirmedBy: deciderName(principal), expiresAt },
      agons.seeds,
      ledger.precedents,
      once,
    );
    agons.markStale();
    return replyWithPrecedent(made);
  },

  async 'precedents.change'({ params, body: { category, clause, ...words }, principal }, { agons, ledger }) {
    await agons.refresh();
    const corrected = await correctPrecedent(
      params.id,
      (found) => ({ ...words, ...resolveClause({ category, clause }, found, agons.activePolicy()) }),
      { seeds: agons.seeds, store: ledger.precedents, by: deciderName(principal) },
    );
    agons.markStale();
    return corrected;
  },

  async 'precedents.retire'({ params, body }, { agons, ledger }) {
    const retired = await retirePrecedent(params.id, body.why, agons.seeds, ledger.precedents);
    agons.markStale();
    return retired;
  },

  async 'precedents.approve'({ params, principal }, context) {
    const approved = await approvePrecedents(
      [params.id],
      await openReview(context),
      reviewerName(principal) ?? undefined,
    );
    context.agons.markStale();
    return approved;
  },

  async 'precedents.reject'({ params, body }, context) {
    const rejected = await rejectPrecedent(params.id, await openReview(context), body.why);
    context.agons.markStale();
    return rejected;
  },

  async 'precedents.search'({ body, signal }, { agons }) {
    const library = await agons.openLibrary();
    return library.search({ ...body, signal });
  },

  'learning.learn': learnFromMistakes,
};

function replyWithPrecedent(precedent: KeptPrecedent): Reply {
  return replyWithLocation(precedent, `/api/precedents/${encodeURIComponent(precedent.id)}`);
}

function deciderName(principal: Principal): string {
  return reviewerName(principal) ?? 'api';
}

async function openReview({ agons, ledger }: ServerContext) {
  return { library: await agons.openLibrary(), seeds: agons.seeds, store: ledger.precedents };
}

interface PolicyPlace {
  category: string | null;
  clause: string | null;
}

/** Where in a policy a precedent belongs: as it is said, and else as it was. */
function resolveClause({ category, clause }: Partial<PolicyPlace>, before: PolicyPlace, policy: Policy): PolicyPlace {
  if (category !== undefined && category !== null && !policy.categories.some(({ id }) => id === category))
    throw noSuch('category', category);
  if (clause === undefined || clause === null) {
    if (category === undefined) return { category: before.category, clause: clause === null ? null : before.clause };
    return { category, clause: clause === undefined && category === before.category ? before.clause : null };
  }
  const found = findClause(policy, clause);
  if (!found) throw noSuch('clause', clause);
  if (category !== undefined && category !== found.category.id)
    throw new AgonError(
      'no-such-clause',
      `${clause} is a clause of ${found.category.id}, not of ${category ?? 'none'}.`,
      'Leave the category out: the clause implies it.',
    );
  return { category: found.category.id, clause };
}

function noSuch(what: 'category' | 'clause', id: string): AgonError {
  return new AgonError(
    'no-such-clause',
    `The policy in force has no ${what} ${JSON.stringify(id)}.`,
    'GET /api/policies/active shows what it has.',
  );
}

/** Learns from the mistakes on record, as `agon learn` does; whoever comes while somebody learns is told so at once. */
async function learnFromMistakes(request: Request<'learning.learn'>, context: ServerContext): Promise<Reply> {
  const { jobs, ledger, settings, environment, agons } = context;
  const { all, review = settings.learn?.review, dryRun, limit } = request.body;
  const release = dryRun ? async () => {} : await lockLearning(ledger, agonHome(environment));
  let begun = false;
  try {
    return await runWork(request, context, {
      key: randomUUID(),
      async run(signal, tell) {
        begun = true;
        let done = 0;
        try {
          const library = await agons.openLibrary();
          const learning = await openLearning(jobs, settings, ledger, environment, {
            policy: agons.activePolicy(),
            seeds: agons.seeds,
            pool: agons.pool,
            library,
          });
          return await learn({
            ...learning,
            all,
            review,
            dryRun,
            limit,
            signal,
            onProgress: ({ case: id, outcome }) => tell('progress', { done: (done += 1), case: id, outcome }),
          });
        } finally {
          agons.markStale();
          await release();
        }
      },
    });
  } catch (error) {
    if (!begun) await release();
    throw error;
  }
}
