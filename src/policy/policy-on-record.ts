import { AgonError } from '../errors.ts';
import { hashOf } from '../hash.ts';
import type { Policy } from './policy.ts';

/** A policy as it was put on record, if it is still what its hash says. */
export function policyOnRecord(document: unknown): Policy {
  const { hash, ...content } = document as Policy;
  if (hashOf(content) === hash) return document as Policy;
  throw new AgonError('broken-record', 'The policy on record is not the one its hash names.', {
    library: 'The record was changed from outside: name a policy file.',
    cli: 'The record was changed from outside: name the policy with --policy FILE.',
  });
}
