import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** Who did what, and what the server runs with. */
export const administration = [
  operation('audit.list', 'get', '/api/audit', 'admin', {
    summary: 'Who did what on this server',
    description:
      'What changed something, every look at the queue of known images, exports, forgetting, signing in and out, and ' +
      'refusals for want of a scope. Judging is not listed: each case has its own record.',
    query: schemas.auditQuery,
    answers: { status: 200, schema: schemas.auditPage, description: 'The newest first.' },
  }),
  operation('audit.export', 'get', '/api/audit/export', 'admin', {
    summary: 'The audit log as a file',
    query: schemas.auditExportQuery,
    answers: {
      status: 200,
      media: ['text/csv', 'application/jsonl'],
      description: 'One entry per line, the newest first.',
    },
  }),
  operation('audit.people', 'get', '/api/people', 'admin', {
    summary: 'Who signed in or did something lately',
    answers: { status: 200, schema: schemas.actorList, description: 'From the audit log, the last one first.' },
  }),
  operation('settings.get', 'get', '/api/settings', 'admin', {
    summary: 'The settings in force',
    description:
      'Models by job and seat, how they are reached, limited and paid, and every other setting with where it was ' +
      'set. Never a secret.',
    answers: { status: 200, schema: schemas.settingsInForce, description: 'What the server runs with.' },
  }),
  operation('models.try', 'post', '/api/models/try', 'admin', {
    summary: 'Ask a model for one word',
    description:
      'Tries its address, its key and its name, as `agon doctor --try` does. Embedded models are loaded, embedding ' +
      'models embed a word, and transcription models hear half a second of silence.',
    body: schemas.modelTrialRequest,
    answers: { status: 200, schema: schemas.modelTrial, description: 'Whether it answered.' },
    problems: [404],
    example: { model: 'openai:gpt-4o-mini' },
  }),
] as const;
