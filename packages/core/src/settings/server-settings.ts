import { z } from 'zod';
import { setting, type SettingNotes } from '@agonhq/engine/setting';
import { webhookEvents } from './webhook-events.ts';

const count = z.int().min(1);

const webhookSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  /** What deliveries are signed with. */
  secret: z.string().min(16, 'must have at least 16 characters'),
  events: z.array(z.enum(webhookEvents)).min(1).optional(),
});

/** As keys have them (packages/server/src/api). */
const grantedScopes = z.array(z.enum(['read', 'judge', 'review', 'care', 'admin']));

/** Who signs people in beside keys. */
const openIdSettings = z.strictObject({
  issuer: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  name: z.string().min(1).max(60).optional(),
  scope: z.string().min(1).optional(),
  claim: z.string().min(1).optional(),
  roles: z.record(z.string().min(1), grantedScopes).optional(),
  everybody: grantedScopes.optional(),
  /** To which team a role belongs. */
  teams: z.record(z.string().min(1), z.string().min(1)).optional(),
});
export type OpenIdSettings = z.output<typeof openIdSettings>;

const serve: SettingNotes['commands'] = ['serve'];

/** The block `server` of the settings, for `agon serve`. */
export const serverSettings = z.strictObject({
  host: setting(z.string().min(1), {
    commands: serve,
    help: 'address to bind to',
    default: '127.0.0.1',
    flag: '--host <address>',
    variable: 'AGON_HOST',
  }),
  port: setting(z.int().min(0).max(65_535), {
    commands: serve,
    help: 'port',
    values: '0 to 65535; 0 picks a free one',
    default: '4100',
    flag: '--port <n>',
    flagHelp: 'port; 0 picks a free one',
    variable: 'AGON_PORT',
  }),
  auth: setting(z.enum(['auto', 'required']), {
    commands: serve,
    help: 'when to require a key; auto: everywhere except on loopback',
    default: 'auto',
    flag: '--auth <when>',
    variable: 'AGON_AUTH',
  }),
  allowedHosts: setting(z.array(z.string().min(1)), {
    commands: serve,
    help: 'host names that the server is reached by, beside its own address: those of a proxy in front of it',
    values: 'a list of names',
    default: 'none',
    flag: '--allowed-host <name>',
    flagHelp: 'host name of a proxy in front of the server (repeatable)',
    variable: 'AGON_ALLOWED_HOSTS',
  }),
  origins: setting(z.array(z.url()), {
    commands: serve,
    help: 'origins whose pages may call the API from a browser (CORS)',
    values: 'a list of URLs',
    default: 'none',
    flag: '--origin <url>',
    flagHelp: 'origin that may call the API from a browser (CORS) (repeatable)',
    variable: 'AGON_ORIGINS',
  }),
  concurrency: setting(count.max(10_000), {
    commands: serve,
    help: 'cases to judge at once',
    default: '16',
    flag: '--concurrency <n>',
  }),
  queue: setting(z.int().min(0).max(100_000), {
    commands: serve,
    help: 'requests that may wait before the server answers 429',
    default: '256',
    flag: '--queue <n>',
  }),
  bodyBytes: setting(count, { help: 'largest request without files', default: '32 MiB' }),
  uploadBytes: setting(count, { help: 'largest request with files', default: '256 MiB' }),
  timeoutSeconds: setting(z.number().positive().max(86_400), {
    help: 'longest time that a request waits for its verdict',
    default: '600',
  }),
  graceSeconds: setting(z.number().min(0).max(3600), {
    help: 'how long a debate goes on when its client is gone, so that a retry finds the verdict',
    default: '15',
  }),
  unreadySeconds: setting(z.number().min(0).max(3600), {
    commands: serve,
    help: 'how long after SIGTERM the server still answers while /readyz says 503, so that a balancer finds others',
    default: '0',
    flag: '--unready-seconds <n>',
    variable: 'AGON_UNREADY_SECONDS',
  }),
  drainSeconds: setting(z.number().min(0).max(3600), {
    commands: serve,
    help: 'time to finish open requests after SIGTERM',
    default: '30',
    flag: '--drain-seconds <n>',
  }),
  ratePerMinute: setting(z.number().positive(), { help: 'requests a minute of one key', default: 'no limit' }),
  streams: setting(count, { help: 'event streams open at once', default: '2,000' }),
  secondReview: setting(z.enum(['contradicted', 'always', 'never']), {
    help: 'which decisions of a person another person must confirm',
    default: 'contradicted',
    variable: 'AGON_SECOND_REVIEW',
  }),
  keepContentsDays: setting(count, {
    help: 'days after which what was judged and said is forgotten; verdicts, seals and decisions stay',
    default: 'for ever',
    variable: 'AGON_KEEP_CONTENTS_DAYS',
  }),
  keepCasesDays: setting(count, {
    help: 'days after which whole cases are deleted, and benches that nobody wrote to since',
    default: 'for ever',
    variable: 'AGON_KEEP_CASES_DAYS',
  }),
  fetch: z
    .strictObject({
      images: setting(z.boolean(), {
        help: 'whether a request may make the server fetch images, never from a private address',
        default: 'false',
        variable: 'AGON_FETCH_IMAGES',
      }),
      webhooks: setting(z.boolean(), {
        help: 'whether webhooks that a request registers are called, never at a private address',
        default: 'false',
        variable: 'AGON_FETCH_WEBHOOKS',
      }),
    })
    .optional(),
  openid: setting(openIdSettings, {
    help: 'who signs people in beside keys: an OpenID Connect provider',
    values: '`{ issuer, clientId, clientSecret, name, scope, claim, roles, everybody, teams }`',
    default: 'none',
    variable: null,
  }),
  webhooks: setting(
    z
      .array(webhookSchema)
      .max(20)
      .refine((all) => new Set(all.map(({ url }) => url)).size === all.length, 'must name each URL once'),
    {
      help: 'who is told of verdicts; a private address is allowed, since you wrote it here yourself',
      values: 'up to 20 `{ url, secret, events }`',
      default: 'none',
      variable: null,
    },
  ),
});

export type ServerSettings = z.output<typeof serverSettings>;
