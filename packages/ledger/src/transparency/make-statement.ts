import { createMask, listPeople } from '@agonhq/engine/personal-data';
import { listActions, type Policy } from '@agonhq/engine/policy';
import { nameClauses, shortenQuote } from '@agonhq/engine/view';
import type { Case, CaseOutcome } from '../index.ts';
import {
  nameContentTypes,
  nameLanguageForDsa,
  visibilityByAction,
  type ContentVisibility,
  type StatementColumn,
  type StatementSettings,
} from './dsa-terms.ts';
import type { SettledCase } from './settle-case.ts';

/** A statement of reasons as the DSA Transparency Database takes it, and what of it nobody here knows. */
export interface StatementOfReasons {
  version: 1;
  case: string;
  /** Of the answer: leads to the record. */
  seal: string;
  decidedAt: string;
  statement: Partial<Record<StatementColumn, string | readonly string[] | null>>;
  /** Members that the database asks for, and that neither the record nor the settings tell. */
  notKnown: readonly StatementColumn[];
}

export interface StatementOptions {
  settings?: StatementSettings | undefined;
  /** Whether passages of the content are quoted, with personal data masked as far as it is found. */
  quotes?: boolean | undefined;
}

/** The database takes no more. */
const mostCharacters = 5_000;

/** What a decision does to what people see; null where it restricts nothing, or nobody said what it does. */
export function findVisibility(
  { action }: Pick<SettledCase, 'action'>,
  settings: StatementSettings | undefined,
): ContentVisibility | null {
  if (action === null) return null;
  if (Object.hasOwn(visibilityByAction, action)) return visibilityByAction[action]!;
  return settings?.visibility?.[action] ?? 'DECISION_VISIBILITY_OTHER';
}

/** The statement of reasons for a decision that restricts something. Nothing in it is made up. */
export function makeStatement(
  record: Case,
  outcome: CaseOutcome,
  settled: SettledCase,
  { settings, quotes = false }: StatementOptions = {},
): StatementOfReasons {
  const policy = record.policy.document as Policy;
  const visibility = findVisibility(settled, settings) ?? 'DECISION_VISIBILITY_OTHER';
  const ground = explainGround(record, policy, settled);
  const known: Partial<Record<StatementColumn, string | readonly string[] | null | undefined>> = {
    puid: settled.decision ?? record.id,
    decision_visibility: [visibility],
    ...(visibility === 'DECISION_VISIBILITY_OTHER'
      ? { decision_visibility_other: describeOwnAction(policy, settled.action!) }
      : {}),
    // Agon decides on contents: neither on money, nor on the service, nor on accounts.
    decision_monetary: null,
    decision_provision: null,
    decision_account: null,
    decision_ground: 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
    decision_ground_reference_url: settings?.rulesUrl,
    ...ground,
    incompatible_content_illegal: undefined,
    category: findCategory(outcome, settled, settings),
    content_type: nameContentTypes(outcome.modality),
    content_language: nameLanguageForDsa(outcome.language),
    content_date: undefined,
    territorial_scope: settings?.territorialScope,
    application_date: settled.at.toISOString().slice(0, 10),
    end_date_visibility_restriction: undefined,
    decision_facts: describeFacts(record, settled, quotes),
    source_type: settings?.source,
    automated_detection:
      settings?.automatedDetection === undefined ? undefined : settings.automatedDetection ? 'Yes' : 'No',
    automated_decision: settled.by === 'machine' ? 'AUTOMATED_DECISION_FULLY' : 'AUTOMATED_DECISION_PARTIALLY',
  };
  const told = Object.entries(known).filter(([, value]) => value !== undefined);
  return {
    version: 1,
    case: record.id,
    seal: outcome.seal,
    decidedAt: settled.at.toISOString(),
    statement: Object.fromEntries(told),
    notKnown: (Object.keys(known) as StatementColumn[]).filter((name) => known[name] === undefined),
  };
}

function describeOwnAction(policy: Policy, action: string): string {
  return listActions(policy).find(({ id }) => id === action)?.text ?? action;
}

function explainGround({ policy: { name, version } }: Case, policy: Policy, { clauses }: SettledCase) {
  const named = nameClauses(clauses, policy);
  const house = `${name}, version ${version}`;
  if (named.length === 0)
    return {
      incompatible_content_ground: house,
      incompatible_content_explanation: undefined,
    };
  return {
    incompatible_content_ground: cut(`${house}: ${named.map(({ id, title }) => `${title} (${id})`).join('; ')}`),
    incompatible_content_explanation: cut(named.map(({ id, text }) => `${id}: ${text ?? '–'}`).join('\n')),
  };
}

function findCategory(
  { categories }: CaseOutcome,
  { clauses }: SettledCase,
  settings: StatementSettings | undefined,
): string | undefined {
  const names = [...clauses, ...categories];
  return names.map((name) => settings?.categories?.[name]).find((name) => name !== undefined);
}

/** How it was decided, and on what; in the words of code. */
function describeFacts(record: Case, settled: SettledCase, quotes: boolean): string {
  const { answer, label } = record;
  const isOwn = settled.by === 'machine' || settled.label === label;
  const evidence = isOwn ? (answer?.verdict.evidence ?? []).filter(({ verified }) => verified) : [];
  const how =
    settled.by === 'machine'
      ? 'Automated reviewers judged the content against the rules; code checked every quotation and applied them.'
      : isOwn
        ? 'An automated review came to this result, and a person confirmed it.'
        : 'A person decided, after an automated review that had come to another result.';
  const basis =
    evidence.length === 0
      ? 'The decision is based on the content as a whole.'
      : 'The decision is based on ' +
        `${evidence.length === 1 ? 'a passage' : `${evidence.length} passages`} of the content.`;
  if (!quotes || evidence.length === 0) return `${how} ${basis}`;
  const mask = createMask([], listPeople(record.context ?? undefined));
  const shown = evidence.map(({ quote }) => `“${mask.mask(shortenQuote(quote))}”`).join(' ');
  return cut(`${how} ${basis} ${shown}`);
}

function cut(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1).toWellFormed()}…`;
}
