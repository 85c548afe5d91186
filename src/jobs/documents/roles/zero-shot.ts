import type { Role } from '../../../debate/index.ts';
import { speakers, type ZeroShot } from '../answers.ts';
import type { ZeroShotCaseFile } from '../case-file.ts';
import { layOutPrompt, type RoleContext } from './case-prompt.ts';
import { toOneLine } from '../../../text/index.ts';

const task =
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
      return layOutPrompt(context, { dossier, sources, about: { label: 'claims', text }, task });
    },
    fallback: () => ({ statement: 'No answer.', verdicts: [], risks: [], questions: [], outlook: 'mixed' }),
  };
}
