import { z } from 'zod';
import { sensitivitySchema } from '@agonhq/engine/policy/sensitivity';
import { scopes } from '../operation.ts';
import { askedMoment, moment, named, pageOf, paging } from './common.ts';

/* Who did what on the server, and what it runs with. */

export const auditEntry = named(
  'AuditEntry',
  z.object({
    id: z.string().describe('In the order of time.'),
    at: moment,
    who: z.string().nullable().describe('A person, a reviewer or a key; null on the machine itself, without a key.'),
    key: z.string().nullable().describe('The id of the key, or of the person at the OpenID provider.'),
    operation: z.string().describe('`queue.decide`; `session.openid` for a sign-in through the provider.'),
    target: z.string().nullable().describe('The ids in its path, or of what was made.'),
    what: z.record(z.string(), z.unknown()).describe('What was chosen; never content, reasons or secrets.'),
    status: z.int().describe('Of the answer: 403 where somebody may not.'),
    request: z.string().describe('The id of the request, as in the log of the server.'),
  }),
);
export const auditPage = pageOf('AuditPage', auditEntry);
const auditFilter = {
  who: z.string().min(1).max(200).optional(),
  operation: z.string().min(1).max(100).optional(),
  from: askedMoment.optional().describe('From this moment on.'),
  to: askedMoment.optional().describe('Before this moment.'),
};
export const auditQuery = z.strictObject({ ...paging, ...auditFilter });
export const auditExportQuery = z.strictObject({ format: z.enum(['csv', 'jsonl']).default('csv'), ...auditFilter });

export const actor = named(
  'Actor',
  z.object({
    key: z.string(),
    name: z.string().nullable(),
    kind: z.enum(['key', 'openid']),
    scopes: z.array(z.enum(scopes)).nullable().describe('What they may do; null where it is not known any more.'),
    roles: z.array(z.string()).describe('At the OpenID provider, when they last signed in.'),
    signedInAt: moment.nullable(),
    lastSeen: moment,
    entries: z.int().describe('How much of theirs is in the audit log.'),
  }),
);
export const actorList = named('ActorList', z.object({ rows: z.array(actor) }));

const trouble = z.object({ code: z.string(), message: z.string(), hint: z.string() });

export const describedModel = named(
  'DescribedModel',
  z.object({
    model: z.string(),
    kind: z.enum(['language', 'embedding', 'transcription', 'embedded']),
    provider: z
      .object({
        name: z.string(),
        host: z.string().nullable(),
        local: z.boolean(),
        key: z
          .object({ from: z.enum(['settings', 'environment']), variable: z.string().nullable() })
          .nullable()
          .describe('Where its key comes from; null where there is none.'),
      })
      .nullable()
      .describe('Null for models on this machine.'),
    limits: z
      .object({
        concurrency: z.int(),
        requestsPerMinute: z.int().nullable(),
        tokensPerMinute: z.int().nullable(),
        timeoutMs: z.int(),
      })
      .nullable(),
    price: z
      .object({ input: z.number(), output: z.number() })
      .nullable()
      .describe('US dollars per million tokens; null where it is not known.'),
    fallbacks: z.array(z.string()),
    problem: trouble.nullable().describe('Why it cannot be asked.'),
  }),
);

export const settingInForce = named(
  'SettingInForce',
  z.object({
    path: z.string().describe('Its place in the configuration file.'),
    help: z.string(),
    value: z.unknown().describe('As it was set; null where nobody did.'),
    default: z.string().nullable().describe('What holds where it is not set, in words.'),
    source: z
      .enum(['environment', 'settings', 'default'])
      .describe('`settings`: in the configuration file, or by a flag.'),
    variable: z.string().nullable().describe('The environment variable that set it.'),
  }),
);

export const settingsInForce = named(
  'SettingsInForce',
  z.object({
    agon: z.string().describe('The version.'),
    ledger: z.object({ kind: z.enum(['sqlite', 'postgresql']), place: z.string() }),
    policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }),
    jobs: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        method: z.string().nullable(),
        sensitivity: sensitivitySchema,
        seats: z.record(z.string(), z.string()).describe('By seat its model; empty where the job cannot be done.'),
        problem: trouble.nullable().describe('Why the job cannot be done.'),
      }),
    ),
    models: z.array(describedModel),
    groups: z.array(z.object({ name: z.string(), settings: z.array(settingInForce) })),
    webhooks: z
      .array(z.object({ host: z.string(), events: z.array(z.string()) }))
      .describe('Of the configuration file.'),
    openid: z
      .object({
        issuer: z.string(),
        name: z.string().nullable(),
        claim: z.string(),
        roles: z.record(z.string(), z.array(z.enum(scopes))),
        everybody: z.array(z.enum(scopes)),
      })
      .nullable(),
    ffmpeg: z.object({ version: z.string().nullable(), problem: trouble.nullable() }),
    installed: z.array(
      z.object({
        id: z.string(),
        purpose: z.string(),
        licence: z.string(),
        bytes: z.int(),
        isPart: z.boolean().describe('Fetched by `agon add`; the others ship with Agon.'),
        state: z.enum(['there', 'altered', 'missing', 'not-added']),
      }),
    ),
  }),
);

export const modelTrialRequest = named(
  'ModelTrialRequest',
  z.strictObject({ model: z.string().min(1).max(300).describe('One that `GET /api/settings` lists.') }),
);
export const modelTrial = named(
  'ModelTrial',
  z.object({
    model: z.string(),
    ok: z.boolean(),
    milliseconds: z.int(),
    problem: trouble.nullable().describe('Why it did not answer.'),
  }),
);
