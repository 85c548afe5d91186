import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** What people say of the claims of an analysis, and what they make of its findings for its report. */
export const corrections = [
  operation('corrections.create', 'post', '/api/cases/{id}/corrections', 'review', {
    summary: 'Correct the verdict on a claim',
    description:
      'The analysis stays as it is, and the correction stands beside it, in its reports too. Later analyses recall ' +
      'it: the same claim on the same evidence takes its label, a claim alike is shown it and is less sure. Only ' +
      'code can make a claim `verified-strong` or `contradicted`: who says so is shown as a person who says so.',
    body: schemas.correctionRequest,
    answers: { status: 201, schema: schemas.correction, description: 'The correction now recorded.' },
    idempotent: true,
    problems: [409, 410, 422],
    example: { claim: '2', label: 'supported', why: 'The margin is stated before freight.' },
  }),
  operation('corrections.ofCase', 'get', '/api/cases/{id}/corrections', 'read', {
    summary: 'The corrections of an analysis',
    query: schemas.correctionsQuery,
    answers: { status: 200, schema: schemas.correctionList, description: 'In the order they were made.' },
  }),
  operation('corrections.list', 'get', '/api/corrections', 'read', {
    summary: 'The corrections of all analyses',
    query: schemas.correctionsQuery,
    answers: { status: 200, schema: schemas.correctionList, description: 'In the order they were made.' },
  }),
  operation('corrections.withdraw', 'post', '/api/corrections/{id}/withdrawal', 'review', {
    summary: 'Take a correction back',
    description: 'It stays on record, and later analyses no longer recall it.',
    body: schemas.withdrawalRequest,
    answers: { status: 200, schema: schemas.correction, description: 'The correction, withdrawn.' },
    problems: [409],
    example: { why: 'I misread the table.' },
  }),
  operation('findings.ofCase', 'get', '/api/cases/{id}/findings', 'read', {
    summary: 'What people made of the findings of an analysis',
    answers: { status: 200, schema: schemas.findingEditList, description: 'The last word on each finding.' },
  }),
  operation('findings.edit', 'put', '/api/cases/{id}/findings/{finding}', 'review', {
    summary: 'Word a finding, note something on it, or leave it out of exports',
    description:
      'For the reports of this analysis: `wording` and `note` stand in them beside what the machine says, under the ' +
      'person’s name. What the request does not say is taken away.',
    params: schemas.byFinding,
    body: schemas.findingEditRequest,
    answers: { status: 200, schema: schemas.findingEdit, description: 'What is now kept.' },
    problems: [409, 410],
    example: { wording: 'The margin is 41 %, not 45 %.', note: 'Ask the auditor.' },
  }),
] as const;
