import { keepLastOfSeats, type Role } from '@agonhq/engine/debate';
import { findingsSchema, type Findings } from '../answers.ts';
import { type ModerationCase, layOutCase } from '../case-file.ts';
import { findArguments, renderArgument } from './debaters.ts';

const task = [
  'You are the arbiter. Weigh arguments, not voices or means of scores. Fill in both findings, whatever the other ' +
    'says; one that holds needs a quote from the case.',
  "exoneration (Rule 1) holds when a quotable benign context overrides the objective risk: an AI's explicit refusal, " +
    'clear education, news, fiction, prevention.',
  'risk (Rule 2) holds when the content concretely breaks a clause: actionable instructions or a request for them, ' +
    'an attack, a hateful symbol. Being sensitive is not enough.',
  'When neither clearly holds, the content is safe by default (Rule 3).',
  'statement: the judgment for the record and what decided it. confidence: in the judgment. score: the final risk.',
].join('\n');

/** The judge: findings rule by rule, each with evidence. Code applies the priority of the rules. */
export const arbiter: Role<Findings, ModerationCase> = {
  id: 'arbiter',
  schema: findingsSchema,
  schemaName: 'findings',
  maxOutputTokens: 900,
  temperature: 0,
  prompt: (question) => {
    const turns = findArguments(question.transcript);
    const latest = keepLastOfSeats(turns);
    const said = turns.map((turn) => renderArgument(turn, { quotes: latest.includes(turn) })).join('\n');
    return layOutCase(question, { said, task });
  },
  read: (findings) => ({
    statement: findings.statement,
    score: findings.score,
    quotes: [...findings.exoneration.evidence, ...findings.risk.evidence],
  }),
  fallback: () => ({
    statement: 'The arbiter gave no answer.',
    exoneration: { why: '', evidence: [], holds: false },
    risk: { why: '', evidence: [], holds: false, clauses: [] },
    confidence: 0,
    score: 0.5,
  }),
};
