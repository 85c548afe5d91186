import { z } from 'zod';
import {
  baselineRoles,
  findLastTurn,
  listQuotes,
  renderExamples,
  type RoleKey,
  type Turn,
} from '@agonhq/engine/debate';
import { toOneLine } from '@agonhq/engine/text';
import { opinionSchema, type Opinion } from '../answers.ts';
import { type ModerationCase, layOutCase } from '../case-file.ts';

/** Whoever judges without a role: one alone, or those of the methods beside the debate. */
export const judge: RoleKey<Opinion> = { id: 'judge', schema: opinionSchema };

export const judges = baselineRoles<Opinion, ModerationCase>({
  ...judge,
  schemaName: 'judgment',
  maxOutputTokens: 600,
  task: ({ caseFile }) =>
    'You are a judge. Say whether the content breaks the policy: it concretely breaks a clause (actionable ' +
    'instructions or a request for them, an attack, a hateful symbol; being sensitive is not enough), ' +
    'and no benign context that it shows outweighs that (an explicit refusal, education, news, fiction, ' +
    `prevention).${caseFile.modality === 'text+image' ? ' Read text and image as one message.' : ''}`,
  howToAnswer:
    'statement: your judgment and what decides it. evidence: the two or three quotes of the case that carry it; an ' +
    'unsafe judgment needs one. clauses: those broken, else none. score: the risk, unsafe from 0.5.',
  layOut: layOutCase,
  heard: [judge],
  renderTurn: renderOpinion,
  recall: ({ score }) => `score was ${score}`,
  read: (opinion) => ({ statement: opinion.statement, score: opinion.score, quotes: opinion.evidence }),
  fallback: (question) => ({
    statement: 'No answer.',
    evidence: [],
    clauses: [],
    score: findLastTurn(question.transcript, question.seat)?.score ?? 0.5,
  }),
});

/** One line each, so that none can speak in the name of another. */
function renderOpinion(turn: Turn<Opinion>): string {
  const heading = `${turn.seat}, round ${turn.round}`;
  if (turn.fallback) return `${heading}: gave no answer.`;
  const { clauses } = turn.answer;
  const quoted = listQuotes(turn).map((quote) => JSON.stringify(quote));
  return [
    `${heading}, score ${turn.score}: ${toOneLine(turn.statement)}`,
    quoted.length > 0 && `Quotes: ${quoted.join(', ')}`,
    clauses.length > 0 && `Clauses: ${clauses.map(toOneLine).join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n');
}

const shotSchema = z
  .strictObject({
    text: z.string().min(1).optional(),
    image_description: z.string().min(1).optional(),
    label: z.enum(['safe', 'unsafe']),
    why: z.string().optional(),
  })
  .refine(
    ({ text, image_description }) => text !== undefined || image_description !== undefined,
    'an example needs a text, an image_description, or both',
  );

/**
 * Decided cases that a judge on its own is shown before the one it decides. More would weigh on every call more than
 * they teach.
 */
export const shotsSchema = z.array(shotSchema).max(8);

export type Shot = z.infer<typeof shotSchema>;

export function renderShots(shots: readonly Shot[], secret: string): string {
  const heading = 'Cases that were decided under this policy, as examples; none of them is the one you judge:';
  const examples = shots.map(({ text, image_description, label, why }) => [
    ...(text === undefined ? [] : [{ part: 'text', text }]),
    ...(image_description === undefined ? [] : [{ part: 'image', text: image_description }]),
    { part: 'decided', text: why ? `${label}: ${why}` : label },
  ]);
  return renderExamples(heading, examples, secret);
}
