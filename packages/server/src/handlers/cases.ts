import { schemas } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { showCorrection } from '@agonhq/judges/job';
import type { AttachmentRow, Case, CaseSummary, Ledger } from '@agonhq/ledger';
import { embedCentred } from '@agonhq/models/reasoners';
import { findRetriedCase } from '@agonhq/core/retrials';
import { findCasesAround } from '../cases/cases-around.ts';
import { findSimilarCases } from '../cases/similar-cases.ts';
import { listDisclosures, listTurnCalls } from '../cases/turn-calls.ts';
import type { Handlers } from '../handler.ts';
import { replyWithFile } from '../reply.ts';
import type { ServerContext } from '../server-context.ts';

/** Cases about alike content. */
export const similarHandlers: Handlers<'cases.similar'> = {
  async 'cases.similar'({ params, query, signal }, { ledger, longReads: reads }) {
    const found = await findRetriedCase(ledger, params.id);
    if (!found) throw new AgonError('unknown-case', `There is no case ${params.id}.`, 'GET /api/cases lists them.');
    if (found.forgottenAt !== null || found.excerpt === null)
      throw new AgonError(
        'forgotten-case',
        `What case ${found.id} judged was forgotten.`,
        'Without its content it cannot be compared with others.',
      );
    const { rows, compared } = await reads.take(
      () => findSimilarCases(ledger, found, { limit: query.limit, embed: embedCentred }),
      signal,
    );
    return {
      rows: rows.map(({ similarity, picture, ...summary }) => ({
        ...rowOf(summary),
        similarity,
        ...(picture ? { picture } : {}),
      })),
      compared,
    };
  },
};

/** What is on record about any case. */
export const caseHandlers = {
  async 'cases.list'({ query: { limit, after, ...filter } }, { ledger }) {
    const { rows, next } = await ledger.cases.listCases(filter, { limit, after: after ?? null });
    return { rows: rows.map(rowOf), next };
  },

  async 'cases.get'({ params }, { ledger, trials }) {
    const found = await findOnRecord(ledger, params.id);
    const [decisions, corrections, retrials, holds] = await Promise.all([
      ledger.decisions.listDecisions(found.id),
      ledger.corrections.listCorrections({ case: found.id }),
      ledger.cases.listCases({ again: found.id }, { limit: 200 }),
      ledger.holds.findHoldsOn(found.id),
    ]);
    const { policy, content, context, attachments, answer } = found;
    return {
      ...rowOf(found),
      policy: { name: policy.name, version: policy.version, hash: policy.hash },
      content,
      context,
      attachments,
      answer,
      decisions,
      corrections: corrections.map(showCorrection),
      retrials: retrials.rows.map(rowOf),
      holds,
      live: isLive(found.id, trials),
    };
  },

  async 'cases.around'({ params }, { ledger }) {
    return findCasesAround(ledger, await findOnRecord(ledger, params.id));
  },

  async 'cases.stop'({ params }, { ledger, trials }) {
    const { id } = await findOnRecord(ledger, params.id);
    const live = isLive(id, trials);
    if (live) trials.findByCase(id)!.stop();
    return { case: id, stopped: live };
  },

  'cases.calls': ({ params, query, signal }, { ledger }) => listTurnCalls(ledger, params.id, query.turn, signal),

  'cases.disclosures': ({ params }, { ledger }) => listDisclosures(ledger, params.id),

  async 'cases.attachments'({ params }, { ledger }) {
    return { rows: await attachmentsOf(ledger, params.id) };
  },

  async 'cases.attachment'({ params }, { ledger }) {
    const isOfCase = (await attachmentsOf(ledger, params.id)).some(({ hash }) => hash === params.hash);
    const found = isOfCase ? await ledger.attachments.openAttachment(params.hash) : undefined;
    if (!found)
      throw new AgonError(
        'unknown-attachment',
        `Case ${params.id} has no image or document ${params.hash}.`,
        'GET /api/cases/{id}/attachments names them.',
      );
    return replyWithFile(found);
  },
} satisfies Partial<Handlers>;

/** Where the ledger lies is not for those who ask over HTTP. */
export async function findOnRecord(ledger: Ledger, id: string): Promise<Case> {
  const found = await findRetriedCase(ledger, id);
  if (found) return found;
  throw new AgonError('unknown-case', `There is no case ${id}.`, 'GET /api/cases lists them.');
}

/**
 * The case itself, which may be large, is read only where it has none, or its id is not whole: a PDF is asked for in
 * many parts.
 */
async function attachmentsOf(ledger: Ledger, id: string): Promise<AttachmentRow[]> {
  const rows = await ledger.cases.listAttachments(id);
  return [...(rows.length > 0 ? rows : (await findOnRecord(ledger, id)).attachments)];
}

function isLive(id: string, trials: ServerContext['trials']): boolean {
  const live = trials.findByCase(id);
  return live !== undefined && !live.ended;
}

const columns = Object.keys(schemas.caseSummary.shape) as (keyof CaseSummary)[];

/** A case as it stands in a list. */
function rowOf(found: CaseSummary): Partial<CaseSummary> {
  return Object.fromEntries(columns.map((name) => [name, found[name]]));
}
