import type { Question, Role } from '../../../debate/index.ts';
import type { DocumentCaseFile } from '../case-file.ts';
import { layOutPrompt, type RoleContext } from './case-prompt.ts';

type Shape<Answer> = Pick<Role<Answer, DocumentCaseFile>, 'id' | 'schema' | 'schemaName' | 'maxOutputTokens' | 'read'>;

interface ClaimRole<Answer> extends Shape<Answer> {
  /** What was said so far, as far as this role sees it. */
  said?(question: Question<DocumentCaseFile>): string;
  task: string | ((question: Question<DocumentCaseFile>) => string);
  fallback: Answer;
}

/**
 * What every seat in the debate of a claim has in common: it sees the case of that claim, and nothing of the others.
 */
export function createClaimRole<Answer>(
  context: RoleContext,
  { said, task, fallback, ...role }: ClaimRole<Answer>,
): Role<Answer, DocumentCaseFile> {
  return {
    ...role,
    temperature: context.temperature,
    prompt: (question) => {
      const { claim, dossier, sources } = question.caseFile;
      return layOutPrompt(context, {
        dossier,
        sources,
        about: { label: 'claim', text: claim.text },
        said: said?.(question),
        task: typeof task === 'string' ? task : task(question),
      });
    },
    fallback: () => fallback,
  };
}
