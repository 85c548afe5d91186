import { z } from 'zod';
import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const { byId } = schemas;

export const precedents = [
  operation({ id: 'precedents.list', method: 'get', path: '/api/precedents', scope: 'read', summary: 'List the decided cases that debates draw on', query: schemas.precedentQuery, answers: { status: 200, schema: schemas.precedentPage, description: 'A page of precedents.' } }),
  operation({ id: 'precedents.create', method: 'post', path: '/api/precedents', scope: 'review', summary: 'Put a decided case into the library', body: schemas.newPrecedent, answers: { status: 201, schema: schemas.keptPrecedent, description: 'The precedent.' }, idempotent: true, problems: [409, 422] }),
  operation({ id: 'precedents.search', method: 'post', path: '/api/precedents/search', scope: 'read', summary: 'Which precedents are alike to a text', body: schemas.precedentSearch, answers: { status: 200, schema: schemas.precedentMatches, description: 'The most alike first.' } }),
  operation({ id: 'precedents.get', method: 'get', path: '/api/precedents/{id}', scope: 'read', summary: 'One precedent', params: byId, answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' } }),
  operation({ id: 'precedents.change', method: 'patch', path: '/api/precedents/{id}', scope: 'review', summary: 'Correct the words of a precedent', description: 'Its text and its label stay: another text is another precedent.', params: byId, body: schemas.precedentChange, answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' }, problems: [409, 422] }),
  operation({ id: 'precedents.retire', method: 'post', path: '/api/precedents/{id}/retirement', scope: 'review', summary: 'Take a precedent out of use', params: byId, body: schemas.reason, answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' }, problems: [409] }),
  operation({ id: 'precedents.approve', method: 'post', path: '/api/precedents/{id}/approval', scope: 'review', summary: 'Put a proposed precedent in force', description: 'What it contradicts is overruled.', params: byId, answers: { status: 200, schema: schemas.approved, description: 'What was approved and overruled.' }, problems: [409] }),
  operation({ id: 'precedents.reject', method: 'post', path: '/api/precedents/{id}/rejection', scope: 'review', summary: 'Turn a proposed precedent down', params: byId, body: schemas.perhapsReason, answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' }, problems: [409] }),
  operation({
    id: 'learning.learn', method: 'post', path: '/api/learning', scope: 'review', summary: 'Make precedents of mistakes', description: 'The curator studies verdicts that people decided otherwise.', body: schemas.learnRequest,
    answers: { status: 200, schema: schemas.learnReport, description: 'What was learnt.' }, events: schemas.progressEvent, problems: [409, 502],
  }),
] as const;

const byHash = z.strictObject({ hash: schemas.id.describe('The hash of a policy on record (or the beginning of it, from 12 letters), or `active`.') });

export const policies = [
  operation({ id: 'policies.list', method: 'get', path: '/api/policies', scope: 'read', summary: 'The policies on record, all versions', answers: { status: 200, schema: schemas.policyPage, description: 'The one in force first.' } }),
  operation({ id: 'policies.create', method: 'post', path: '/api/policies', scope: 'review', summary: 'Check a policy file and put it on record', description: 'It is not in force yet: test it, look at its impact, then activate it.', body: schemas.policyWritten, answers: { status: 201, schema: schemas.policy, description: 'The policy as it was read.' }, idempotent: true, problems: [422] }),
  operation({ id: 'policies.get', method: 'get', path: '/api/policies/{hash}', scope: 'read', summary: 'A policy', params: byHash, query: z.strictObject({ format: z.enum(['json', 'yaml']).default('json') }), answers: { status: 200, schema: schemas.policy, media: ['application/json', 'application/yaml'], description: 'The policy.' } }),
  operation({ id: 'policies.diff', method: 'get', path: '/api/policies/{hash}/diff/{other}', scope: 'read', summary: 'What changes from one policy to another', params: byHash.extend({ other: schemas.id }), answers: { status: 200, schema: schemas.policyDifference, description: 'By category and clause.' } }),
  operation({ id: 'policies.test', method: 'post', path: '/api/policies/{hash}/test', scope: 'judge', summary: 'Does each clause catch its own examples?', params: byHash, answers: { status: 200, schema: schemas.policyTest, description: 'By clause, what was missed.' }, events: schemas.progressEvent, problems: [502, 504] }),
  operation({
    id: 'policies.impact', method: 'post', path: '/api/policies/{hash}/impact', scope: 'judge', summary: 'Which past verdicts would flip under a policy?', description: 'Past cases are judged again; what the change does not touch is recalled.', params: byHash, body: schemas.impactRequest,
    answers: { status: 200, schema: schemas.impactReport, description: 'What would change.' }, events: schemas.progressEvent, problems: [422, 502],
  }),
  operation({ id: 'policies.activate', method: 'put', path: '/api/policies/{hash}/activation', scope: 'admin', summary: 'Judge new cases by a policy', params: byHash, answers: { status: 200, schema: schemas.policyVersion, description: 'The policy in force.' }, problems: [409] }),
] as const;
