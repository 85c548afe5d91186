import type { Role } from '@agonhq/engine/debate';
import { speakers, type OutlookAnswer, type ZeroShot, type Factors } from '../answers.ts';
import type { OutlookCaseFile, ZeroShotCaseFile, FactorCaseFile } from '../case-file.ts';
import { writePlainBrief } from '../verdicts/write-brief.ts';
import { layOutClaimPrompt, type RoleContext } from './case-prompt.ts';
import { toOneLine } from '@agonhq/engine/text';

const factorTask =
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
    prompt: ({ caseFile }) =>
      layOutClaimPrompt(context, { dossier: caseFile.dossier, sources: caseFile.sources, task: factorTask }),
    fallback: () => ({ claims: [] }),
  };
}

const zeroShotTask =
  'You are a judge who reads a document once. statement: summarise it. verdicts: for each claim by its number, ' +
  'whether the document bears it out: verified-strong, supported, mixed, contradicted or unsupported, with a ' +
  'reason (why) and quotes. ' +
  'risks and questions: at most six each. outlook: positive, mixed or negative.';

/** The baseline: a summary judge over the whole document, with no tools and no debate. */
export function zeroShot(context: RoleContext): Role<ZeroShot, ZeroShotCaseFile> {
  return {
    ...speakers.zeroShot,
    schemaName: 'zero-shot',
    maxOutputTokens: 4_000,
    temperature: context.temperature,
    prompt: ({ caseFile }) => {
      const { dossier, claims, sources } = caseFile;
      const text = claims.map((claim, index) => `claim ${index + 1}: ${toOneLine(claim.text)}`).join('\n');
      return layOutClaimPrompt(context, { dossier, sources, about: { label: 'claims', text }, task: zeroShotTask });
    },
    fallback: () => ({ statement: 'No answer.', verdicts: [], risks: [], questions: [], outlook: 'mixed' }),
  };
}

/** More say no more. */
const mostConflicts = 20;

const renderOutlookTask = (label: OutlookCaseFile['label']) =>
  'You are the synthesizer, writing the outlook. The verdicts above are final; by the rules the outlook is ' +
  `${label}. brief: a decision brief of at most 180 words for someone who has not read the document: ` +
  'what holds, what does not, what it means; name claims by their ids. risks: the risks that the verdicts and ' +
  'number findings show. questions: what a decision maker must still ask. At most six each, one sentence. Quote ' +
  'nothing, add nothing.';

/** Says what the verdicts come to. It quotes nothing: all it may speak of was checked before. */
export function outlook(context: RoleContext): Role<OutlookAnswer, OutlookCaseFile> {
  return {
    ...speakers.outlook,
    schemaName: 'outlook',
    maxOutputTokens: 1_200,
    temperature: context.temperature,
    prompt: ({ caseFile }) => {
      const { dossier, claims, numbers, observations, label } = caseFile;
      const verdicts = claims.map(
        ({ subject, verdict }) =>
          `${subject.id} (importance ${subject.importance}): ${toOneLine(subject.text)} | ${verdict.label}, ` +
          `${verdict.rule.id}: ${toOneLine(verdict.rule.why)}`,
      );
      const conflicts = numbers
        .filter(({ outcome }) => outcome === 'conflict')
        .slice(0, mostConflicts)
        .map(({ statement, arithmetic }) => `number conflict: ${toOneLine(statement)} ${toOneLine(arithmetic)}`);
      const spoken = observations.map(
        ({ of, text, note }) => `observation on ${of}: ${JSON.stringify(toOneLine(text))} ${note ?? ''}`,
      );
      return layOutClaimPrompt(context, {
        dossier,
        sources: [],
        about: { label: 'verdicts', text: [...verdicts, ...conflicts, ...spoken].join('\n') },
        task: renderOutlookTask(label),
      });
    },
    fallback: ({ caseFile }) => {
      const { claims, numbers, degraded } = caseFile;
      return { brief: writePlainBrief(claims, numbers, degraded), risks: [], questions: [], outlook: 'mixed' };
    },
  };
}
