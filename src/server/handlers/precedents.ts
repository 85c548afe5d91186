import { approvePrecedents, rejectPrecedent, learn } from '../../learning/index.ts';
import {
  addPrecedent,
  correctPrecedent,
  findPrecedent,
  pageOfPrecedents,
  retirePrecedent,
} from '../../precedents/index.ts';
import { reviewerOf, type Principal } from '../auth/principal.ts';
import type { GroupOf, Handlers, Request } from '../handler.ts';
import type { House } from '../server-context.ts';
import { located, type Reply } from '../reply.ts';
import { AgonError } from '../../errors.ts';
import { findClause, type Policy } from '../../policy/index.ts';
import { randomUUID } from 'node:crypto';
import { openLearning } from '../../app/index.ts';
import { lockLearning } from '../../runs/index.ts';
import { agonHome } from '../../settings/index.ts';
import { hearWork } from '../trials/run-work.ts';

/** The decided cases that debates draw on, and how mistakes become some. */
export const precedentHandlers: Handlers<GroupOf<'precedents'> | GroupOf<'learning'>> = {
  'precedents.list': ({ query: { limit, after = null, ...filter } }, { courts, ledger }) =>
    pageOfPrecedents(courts.seeds, ledger.precedents, filter, { limit, after }),

  'precedents.get': ({ params }, { courts, ledger }) => findPrecedent(params.id, courts.seeds, ledger.precedents),

  async 'precedents.create'({ body: { category, clause, expiresAt = null, ...words }, principal }, house) {
    const { courts, ledger } = house;
    await courts.look();
    const policy = courts.policy();
    const place = clauseMeant({ category, clause }, { category: null, clause: null }, policy);
    const { name, version, hash } = policy;
    const made = await addPrecedent(
      { ...words, ...place, policy: { name, version, hash }, confirmedBy: whoDecides(principal), expiresAt },
      courts.seeds,
      ledger.precedents,
    );
    courts.changed();
    return located(made, `/api/precedents/${encodeURIComponent(made.id)}`);
  },

  async 'precedents.change'({ params, body: { category, clause, ...words }, principal }, { courts, ledger }) {
    await courts.look();
    const corrected = await correctPrecedent(
      params.id,
      (found) => ({ ...words, ...clauseMeant({ category, clause }, found, courts.policy()) }),
      { seeds: courts.seeds, store: ledger.precedents, by: whoDecides(principal) },
    );
    courts.changed();
    return corrected;
  },

  async 'precedents.retire'({ params, body }, { courts, ledger }) {
    const retired = await retirePrecedent(params.id, body.why, courts.seeds, ledger.precedents);
    courts.changed();
    return retired;
  },

  async 'precedents.approve'({ params, principal }, house) {
    const approved = await approvePrecedents([params.id], await deskOf(house), reviewerOf(principal) ?? undefined);
    house.courts.changed();
    return approved;
  },

  async 'precedents.reject'({ params, body }, house) {
    const rejected = await rejectPrecedent(params.id, await deskOf(house), body.why);
    house.courts.changed();
    return rejected;
  },

  async 'precedents.search'({ body, signal }, { courts }) {
    const library = await courts.library();
    return library.search({ ...body, signal });
  },

  'learning.learn': learnOnServer,
};

function whoDecides(principal: Principal): string {
  return reviewerOf(principal) ?? 'api';
}

async function deskOf({ courts, ledger }: House) {
  return { library: await courts.library(), seeds: courts.seeds, store: ledger.precedents };
}

interface Place {
  category: string | null;
  clause: string | null;
}

/** Where in a policy a precedent belongs: as it is said, and else as it was. */
function clauseMeant({ category, clause }: Partial<Place>, before: Place, policy: Policy): Place {
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
      'Leave the category out: the clause says it.',
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
async function learnOnServer(request: Request<'learning.learn'>, house: House): Promise<Reply> {
  const { ledger, settings, environment, courts } = house;
  const { all, review = settings.learn?.review, dryRun, limit } = request.body;
  const release = dryRun ? async () => {} : await lockLearning(ledger, agonHome(environment));
  let begun = false;
  try {
    return await hearWork(request, house, {
      key: randomUUID(),
      async run(signal, tell) {
        begun = true;
        let done = 0;
        try {
          const library = await courts.library();
          const learning = await openLearning(settings, ledger, environment, {
            policy: courts.policy(),
            seeds: courts.seeds,
            pool: courts.pool,
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
          courts.changed();
          await release();
        }
      },
    });
  } catch (error) {
    if (!begun) await release();
    throw error;
  }
}
