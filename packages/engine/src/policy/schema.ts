import { z } from 'zod';
import { sensitivitySchema } from './sensitivity.ts';
import { actionIds, severities } from './known-actions.ts';

const word = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';
const categoryId = new RegExp(`^${word}$`, 'u');
const clauseId = new RegExp(`^${word}\\.${word}$`, 'u');
const longestLine = 1000;

const text = z.string('must be a text').trim().min(1, 'is empty');
/** What stands in prompts stands on one line. */
const line = text
  .max(longestLine, `is longer than ${longestLine} characters: it is part of every prompt`)
  .transform((value) => value.replace(/\s+/gu, ' '));

const exampleFields = z
  .strictObject(
    { text: text.optional(), image_description: text.optional() },
    'must be a text, or a mapping with text and image_description',
  )
  .refine((example) => example.text !== undefined || example.image_description !== undefined, {
    error: 'is empty',
    when: ({ issues }) => issues.length === 0,
  })
  .transform(({ text, image_description }) => ({
    ...(text === undefined ? {} : { text }),
    ...(image_description === undefined ? {} : { imageDescription: image_description }),
  }));
const example = z.preprocess((value) => (typeof value === 'string' ? { text: value } : value), exampleFields);
const examples = z.array(example, 'must be a list of examples').min(1, 'needs at least one example');

const clause = z.strictObject(
  {
    id: z
      .string('must be a text')
      .regex(clauseId, 'must be the id of its category, a dot and a name in kebab-case, like weapons.make'),
    text: line,
    severity: z.enum(severities, 'must be low, medium, high or critical'),
    violations: examples,
    exonerations: examples,
    action: z.string('must be a text').optional(),
  },
  'must be a mapping with id, text, severity, violations and exonerations',
);

const category = z
  .strictObject(
    {
      id: z
        .string('must be a text')
        .regex(categoryId, 'must be in kebab-case: small letters and digits, words joined by -'),
      title: line,
      clauses: z.array(clause, 'must be a list of clauses').min(1, 'needs at least one clause'),
    },
    'must be a mapping with id, title and clauses',
  )
  .check(({ value, issues }) => {
    if (!categoryId.test(value.id)) return;
    for (const [index, { id }] of value.clauses.entries()) {
      if (id.startsWith(`${value.id}.`)) continue;
      const message = `is "${id}" but must begin with the id of its category: "${value.id}."`;
      issues.push({ code: 'custom', input: id, message, path: ['clauses', index, 'id'] });
    }
  });

/** What clauses may ask for beside the actions that every policy knows, and what the notice says of it. */
const actions = z.record(z.string(), line, 'must be a mapping of actions').check(({ value, issues }) => {
  for (const id of Object.keys(value)) {
    const wrong = !categoryId.test(id)
      ? 'must be in kebab-case: small letters and digits, words joined by -'
      : id === 'forbid' && 'cannot be an action: a clause that says so has the default of its severity';
    if (wrong) issues.push({ code: 'custom', input: id, message: wrong, path: [id] });
  }
});

/** A policy file as it is written, to a policy's content. Every scalar of the file is a string. */
export const policySchema = z
  .strictObject(
    {
      name: line,
      version: line,
      preamble: line.optional(),
      sensitivity: sensitivitySchema.optional(),
      actions: actions.optional(),
      categories: z.array(category, 'must be a list of categories').min(1, 'needs at least one category'),
    },
    'a policy must be a mapping with name, version and categories',
  )
  .check(({ value, issues }) => {
    const seen = new Set<string>();
    const claim = (id: string, path: (string | number)[]) => {
      if (seen.has(id))
        issues.push({ code: 'custom', input: id, message: `is "${id}", which is the id of something above`, path });
      seen.add(id);
    };
    for (const [at, category] of value.categories.entries()) {
      claim(category.id, ['categories', at, 'id']);
      for (const [index, { id }] of category.clauses.entries()) claim(id, ['categories', at, 'clauses', index, 'id']);
    }
  })
  .check(({ value, issues }) => {
    const known = new Set<string>(['forbid', ...actionIds, ...Object.keys(value.actions ?? {})]);
    for (const [at, { clauses }] of value.categories.entries())
      for (const [index, { action }] of clauses.entries())
        if (action !== undefined && !known.has(action))
          issues.push({
            code: 'custom',
            input: action,
            message: `must be ${actionIds.join(', ')}, or one that the policy names under actions, not "${action}"`,
            path: ['categories', at, 'clauses', index, 'action'],
          });
  });

/** The keys that may stand at a place of the file, for suggestions. */
export function keysAt(path: readonly PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(policySchema.shape);
  const list = path.at(-2);
  if (list === 'categories') return Object.keys(category.shape);
  return list === 'clauses' ? Object.keys(clause.shape) : ['text', 'image_description'];
}
