import type { Question, Role } from '../../../debate/index.ts';
import type { DocumentCaseFile } from '../case-file.ts';
import { layOutPrompt, type RoleContext } from './case-prompt.ts';

interface ClaimRole<Answer> extends Pick<Role<Answer>, 'id' | 'schema' | 'schemaName' | 'maxOutputTokens' | 'read'> {
  /** What was said so far, as far as this role sees it. */
  said?(question: Question & { caseFile: DocumentCaseFile }): string;
  task: string | ((question: Question) => string);
  fallback: Answer;
}

/**
 * What every seat in the debate of a claim has in common: it sees the case of that claim, and nothing of the others.
 */
export function createClaimRole<Answer>(
  context: RoleContext,
  { said, task, fallback, ...role }: ClaimRole<Answer>,
): Role<Answer> {
  return {
    ...role,
    temperature: context.temperature,
    prompt: (question) => {
      const caseFile = question.caseFile as DocumentCaseFile;
      const { claim, dossier, sources } = caseFile;
      return layOutPrompt(context, {
        dossier,
        sources,
        about: { label: 'claim', text: claim.text },
        said: said?.({ ...question, caseFile }),
        task: typeof task === 'string' ? task : task(question),
      });
    },
    fallback: () => fallback,
  };
}
