import { exportAuthor } from '@agonhq/ledger/authors';
import { listPublicKeys, openSigningKey } from '@agonhq/ledger/bundle';
import { proveCase } from '@agonhq/ledger/checkpoints';
import { AgonError } from '@agonhq/engine/agon-error';
import type { HoldActor } from '@agonhq/ledger';
import {
  countFigures,
  listStatements,
  renderFigures,
  renderStatementsCsv,
  stateReasons,
} from '@agonhq/ledger/transparency';
import { reviewerName, type Principal } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { replyWithArchive, replyWithLines, replyWithMedia } from '../reply.ts';
import { findOnRecord } from './cases.ts';

type Accountability = GroupOf<'holds' | 'authors' | 'transparency' | 'statements'> | 'cases.statement' | 'cases.proof';

/** What must not be deleted, what is on record of an author, and what is told about decisions. */
export const accountabilityHandlers: Handlers<Accountability> = {
  async 'holds.list'({ query }, { ledger }) {
    return { rows: await ledger.holds.listHolds(query.all ? {} : { inForce: true }) };
  },

  async 'holds.place'({ body: { until, ...hold }, principal, requestId }, { ledger }) {
    const about = hold.case === undefined ? {} : { case: (await findOnRecord(ledger, hold.case)).id };
    const end = until === undefined ? null : new Date(until);
    return ledger.holds.placeHold({ ...hold, ...about, until: end }, makeEntry(principal, requestId));
  },

  async 'holds.lift'({ params, body, principal, requestId }, { ledger }) {
    return ledger.holds.liftHold(params.id, body.why, makeEntry(principal, requestId));
  },

  async 'authors.export'({ params: { author }, query, signal }, { ledger, audit }) {
    await audit.flush();
    const pieces = exportAuthor(ledger, author, { files: query.files ?? true, signal });
    return replyWithArchive(pieces, `${author}.zip`);
  },

  async 'authors.forget'({ params: { author } }, { ledger, trials }) {
    const plan = await ledger.authors.planForgetting(author);
    if (plan.subjects === 0 && plan.items === 0)
      throw new AgonError(
        'unknown-author',
        `No content of the author ${author} is on record.`,
        'Name the author as the context of their items does; it may be forgotten already.',
      );
    const forgotten = await ledger.authors.forget(author);
    trials.forgetEnded();
    return { author, ...forgotten };
  },

  async 'cases.statement'({ params, query }, { ledger, settings }) {
    const { id } = await findOnRecord(ledger, params.id);
    return stateReasons(ledger, id, { settings: settings.statements, quotes: query.quotes });
  },

  async 'cases.proof'({ params, query }, { ledger, environment, settings }) {
    const found = await findOnRecord(ledger, params.id);
    const proof = await proveCase(ledger, found, {
      signer: await openSigningKey(environment),
      publicKeys: await listPublicKeys(environment),
      authority: settings.checkpoints?.authority,
      redact: query.redact ?? false,
    });
    return replyWithMedia(`${JSON.stringify(proof, null, 2)}\n`, 'application/json', `${found.id}.proof.json`);
  },

  'statements.export'({ query: { from, to, format, quotes } }, { ledger, settings }) {
    const statements = listStatements(ledger, readPeriod(from, to), { settings: settings.statements, quotes });
    const lines = format === 'csv' ? renderStatementsCsv(statements) : renderLines(statements);
    return replyWithLines(lines, format, 'statements');
  },

  async 'transparency.get'({ query: { from, to, format } }, { ledger, settings, longReads }) {
    const period = readPeriod(from, to);
    const figures = await longReads.take(() => countFigures(ledger, period, settings.statements));
    return replyWithMedia(renderFigures(figures, format), figureTypes[format]);
  },
};

const figureTypes = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

function makeEntry(principal: Principal, request: string): HoldActor {
  return { by: reviewerName(principal) ?? 'loopback', key: principal.key?.id ?? null, request };
}

function readPeriod(from: string, to: string): { from: Date; to: Date } {
  if (from >= to) throw new AgonError('bad-request', 'from is not before to.', 'Name an earlier moment as from.');
  return { from: new Date(from), to: new Date(to) };
}

async function* renderLines(values: AsyncIterable<object>): AsyncGenerator<string, void, void> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}
