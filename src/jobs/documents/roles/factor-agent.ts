import type { Role } from '../../../debate/index.ts';
import { speakers, type Factors } from '../answers.ts';
import type { FactorCaseFile } from '../case-file.ts';
import { layOutPrompt, type RoleContext } from './case-prompt.ts';

const task =
  'You are the factor agent. Draw out of this part of the document the claims worth debating: assertions with ' +
  'numbers, causes ("driven by"), predictions, strong evaluations; no definitions, boilerplate or headings. ' +
  'claim: one sentence that stands alone, with the who, where, when and how much that its surroundings supply ' +
  '("The marketing strategy in APAC was the primary driver of 15% growth in Q3"), nothing added. ' +
  'quote: the whole original sentence. kind: causal, predictive, evaluative, else assertion. domain: one or two ' +
  'words (finance, market, operations, people, risk, …). ' +
  'importance: 0 to 1, how much a decision would hang on it. Each claim once, at most 20, the most important.';

/** Draws the claims out of a part of a document. */
export function factorAgent(context: RoleContext): Role<Factors, FactorCaseFile> {
  return {
    ...speakers.factorAgent,
    schemaName: 'factors',
    maxOutputTokens: 4_000,
    temperature: context.temperature,
    prompt: ({ caseFile }) => layOutPrompt(context, { dossier: caseFile.dossier, sources: caseFile.sources, task }),
    fallback: () => ({ claims: [] }),
  };
}
