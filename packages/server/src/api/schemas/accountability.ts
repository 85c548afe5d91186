import { z } from 'zod';
import { flag, id, moment, named } from './common.ts';

/* What must not be deleted, what is on record of an author, and what is told about decisions. */

const author = z.string().trim().min(1).max(256).describe('An author, as the context of items names them.');
const words = z.string().trim().min(1).max(2000);

export const legalHold = named(
  'LegalHold',
  z.object({
    id: z.string(),
    case: z.string().nullable().describe('The case that it is on, and with it every case about the same content.'),
    author: z.string().nullable().describe('The author that it is on, with all cases that come later.'),
    reason: z.string(),
    by: z.string(),
    at: moment,
    until: moment.nullable().describe('When it ends by itself; null for never.'),
    lifted: z.object({ by: z.string(), at: moment, why: z.string() }).nullable(),
  }),
);
export const legalHoldList = named('LegalHoldList', z.object({ rows: z.array(legalHold) }));
export const holdsQuery = z.strictObject({
  all: flag.optional().describe('Also those that were lifted or have ended.'),
});
export const holdRequest = named(
  'HoldRequest',
  z.strictObject({
    case: id.optional().describe('One of the two.'),
    author: author.optional(),
    reason: words.describe('Why nothing may be deleted.'),
    until: moment.optional().describe('When it ends by itself.'),
  }),
);
export const liftRequest = named('LiftRequest', z.strictObject({ why: words.describe('Why it is over.') }));

export const byAuthor = z.strictObject({ author });
export const authorExportQuery = z.strictObject({
  files: flag.optional().describe('`false` leaves out images and documents.'),
});
export const forgottenAuthor = named(
  'ForgottenAuthor',
  z.object({
    author: z.string(),
    subjects: z.int().describe('Contents that were forgotten.'),
    cases: z.int().describe('Cases about them.'),
    othersCases: z.int().describe('Cases of other authors about the same content, which stay.'),
    items: z.int().describe('Items of runs that were not judged yet.'),
  }),
);

export const proofQuery = z.strictObject({
  redact: flag.optional().describe('Leaves out what the records say.'),
});

const period = {
  from: moment.describe('Decisions from this moment on.'),
  to: moment.describe('Decisions before this moment.'),
};
const quotes = flag.optional().describe('Quotes passages, with personal data masked as far as it is found.');

export const statementQuery = z.strictObject({ quotes });
export const statementOfReasons = named(
  'StatementOfReasons',
  z.object({
    version: z.literal(1),
    case: z.string(),
    seal: z.string(),
    decidedAt: moment,
    statement: z
      .record(z.string(), z.union([z.string(), z.array(z.string()), z.null()]))
      .describe('The members of the DSA Transparency Database, as far as they are known.'),
    notKnown: z.array(z.string()).describe('Members that neither the record nor the settings tell.'),
  }),
);
export const statementsQuery = z.strictObject({
  ...period,
  quotes,
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
});
export const transparencyQuery = z.strictObject({
  ...period,
  format: z.enum(['json', 'csv', 'markdown', 'html']).default('json'),
});
