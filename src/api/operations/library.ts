import { z } from 'zod';
import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const { byId } = schemas;

export const precedents = [
  operation('precedents.list', 'get', '/api/precedents', 'read', {
    summary: 'List the decided cases that debates draw on',
    query: schemas.precedentQuery,
    answers: { status: 200, schema: schemas.precedentPage, description: 'A page of precedents.' },
  }),
  operation('precedents.create', 'post', '/api/precedents', 'review', {
    summary: 'Put a decided case into the library',
    body: schemas.newPrecedent,
    answers: { status: 201, schema: schemas.keptPrecedent, description: 'The precedent.' },
    idempotent: true,
    problems: [409, 422],
  }),
  operation('precedents.search', 'post', '/api/precedents/search', 'read', {
    summary: 'Which precedents are alike to a text',
    body: schemas.precedentSearch,
    answers: { status: 200, schema: schemas.precedentMatches, description: 'The most alike first.' },
  }),
  operation('precedents.get', 'get', '/api/precedents/{id}', 'read', {
    summary: 'One precedent',
    params: byId,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
  }),
  operation('precedents.change', 'patch', '/api/precedents/{id}', 'review', {
    summary: 'Correct the words of a precedent',
    description: 'Its text and its label stay: another text is another precedent.',
    params: byId,
    body: schemas.precedentChange,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
    problems: [409, 422],
  }),
  operation('precedents.retire', 'post', '/api/precedents/{id}/retirement', 'review', {
    summary: 'Take a precedent out of use',
    params: byId,
    body: schemas.reason,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
    problems: [409],
  }),
  operation('precedents.approve', 'post', '/api/precedents/{id}/approval', 'review', {
    summary: 'Put a proposed precedent in force',
    description: 'What it contradicts is overruled.',
    params: byId,
    answers: { status: 200, schema: schemas.approved, description: 'What was approved and overruled.' },
    problems: [409],
  }),
  operation('precedents.reject', 'post', '/api/precedents/{id}/rejection', 'review', {
    summary: 'Turn a proposed precedent down',
    params: byId,
    body: schemas.perhapsReason,
    answers: { status: 200, schema: schemas.keptPrecedent, description: 'The precedent.' },
    problems: [409],
  }),
  operation('learning.learn', 'post', '/api/learning', 'review', {
    summary: 'Make precedents of mistakes',
    description: 'The curator studies verdicts that people decided otherwise.',
    body: schemas.learnRequest,
    answers: { status: 200, schema: schemas.learnReport, description: 'What was learnt.' },
    events: schemas.progressEvent,
    problems: [409, 502],
  }),
] as const;

const byHash = z.strictObject({
  hash: schemas.id.describe('The hash of a policy on record (or the beginning of it, from 12 letters), or `active`.'),
});

export const policies = [
  operation('policies.list', 'get', '/api/policies', 'read', {
    summary: 'The policies on record, all versions',
    answers: { status: 200, schema: schemas.policyPage, description: 'The one in force first.' },
  }),
  operation('policies.create', 'post', '/api/policies', 'review', {
    summary: 'Check a policy file and put it on record',
    description: 'It is not in force yet: test it, look at its impact, then activate it.',
    body: schemas.policyWritten,
    answers: { status: 201, schema: schemas.policy, description: 'The policy as it was read.' },
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
    answers: { status: 200, schema: schemas.policyTest, description: 'By clause, what was missed.' },
    events: schemas.progressEvent,
    problems: [502, 504],
  }),
  operation('policies.impact', 'post', '/api/policies/{hash}/impact', 'judge', {
    summary: 'Which past verdicts would flip under a policy?',
    description: 'Past cases are judged again; what the change does not touch is recalled.',
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
