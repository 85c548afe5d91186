import { AgonError } from '../../errors.ts';
import { embedText } from '../../reasoners/index.ts';
import { findCase } from '../../retrials/index.ts';
import type { Handlers } from '../handler.ts';
import { similarCases } from '../cases/similar-cases.ts';
import { rowOf } from './cases.ts';

/** Cases about alike content. */
export const similarHandlers: Handlers<'cases.similar'> = {
  async 'cases.similar'({ params, query, signal }, { ledger, reads }) {
    const found = await findCase(ledger, params.id);
    if (!found) throw new AgonError('unknown-case', `There is no case ${params.id}.`, 'GET /api/cases lists them.');
    if (found.forgottenAt !== null || found.excerpt === null)
      throw new AgonError(
        'forgotten-case',
        `What case ${found.id} judged was forgotten.`,
        'Without its content nothing can be compared with it.',
      );
    const { rows, compared } = await reads.take(
      () => similarCases(ledger, found, { limit: query.limit, embed: embedText }),
      signal,
    );
    return { rows: rows.map(({ similarity, ...summary }) => ({ ...rowOf(summary), similarity })), compared };
  },
};
