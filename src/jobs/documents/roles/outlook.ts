import type { Role } from '../../../debate/index.ts';
import { speakers, type OutlookAnswer } from '../answers.ts';
import type { OutlookCaseFile } from '../case-file.ts';
import { writePlainBrief } from '../verdicts/decide-outlook.ts';
import { layOutPrompt, type RoleContext } from './case-prompt.ts';
import { toOneLine } from '../../../text/index.ts';

/** More say no more. */
const mostConflicts = 20;

const task = (label: OutlookCaseFile['label']) =>
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
      return layOutPrompt(context, {
        dossier,
        sources: [],
        about: { label: 'verdicts', text: [...verdicts, ...conflicts, ...spoken].join('\n') },
        task: task(label),
      });
    },
    fallback: ({ caseFile }) => {
      const { claims, numbers, degraded } = caseFile;
      return { brief: writePlainBrief(claims, numbers, degraded), risks: [], questions: [], outlook: 'mixed' };
    },
  };
}
