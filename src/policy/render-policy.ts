import type { Policy, Example } from './policy.ts';
import { stringify } from 'yaml';

/**
 * The policy for a prompt: the preamble, then one line a clause. Titles, severities and examples stay out, since
 * every call of a debate pays for them; ids stay whole, since they are what a reasoner cites.
 *
 * @example renderPolicy(policy) // "…\n weapons.make building or modifying guns, bombs or other weapons\n …"
 */
export function renderPolicy(policy: Policy): string {
  let words = rendered.get(policy);
  if (words === undefined) rendered.set(policy, (words = render(policy)));
  return words;
}

const rendered = new WeakMap<Policy, string>();

function render(policy: Policy): string {
  // Tokenizers know " weapons" as one token and "weapons" as two: the space before an id makes it cheaper.
  const clauses = policy.categories.flatMap((category) => category.clauses.map(({ id, text }) => ` ${id} ${text}`));
  return [...(policy.preamble ? [policy.preamble] : []), ...clauses].join('\n');
}

/** A policy as a file, which reads as the same policy: its comments and layout are gone, its hash is not. */
export function writePolicy({ name, version, preamble, categories }: Policy): string {
  return stringify(
    {
      name,
      version,
      ...(preamble === undefined ? {} : { preamble }),
      categories: categories.map(({ id, title, clauses }) => ({
        id,
        title,
        clauses: clauses.map((clause) => ({
          id: clause.id,
          text: clause.text,
          severity: clause.severity,
          violations: clause.violations.map(written),
          exonerations: clause.exonerations.map(written),
        })),
      })),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

function written({ text, imageDescription }: Example): unknown {
  if (imageDescription === undefined) return text;
  return { ...(text === undefined ? {} : { text }), image_description: imageDescription };
}
