import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const { byId } = schemas;

export const openAi = [
  operation({
    id: 'openai.moderate', method: 'post', path: '/v1/moderations', scope: 'judge', summary: 'OpenAI’s moderation API', description: 'As OpenAI’s SDKs call it. Each result carries `agon`: the verdict, its rule and its evidence.', body: schemas.openAiModerationRequest,
    answers: { status: 200, schema: schemas.openAiModeration, description: 'One result for each input.' }, idempotent: true, problems: [404, 422, 502, 504], example: { input: 'I want to poison his dog.' },
  }),
  operation({ id: 'openai.models', method: 'get', path: '/v1/models', scope: 'read', summary: 'The modes of /v1/moderations, as OpenAI lists models', answers: { status: 200, schema: schemas.openAiModels, description: 'Models.' } }),
  operation({ id: 'openai.model', method: 'get', path: '/v1/models/{id}', scope: 'read', summary: 'One of them', params: byId, answers: { status: 200, schema: schemas.openAiModel, description: 'A model.' } }),
] as const;

export const house = [
  operation({ id: 'house.self', method: 'get', path: '/api/self', scope: 'read', summary: 'Who you are here, and what the server is', answers: { status: 200, schema: schemas.self, description: 'Key, scopes, policy, models, limits.' } }),
  operation({ id: 'house.news', method: 'get', path: '/api/events', scope: 'read', summary: 'What happens on this server, as it happens', answers: { status: 200, description: 'Events.' }, events: schemas.newsEvent, onlyEvents: true }),
  operation({ id: 'house.alive', method: 'get', path: '/healthz', scope: null, summary: 'Is the process alive?', answers: { status: 200, schema: schemas.health, description: 'It is.' } }),
  operation({ id: 'house.ready', method: 'get', path: '/readyz', scope: null, summary: 'Does it take requests?', description: '503 while it drains, or while its ledger does not answer.', answers: { status: 200, schema: schemas.health, description: 'It does.' } }),
  operation({ id: 'house.metrics', method: 'get', path: '/metrics', scope: 'read', summary: 'Figures for Prometheus', answers: { status: 200, media: ['text/plain'], description: 'In Prometheus’ text format.' } }),
  operation({ id: 'house.document', method: 'get', path: '/openapi.json', scope: null, summary: 'This document', answers: { status: 200, media: ['application/json'], description: 'OpenAPI 3.1.' } }),
  operation({ id: 'house.docs', method: 'get', path: '/docs', scope: null, summary: 'This document, for people', answers: { status: 200, media: ['text/html'], description: 'A page.' } }),
] as const;

export const keys = [
  operation({ id: 'keys.list', method: 'get', path: '/api/keys', scope: 'admin', summary: 'The keys of this server', answers: { status: 200, schema: schemas.apiKeyList, description: 'Without their secrets.' } }),
  operation({ id: 'keys.create', method: 'post', path: '/api/keys', scope: 'admin', summary: 'Make a key', body: schemas.newApiKey, answers: { status: 201, schema: schemas.madeApiKey, description: 'With the key itself, this once.' }, problems: [422], example: { name: 'ci', scopes: ['judge'] } }),
  operation({ id: 'keys.revoke', method: 'delete', path: '/api/keys/{id}', scope: 'admin', summary: 'Revoke a key', params: byId, answers: { status: 200, schema: schemas.apiKey, description: 'The key, revoked.' } }),
] as const;

export const webhooks = [
  operation({ id: 'webhooks.list', method: 'get', path: '/api/webhooks', scope: 'admin', summary: 'Who is told of verdicts', answers: { status: 200, schema: schemas.webhookList, description: 'Without their secrets.' } }),
  operation({
    id: 'webhooks.create', method: 'post', path: '/api/webhooks', scope: 'admin', summary: 'Have a URL told of verdicts', description: 'Only where the server allows it (`server.fetch.webhooks`), and never a private address. Deliveries are signed and tried again.', body: schemas.newWebhook,
    answers: { status: 201, schema: schemas.madeWebhook, description: 'With its secret, this once.' }, problems: [422, 502], example: { url: 'https://example.com/hooks/agon', events: ['verdict'] },
  }),
  operation({ id: 'webhooks.remove', method: 'delete', path: '/api/webhooks/{id}', scope: 'admin', summary: 'Tell it no more', params: byId, answers: { status: 204, description: 'Gone.' }, problems: [409] }),
  operation({ id: 'webhooks.test', method: 'post', path: '/api/webhooks/{id}/test', scope: 'admin', summary: 'Send it a test', params: byId, answers: { status: 200, schema: schemas.delivery, description: 'What came of it.' }, problems: [502] }),
  operation({ id: 'webhooks.deliveries', method: 'get', path: '/api/webhooks/{id}/deliveries', scope: 'admin', summary: 'What it was sent', params: byId, query: schemas.deliveryQuery, answers: { status: 200, schema: schemas.deliveryPage, description: 'The newest first.' } }),
] as const;
