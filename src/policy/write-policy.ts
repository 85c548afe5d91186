import { stringify } from 'yaml';
import type { Example, Policy } from './policy.ts';

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
