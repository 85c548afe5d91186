import { z } from 'zod';
import { sensitivitySchema } from '@agonhq/engine/policy/sensitivity';
import { webhookEvents } from '@agonhq/core/settings/webhook-events';
import { scopes } from '../operation.ts';
import { moment, named, pageOf, paging, plainText } from './common.ts';

/* What the server says about itself, its keys, its teams and its webhooks. */

const scope = z.enum(scopes);
const name = plainText(100);

export const health = named(
  'Health',
  z.object({ status: z.enum(['alive', 'ready', 'draining', 'unready']), detail: z.string().optional() }),
);

export const self = named(
  'Self',
  z.object({
    agon: z.string().describe('The version.'),
    team: z.string().nullable().describe('Whose cases these are; null where the installation has no teams.'),
    key: z
      .object({ id: z.string(), name: z.string(), reviewer: z.string().nullable() })
      .nullable()
      .describe('Null where no key was given, and none is needed.'),
    scopes: z.array(scope),
    policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }),
    models: z.record(z.string(), z.record(z.string(), z.string())).describe('By job, which model sits in which seat.'),
    configured: z
      .record(z.string(), z.object({ method: z.string().nullable(), sensitivity: sensitivitySchema }))
      .describe('By job, what holds where a request says nothing else.'),
    limits: z.looseObject({
      bodyBytes: z.int(),
      uploadBytes: z.int(),
      concurrency: z.int(),
      queue: z.int(),
      timeoutSeconds: z.number(),
    }),
  }),
);

export const apiKey = named(
  'ApiKey',
  z.object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    reviewer: z.string().nullable().describe('The reviewer in whose name its decisions are recorded.'),
    createdAt: moment,
    lastUsedAt: moment.nullable(),
    expiresAt: moment.nullable(),
    revokedAt: moment.nullable(),
  }),
);
export const apiKeyList = named('ApiKeyList', z.object({ rows: z.array(apiKey) }));
export const newApiKey = named(
  'NewApiKey',
  z.strictObject({
    name,
    scopes: z.array(scope).min(1).max(scopes.length),
    reviewer: name.optional(),
    expiresAt: moment.optional(),
  }),
);
export const madeApiKey = named(
  'MadeApiKey',
  apiKey.extend({ key: z.string().describe('The key itself, shown only once.') }),
);

export const signIn = named(
  'SignIn',
  z.strictObject({ key: z.string().trim().min(1).max(500).describe('An API key of this server.') }),
);

export const signInWays = named(
  'SignInWays',
  z.object({
    openid: z
      .object({ name: z.string(), path: z.string().describe('Where a browser goes to sign in.') })
      .nullable()
      .describe('The OpenID provider that signs people in; null where there is none.'),
  }),
);

const teamName = z.string().max(64).describe('Up to 24 small letters, digits and hyphens.');
export const team = named(
  'Team',
  z.object({
    name: z.string(),
    settings: z.record(z.string(), z.unknown()).describe('What it sets otherwise than the installation.'),
    createdAt: moment,
  }),
);
export const teamList = named('TeamList', z.object({ rows: z.array(team) }));
export const teamParams = z.object({ team: teamName });
export const newTeam = named(
  'NewTeam',
  z.strictObject({ name: teamName, settings: z.record(z.string(), z.unknown()).optional() }),
);
export const madeTeam = named(
  'MadeTeam',
  team.extend({ key: z.string().describe('Its first key, of scope `admin`, shown only once.') }),
);

const webhookEvent = z.enum(webhookEvents);
export const webhook = named(
  'Webhook',
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(webhookEvent),
    configured: z.boolean().describe('It is defined in the configuration file and can only be changed there.'),
    createdAt: moment.nullable(),
    disabledAt: moment.nullable(),
    problem: z.string().nullable(),
  }),
);
export const webhookList = named('WebhookList', z.object({ rows: z.array(webhook) }));
export const newWebhook = named(
  'NewWebhook',
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).max(2000),
    events: z.array(webhookEvent).min(1).default(['verdict']),
  }),
);
export const madeWebhook = named(
  'MadeWebhook',
  webhook.extend({ secret: z.string().describe('The secret that deliveries are signed with, shown only once.') }),
);
export const delivery = named(
  'Delivery',
  z.object({
    id: z.string(),
    webhook: z.string(),
    event: z.enum([...webhookEvents, 'test']),
    case: z.string().nullable().describe('The case that it tells of; null where it tells of something else.'),
    state: z.enum(['waiting', 'delivered', 'failed']),
    attempts: z.int(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    dueAt: moment.nullable(),
    createdAt: moment,
    endedAt: moment.nullable(),
  }),
);
export const deliveryPage = pageOf('DeliveryPage', delivery);
export const deliveryQuery = z.strictObject({
  ...paging,
  state: z.enum(['waiting', 'delivered', 'failed']).optional(),
});

export const newsEvent = named(
  'NewsEvent',
  z
    .looseObject({ type: webhookEvent, at: moment })
    .describe(
      'What happened: a verdict with its case, a decision, a case that is overdue, a run that ended, an alert.',
    ),
);
