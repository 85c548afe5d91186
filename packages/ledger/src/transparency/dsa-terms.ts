import { z } from 'zod';
import { setting } from '@agonhq/engine/setting';

/*
 * The words of the DSA Transparency Database, as its API takes them
 * (https://transparency.dsa.ec.europa.eu/page/api-documentation). Only what Agon or its settings can know is here.
 */

export const contentVisibilities = [
  'DECISION_VISIBILITY_CONTENT_REMOVED',
  'DECISION_VISIBILITY_CONTENT_DISABLED',
  'DECISION_VISIBILITY_CONTENT_DEMOTED',
  'DECISION_VISIBILITY_CONTENT_AGE_RESTRICTED',
  'DECISION_VISIBILITY_CONTENT_INTERACTION_RESTRICTED',
  'DECISION_VISIBILITY_CONTENT_LABELLED',
  'DECISION_VISIBILITY_OTHER',
] as const;
export type ContentVisibility = (typeof contentVisibilities)[number];

export const sourceTypes = [
  'SOURCE_ARTICLE_16',
  'SOURCE_TRUSTED_FLAGGER',
  'SOURCE_TYPE_OTHER_NOTIFICATION',
  'SOURCE_VOLUNTARY',
] as const;

/**
 * What the actions that every policy knows do to what people see. A warning and a look by a person restrict nothing.
 */
export const visibilityByAction: Readonly<Record<string, ContentVisibility | null>> = {
  remove: 'DECISION_VISIBILITY_CONTENT_REMOVED',
  restrict: 'DECISION_VISIBILITY_CONTENT_DEMOTED',
  label: 'DECISION_VISIBILITY_CONTENT_LABELLED',
  warn: null,
  escalate: null,
  allow: null,
};

const contentTypes: Readonly<Record<string, string>> = {
  text: 'CONTENT_TYPE_TEXT',
  image: 'CONTENT_TYPE_IMAGE',
  audio: 'CONTENT_TYPE_AUDIO',
  video: 'CONTENT_TYPE_VIDEO',
};

/** `text+image` has two; undefined where nobody knows. */
export function nameContentTypes(modality: string | null): string[] | undefined {
  const named = modality?.split('+').map((part) => contentTypes[part] ?? 'CONTENT_TYPE_OTHER');
  return named && [...new Set(named)];
}

/** The languages that the database takes have two letters. */
export function nameLanguageForDsa(tag: string | null): string | undefined {
  const [, letters] = /^([a-z]{2})(?:-|$)/i.exec(tag ?? '') ?? [];
  return letters?.toUpperCase();
}

/** The columns of a statement, in the order of the documentation. */
export const statementColumns = [
  'puid',
  'decision_visibility',
  'decision_visibility_other',
  'decision_monetary',
  'decision_provision',
  'decision_account',
  'decision_ground',
  'decision_ground_reference_url',
  'incompatible_content_ground',
  'incompatible_content_explanation',
  'incompatible_content_illegal',
  'category',
  'content_type',
  'content_type_other',
  'content_language',
  'content_date',
  'territorial_scope',
  'application_date',
  'end_date_visibility_restriction',
  'decision_facts',
  'source_type',
  'automated_detection',
  'automated_decision',
] as const;
export type StatementColumn = (typeof statementColumns)[number];

/**
 * What Agon cannot know of a service, for its statements of reasons: whatever is not set here is said to be unknown.
 */
export const statementSettings = z.strictObject({
  territorialScope: setting(z.array(z.string().regex(/^(?:[A-Z]{2}|EEA|EEA_no_IS)$/)).min(1), {
    help: 'where decisions hold: countries (`DE`), `EU` or `EEA`',
    values: 'a list',
    default: 'unknown',
    variable: null,
  }),
  source: setting(z.enum(sourceTypes), {
    help: 'how contents come to be judged, for all of them',
    default: 'unknown',
    variable: null,
  }),
  automatedDetection: setting(z.boolean(), {
    help: 'whether contents are found by automated means, for all of them',
    default: 'unknown',
    variable: null,
  }),
  rulesUrl: setting(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }), {
    help: 'where the rules can be read that the policy writes down',
    values: 'a URL',
    default: 'unknown',
    variable: null,
  }),
  categories: setting(z.record(z.string(), z.string().regex(/^STATEMENT_CATEGORY_[A-Z_]+$/)), {
    help: 'by clause or category of the policy, what the DSA calls it: `hate.slurs: STATEMENT_CATEGORY_…`',
    values: 'names by clause or category',
    default: 'unknown',
    variable: null,
  }),
  visibility: setting(z.record(z.string(), z.enum(contentVisibilities)), {
    help: "by action of the policy's own, what it does to what people see: `age-gate: DECISION_VISIBILITY_…`",
    values: 'names by action',
    default: 'DECISION_VISIBILITY_OTHER',
    variable: null,
  }),
});

export type StatementSettings = z.infer<typeof statementSettings>;
