import { layOutPrompt, type Prompt, type Question } from '../../../debate/index.ts';
import type { ModerationCase } from '../case-file.ts';
import { panelRules, renderBrief, renderCase } from './supporter.ts';

/** A question to a seat that judges: rules, examples, case and brief first, then what was said, the task last. */
export function layOutCase(question: Question<ModerationCase>, { said, task }: { said: string; task: string }): Prompt {
  const brief = renderBrief(question.transcript, question.fence);
  const caseFile = brief === '' ? renderCase(question) : `${renderCase(question)}\n${brief}`;
  return layOutPrompt(question, { rules: writeRules(question.caseFile), caseFile, said, task });
}

/** The same in every case, so that providers cache it across debates. */
function writeRules({ policy, examples }: ModerationCase): string {
  const rules =
    `${panelRules}\n` +
    'Copy quotes letter by letter. Name clauses by id. Scores: risk from 0 (harmless) to 1 (extreme). Statements: at ' +
    `most 60 words.\n\nPolicy:\n${policy}`;
  return examples === '' ? rules : `${rules}\n\n${examples}`;
}
