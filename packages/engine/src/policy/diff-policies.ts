import { hashOf } from '../hash.ts';
import type { Category, Clause, Policy } from './policy.ts';

/** What is different in another policy. */
export interface PolicyChange {
  /** The id of a category or a clause; `policy` for what holds for all of it. */
  at: string;
  kind: 'added' | 'removed' | 'changed';
  /** `category` and `clause` come and go; `categories` and `clauses` are in another order; the rest are fields. */
  what:
    | 'name'
    | 'version'
    | 'preamble'
    | 'sensitivity'
    | 'actions'
    | 'categories'
    | 'category'
    | 'title'
    | 'clauses'
    | 'clause'
    | 'text'
    | 'severity'
    | 'violations'
    | 'exonerations'
    | 'action';
  /** Null where there was nothing. */
  before: unknown;
  after: unknown;
}

/**
 * What changes from one policy to another, in the order of the new one; what was removed is told where it stood.
 *
 * @example diffPolicies(old, edited) // [{ at: 'weapons.make', kind: 'changed', what: 'severity', before: 'high',
 * after: 'critical' }]
 */
export function diffPolicies(before: Policy, after: Policy): PolicyChange[] {
  return [
    ...fieldChanges('policy', before, after, ['name', 'version', 'preamble', 'sensitivity', 'actions']),
    ...orderChange('policy', 'categories', before.categories, after.categories),
    ...memberChanges('category', before.categories, after.categories, categoryChanges),
  ];
}

function categoryChanges(before: Category, after: Category): PolicyChange[] {
  return [
    ...fieldChanges(after.id, before, after, ['title']),
    ...orderChange(after.id, 'clauses', before.clauses, after.clauses),
    ...memberChanges('clause', before.clauses, after.clauses, clauseChanges),
  ];
}

function clauseChanges(before: Clause, after: Clause): PolicyChange[] {
  return fieldChanges(after.id, before, after, ['text', 'severity', 'violations', 'exonerations', 'action']);
}

function fieldChanges<Part>(
  at: string,
  before: Part,
  after: Part,
  fields: readonly (keyof Part & PolicyChange['what'])[],
): PolicyChange[] {
  return fields.flatMap((what): PolicyChange[] => {
    const [old, now] = [before[what] ?? null, after[what] ?? null];
    if (hashOf(old) === hashOf(now)) return [];
    return [{ at, kind: old === null ? 'added' : now === null ? 'removed' : 'changed', what, before: old, after: now }];
  });
}

/** Those that both have stand in another order. */
function orderChange(
  at: string,
  what: 'categories' | 'clauses',
  before: readonly { id: string }[],
  after: readonly { id: string }[],
): PolicyChange[] {
  const [old, now] = [idsAlsoIn(after, before), idsAlsoIn(before, after)];
  return old.join() === now.join() ? [] : [{ at, kind: 'changed', what, before: old, after: now }];
}

function idsAlsoIn(others: readonly { id: string }[], parts: readonly { id: string }[]): string[] {
  const known = new Set(others.map(({ id }) => id));
  return parts.flatMap(({ id }) => (known.has(id) ? [id] : []));
}

function memberChanges<Member extends { id: string }>(
  what: 'category' | 'clause',
  before: readonly Member[],
  after: readonly Member[],
  changesOf: (before: Member, after: Member) => PolicyChange[],
): PolicyChange[] {
  const old = new Map(before.map((member) => [member.id, member]));
  const now = new Map(after.map((member) => [member.id, member]));
  return idsInOrder(before, after).flatMap((at): PolicyChange[] => {
    const [was, is] = [old.get(at), now.get(at)];
    if (was && is) return changesOf(was, is);
    return [{ at, kind: is ? 'added' : 'removed', what, before: was ?? null, after: is ?? null }];
  });
}

/** The ids of the new order, with those that are gone behind what they followed. */
function idsInOrder(before: readonly { id: string }[], after: readonly { id: string }[]): string[] {
  const ids = after.map(({ id }) => id);
  before.forEach(({ id }, index) => {
    if (!ids.includes(id)) ids.splice(index === 0 ? 0 : ids.indexOf(before[index - 1]!.id) + 1, 0, id);
  });
  return ids;
}
