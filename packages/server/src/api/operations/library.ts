import { z } from 'zod';
import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

export const precedents = [
  operation('precedents.list', 'get', '/api/precedents', 'read', {
    summary: 'List the decided cases that debates draw on',
    query: schemas.precedentQuery,
    answers: { status: 200, schema: schemas.precedentPage, description: 'A page of precedents.' },
  }),
  operation('precedents.create', 'post', '/api/precedents', 'review', {
    summary: 'Add a precedent',
    body: schemas.newPrecedent,
    answers: { status: 201, schema: schemas.keptPrecedent, description: 'The precedent.' },
    idempotent: true,
    problems: [409, 422],
  }),
  operation('precedents.search', 'post', '/api/precedents/search', 'read', {
    summary: 'Find precedents similar to a text',
    body: schemas.precedentSearch,
    answers: { status: 200, schema: schemas.precedentMatches, description: 'Most similar first.' },
  }),
  operation('precedents.get', 'get', '/api/precedents/{id}', 'read', {
    summary: 'One precedent',
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
  }),
  operation('precedents.change', 'patch', '/api/precedents/{id}', 'review', {
    summary: 'Edit a precedent',
    description: 'Its text and label cannot change: another text is another precedent.',
    body: schemas.precedentChange,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
    problems: [409, 422],
  }),
  operation('precedents.retire', 'post', '/api/precedents/{id}/retirement', 'review', {
    summary: 'Take a precedent out of use',
    body: schemas.reason,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
    problems: [409],
  }),
  operation('precedents.approve', 'post', '/api/precedents/{id}/approval', 'review', {
    summary: 'Approve a proposed precedent',
    description: 'Precedents that it contradicts are overruled.',
    answers: { status: 200, schema: schemas.approved, description: 'The approved and the overruled precedents.' },
    problems: [409],
  }),
  operation('precedents.reject', 'post', '/api/precedents/{id}/rejection', 'review', {
    summary: 'Reject a proposed precedent',
    body: schemas.perhapsReason,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
    problems: [409],
  }),
  operation('learning.learn', 'post', '/api/learning', 'review', {
    summary: 'Learn precedents from mistakes',
    description: 'The curator studies verdicts that people have overruled.',
    body: schemas.learnRequest,
    answers: { status: 200, schema: schemas.learnReport, description: 'What was learnt.' },
    events: schemas.progressEvent,
    problems: [409, 502],
  }),
] as const;

const byHash = z.strictObject({
  hash: schemas.id.describe('The hash of a recorded policy (or its first 12 or more characters), or `active`.'),
});

export const policies = [
  operation('policies.list', 'get', '/api/policies', 'read', {
    summary: 'All versions of the recorded policies',
    answers: { status: 200, schema: schemas.policyPage, description: 'The one in force first.' },
  }),
  operation('policies.create', 'post', '/api/policies', 'review', {
    summary: 'Check and record a policy file',
    description: 'It is not in force yet: test it, look at its impact, then activate it.',
    body: schemas.policyWritten,
    answers: { status: 201, schema: schemas.policy, description: 'The recorded policy.' },
    idempotent: true,
    problems: [422],
  }),
  operation('policies.get', 'get', '/api/policies/{hash}', 'read', {
    summary: 'A policy',
    params: byHash,
    query: z.strictObject({ format: z.enum(['json', 'yaml']).default('json') }),
    answers: {
      status: 200,
      schema: schemas.policy,
      media: ['application/json', 'application/yaml'],
      description: 'The policy.',
    },
  }),
  operation('policies.diff', 'get', '/api/policies/{hash}/diff/{other}', 'read', {
    summary: 'What changes from one policy to another',
    params: byHash.extend({ other: schemas.id }),
    answers: { status: 200, schema: schemas.policyDifference, description: 'By category and clause.' },
  }),
  operation('policies.test', 'post', '/api/policies/{hash}/test', 'judge', {
    summary: 'Does each clause catch its own examples?',
    params: byHash,
    answers: { status: 200, schema: schemas.policyTest, description: 'The missed examples by clause.' },
    events: schemas.progressEvent,
    problems: [502, 504],
  }),
  operation('policies.impact', 'post', '/api/policies/{hash}/impact', 'judge', {
    summary: 'Which past verdicts would flip under a policy?',
    description: 'Past cases are judged again; arguments that the change does not affect are recalled.',
    params: byHash,
    body: schemas.impactRequest,
    answers: { status: 200, schema: schemas.impactReport, description: 'What would change.' },
    events: schemas.progressEvent,
    problems: [422, 502],
  }),
  operation('policies.activate', 'put', '/api/policies/{hash}/activation', 'admin', {
    summary: 'Judge new cases by a policy',
    params: byHash,
    answers: { status: 200, schema: schemas.policyVersion, description: 'The policy in force.' },
    problems: [409],
  }),
] as const;
