import { schemas } from '../api/index.ts';
import type { Policy } from '@agonhq/engine/policy';

const { openAiCategories } = schemas;

export type OpenAiCategory = (typeof openAiCategories)[number];

/** How much a clause belongs to categories of OpenAI's. */
export type Belonging = Partial<Record<OpenAiCategory, number>>;

/** Whatever breaks the clause falls under the category. */
const under = 1;
/** It is like what the category holds: that raises the category's score, and by itself never reaches the bar. */
const akin = 0.49;

/**
 * By the ids of the default policy. What OpenAI has no category for (misinformation, prompt attacks) is flagged all
 * the same, and named in `agon.categories`.
 */
const byClause: Record<string, Belonging> = {
  'hate.attack': { hate: under, harassment: akin },
  'hate.exclude': { hate: under },
  'harassment.insult': { harassment: under },
  'harassment.target': { harassment: under, illicit: akin },
  'violence.plan': { violence: under, illicit: akin, 'illicit/violent': akin },
  'violence.show': { violence: under, 'violence/graphic': under },
  'extremism.support': { violence: under, hate: akin, illicit: akin, 'illicit/violent': akin },
  'weapons.make': { illicit: under, 'illicit/violent': under },
  'weapons.get': { illicit: under, 'illicit/violent': under },
  'toxins.weapon': { illicit: under, 'illicit/violent': under },
  'toxins.make': { illicit: under, 'illicit/violent': under },
  'self-harm.urge': { 'self-harm': under, 'self-harm/intent': akin },
  'self-harm.method': { 'self-harm': under, 'self-harm/intent': under, 'self-harm/instructions': under },
  'self-harm.dare': { 'self-harm': under },
  'sexual.explicit': { sexual: under },
  'sexual.force': { sexual: under, illicit: akin },
  'child.sexual': { sexual: under, 'sexual/minors': under },
  'child.harm': { violence: under, illicit: akin },
  'illegal.drugs': { illicit: under },
  'illegal.goods': { illicit: under },
  'illegal.theft': { illicit: under },
  'fraud.scam': { illicit: under },
  'fraud.money': { illicit: under },
  'cyber.attack': { illicit: under },
  'privacy.data': { illicit: akin, harassment: akin },
  'privacy.spy': { illicit: under, harassment: akin },
  'secrets.business': { illicit: under },
  'secrets.state': { illicit: under },
  'nature.animals': { violence: under, illicit: akin },
  'nature.pollute': { illicit: under },
  'misinformation.history': { hate: akin },
  'values.bias': { hate: under },
  'values.wrong': { violence: akin },
};

/** For clauses that are not above, by the ids of the default policy's categories. */
const byCategory: Record<string, Belonging> = {
  hate: { hate: under },
  harassment: { harassment: under },
  violence: { violence: under },
  extremism: { violence: under, hate: akin },
  weapons: { illicit: under, 'illicit/violent': under },
  toxins: { illicit: under, 'illicit/violent': under },
  'self-harm': { 'self-harm': under },
  sexual: { sexual: under },
  child: { 'sexual/minors': akin },
  illegal: { illicit: under },
  fraud: { illicit: under },
  cyber: { illicit: under },
  privacy: { illicit: akin },
  secrets: { illicit: under },
};

/**
 * A policy's author names a category as OpenAI does, with a hyphen: `sexual-minors`. What is a kind of another
 * belongs to that, too.
 */
const byOpenAiName: Record<string, Belonging> = Object.fromEntries(
  openAiCategories.map((name) => {
    const [wider] = name.split('/') as [OpenAiCategory];
    return [name.replace('/', '-'), { [wider]: under, [name]: under } satisfies Belonging];
  }),
);

/**
 * A threat is two things at once: it threatens, and it is aimed at somebody. Such a category has what both of its
 * sides have. Whoever is spoken to is aimed at: then the threat alone is harassment.
 */
export const threats: readonly {
  category: OpenAiCategory;
  of: OpenAiCategory;
  threatening: readonly string[];
  isAimedByAddress: boolean;
}[] = [
  {
    category: 'hate/threatening',
    of: 'hate',
    threatening: ['violence.plan', 'extremism.support'],
    isAimedByAddress: false,
  },
  { category: 'harassment/threatening', of: 'harassment', threatening: ['violence.plan'], isAimedByAddress: true },
];

/** Where each clause of a policy belongs: by its own id, by its category's, or nowhere. */
export function mapClauses(policy: Policy): ReadonlyMap<string, Belonging> {
  return new Map(
    policy.categories.flatMap(({ id: category, clauses }) =>
      clauses.map(({ id }) => [id, byClause[id] ?? byOpenAiName[category] ?? byCategory[category] ?? {}] as const),
    ),
  );
}
