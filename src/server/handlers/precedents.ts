import { approvePrecedents, rejectPrecedent } from '../../learning/index.ts';
import {
  addPrecedent,
  correctPrecedent,
  findPrecedent,
  pageOfPrecedents,
  retirePrecedent,
} from '../../precedents/index.ts';
import { reviewerOf, type Principal } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { House } from '../server-context.ts';
import { clauseMeant } from '../precedents/clause-meant.ts';
import { learnOnServer } from '../precedents/learn-on-server.ts';
import { located } from '../reply.ts';

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
