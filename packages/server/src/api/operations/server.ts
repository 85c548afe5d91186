import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

export const openAi = [
  operation('openai.moderate', 'post', '/v1/moderations', 'judge', {
    summary: 'OpenAI’s moderation API',
    description: 'Compatible with OpenAI’s SDKs. Each result carries `agon`: the verdict, its rule and its evidence.',
    body: schemas.openAiModerationRequest,
    answers: { status: 200, schema: schemas.openAiModeration, description: 'One result for each input.' },
    idempotent: true,
    problems: [404, 422, 502, 504],
    example: { input: 'I want to poison his dog.' },
  }),
  operation('openai.models', 'get', '/v1/models', 'read', {
    summary: 'The modes of /v1/moderations, as OpenAI lists models',
    answers: { status: 200, schema: schemas.openAiModels, description: 'Models.' },
  }),
  operation('openai.model', 'get', '/v1/models/{id}', 'read', {
    summary: 'One of these modes',
    answers: { status: 200, schema: schemas.openAiModel, description: 'A model.' },
  }),
] as const;

export const house = [
  operation('house.self', 'get', '/api/self', 'read', {
    summary: 'The current session and the server',
    answers: { status: 200, schema: schemas.self, description: 'Key, scopes, policy, models, limits.' },
  }),
  operation('house.news', 'get', '/api/events', 'read', {
    summary: 'Live events',
    description: 'Of all servers that share a ledger on PostgreSQL; whoever does not listen misses them.',
    answers: { status: 200, description: 'Events.' },
    events: schemas.newsEvent,
    onlyEvents: true,
  }),
  operation('house.signingKeys', 'get', '/api/signing-keys', 'read', {
    summary: 'The public keys that this server signs bundles with',
    description: 'The one that signs now first, then those that it replaced.',
    answers: { status: 200, media: ['application/x-pem-file'], description: 'As PEM.' },
  }),
  operation('house.alive', 'get', '/healthz', null, {
    summary: 'Is the process alive?',
    answers: { status: 200, schema: schemas.health, description: 'It is.' },
  }),
  operation('house.ready', 'get', '/readyz', null, {
    summary: 'Does it accept requests?',
    description: '503 while the server is draining or its ledger does not answer.',
    answers: { status: 200, schema: schemas.health, description: 'It does.' },
  }),
  operation('house.metrics', 'get', '/metrics', 'read', {
    summary: 'Metrics for Prometheus',
    answers: { status: 200, media: ['text/plain'], description: 'In the Prometheus text format.' },
  }),
  operation('house.document', 'get', '/openapi.json', null, {
    summary: 'This document',
    answers: { status: 200, media: ['application/json'], description: 'OpenAPI 3.1.' },
  }),
  operation('house.docs', 'get', '/docs', null, {
    summary: 'This document, for people',
    answers: { status: 200, media: ['text/html'], description: 'A page.' },
  }),
] as const;

/** Who may ask, who shares the installation, and who is told. */
export const access = [
  operation('keys.list', 'get', '/api/keys', 'admin', {
    summary: 'The keys of this server',
    answers: { status: 200, schema: schemas.apiKeyList, description: 'Without their secrets.' },
  }),
  operation('keys.create', 'post', '/api/keys', 'admin', {
    summary: 'Create a key',
    body: schemas.newApiKey,
    answers: { status: 201, schema: schemas.madeApiKey, description: 'With the key itself, shown only once.' },
    problems: [422],
    example: { name: 'ci', scopes: ['judge'] },
  }),
  operation('keys.revoke', 'delete', '/api/keys/{id}', 'admin', {
    summary: 'Revoke a key',
    answers: { status: 200, schema: schemas.apiKey, description: 'The key, revoked.' },
  }),
  operation('teams.list', 'get', '/api/teams', 'admin', {
    summary: 'The teams of this installation',
    description: 'For a key of the installation itself; those of a team are refused, here and below.',
    answers: { status: 200, schema: schemas.teamList, description: 'By name.' },
  }),
  operation('teams.get', 'get', '/api/teams/{team}', 'admin', {
    summary: 'A team',
    params: schemas.teamParams,
    answers: { status: 200, schema: schemas.team, description: 'With its settings.' },
  }),
  operation('teams.create', 'post', '/api/teams', 'admin', {
    summary: 'Add a team',
    description: 'It has a ledger of its own. `settings` are what `agon teams add --settings` takes.',
    body: schemas.newTeam,
    answers: { status: 201, schema: schemas.madeTeam, description: 'With its first key, shown only once.' },
    problems: [409, 422],
    example: { name: 'acme', settings: { sensitivity: 'high', server: { ratePerMinute: 600 } } },
  }),
  operation('webhooks.list', 'get', '/api/webhooks', 'admin', {
    summary: 'Webhooks',
    answers: { status: 200, schema: schemas.webhookList, description: 'Without their secrets.' },
  }),
  operation('webhooks.create', 'post', '/api/webhooks', 'admin', {
    summary: 'Create a webhook',
    description:
      'Only where the server allows it (`server.fetch.webhooks`), and never a private address. Deliveries are ' +
      'signed and tried again.',
    body: schemas.newWebhook,
    answers: { status: 201, schema: schemas.madeWebhook, description: 'With its secret, shown only once.' },
    problems: [422, 502],
    example: { url: 'https://example.com/hooks/agon', events: ['verdict'] },
  }),
  operation('webhooks.remove', 'delete', '/api/webhooks/{id}', 'admin', {
    summary: 'Delete a webhook',
    answers: { status: 204, description: 'Gone.' },
    problems: [409],
  }),
  operation('webhooks.test', 'post', '/api/webhooks/{id}/test', 'admin', {
    summary: 'Send it a test',
    answers: { status: 200, schema: schemas.delivery, description: 'The result.' },
    problems: [502],
  }),
  operation('webhooks.deliveries', 'get', '/api/webhooks/{id}/deliveries', 'admin', {
    summary: 'The deliveries of a webhook',
    query: schemas.deliveryQuery,
    answers: { status: 200, schema: schemas.deliveryPage, description: 'The newest first.' },
  }),
  operation('webhooks.retry', 'post', '/api/webhooks/{id}/deliveries/{delivery}/retry', 'admin', {
    summary: 'Send a delivery again that was given up',
    params: schemas.byId.extend({ delivery: schemas.id }),
    answers: { status: 202, schema: schemas.delivery, description: 'It is waiting again.' },
    problems: [409, 422, 502],
  }),
] as const;
