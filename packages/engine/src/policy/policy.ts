import { stringify } from 'yaml';
import type { Severity } from './known-actions.ts';
import type { Sensitivity } from './sensitivity.ts';

/**
 * The policy for a prompt: the preamble, then one line for each clause in force. Titles, severities and examples stay
 * out, since every call of a debate pays for them; ids stay whole, since they are what a reasoner cites.
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
  const clauses = policy.categories.flatMap((category) =>
    category.clauses.filter((clause) => !isAllowed(clause)).map(({ id, text }) => ` ${id} ${text}`),
  );
  return [...(policy.preamble ? [policy.preamble] : []), ...clauses].join('\n');
}

/** A policy as a file, which reads as the same policy: its comments and layout are gone, its hash is not. */
export function writePolicy({ name, version, preamble, sensitivity, actions, categories }: Policy): string {
  return stringify(
    {
      name,
      version,
      ...(preamble === undefined ? {} : { preamble }),
      ...(sensitivity === undefined ? {} : { sensitivity }),
      ...(actions === undefined ? {} : { actions }),
      categories: categories.map(({ id, title, clauses }) => ({
        id,
        title,
        clauses: clauses.map((clause) => ({
          id: clause.id,
          text: clause.text,
          severity: clause.severity,
          violations: clause.violations.map(written),
          exonerations: clause.exonerations.map(written),
          ...(clause.action === undefined ? {} : { action: clause.action }),
        })),
      })),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

function written({ text, imageDescription }: ClauseExample): unknown {
  if (imageDescription === undefined) return text;
  return { ...(text === undefined ? {} : { text }), image_description: imageDescription };
}

/** A content that shows where a clause begins or ends. At least one of the two is there. */
export interface ClauseExample {
  text?: string;
  /** What an image shows, in words: it stands for the image. */
  imageDescription?: string;
}

export type { Severity };

/** One rule of a category, with examples that show where it begins and where it ends. */
export interface Clause {
  /** `weapons.make`: unique in the policy, prefixed by its category's id. */
  id: string;
  /** One short phrase: it is in every prompt. */
  text: string;
  severity: Severity;
  /** Contents that break the clause. */
  violations: readonly ClauseExample[];
  /** Contents that look alike and do not. */
  exonerations: readonly ClauseExample[];
  /**
   * What is to be done with what breaks it: `remove`, …, or one of the policy's own. `allow` switches the clause off:
   * what falls under it is not flagged. Absent, or `forbid`, it is the default of its severity.
   */
  action?: string;
}

/** Whether a clause is switched off. */
export function isAllowed({ action }: Pick<Clause, 'action'>): boolean {
  return action === 'allow';
}

export interface Category {
  id: string;
  title: string;
  clauses: readonly Clause[];
}

/** The rulebook. */
export interface Policy {
  name: string;
  version: string;
  /** How to read all clauses, said once ahead of them. */
  preamble?: string;
  /** How soon the embedded reasoner calls something unsafe; a setting of the user's wins over it. */
  sensitivity?: Sensitivity;
  /** Actions of its own by id, and words of its own for the others: what the notice says to the person concerned. */
  actions?: Readonly<Record<string, string>>;
  categories: readonly Category[];
  /** `sha256:…` of the policy's content, whatever its comments and layout. */
  hash: string;
}

/** The clause of an id, with its category. */
export function findClause(policy: Policy, id: string): { category: Category; clause: Clause } | undefined {
  for (const category of policy.categories) {
    const clause = category.clauses.find((candidate) => candidate.id === id);
    if (clause) return { category, clause };
  }
  return undefined;
}

/** The clauses that a judge named by id, each with its category; those that the policy allows are told apart. */
interface NamedClauses {
  categories: { id: string; clause: string }[];
  allowed: string[];
  unknown: string[];
}

/** Finds the clauses that a judge named by id. A category's id stands for the first of its clauses in force. */
export function namedCategories(ids: readonly string[], policy: Policy): NamedClauses {
  const unknown: string[] = [];
  const allowed = new Set<string>();
  const named = new Map<string, { id: string; clause: string }>();
  for (const id of ids) {
    const found = findClause(policy, id) ?? findFirstClause(policy, id);
    if (!found) unknown.push(id);
    else if (isAllowed(found.clause)) allowed.add(found.clause.id);
    else named.set(found.clause.id, { id: found.category.id, clause: found.clause.id });
  }
  return { categories: [...named.values()], allowed: [...allowed], unknown };
}

function findFirstClause(policy: Policy, id: string): { category: Category; clause: Clause } | undefined {
  const category = policy.categories.find((candidate) => candidate.id === id);
  if (!category) return undefined;
  return { category, clause: category.clauses.find((clause) => !isAllowed(clause)) ?? category.clauses[0]! };
}
