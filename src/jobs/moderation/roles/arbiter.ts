import { findTurns, type Role } from '../../../debate/index.ts';
import { findingsSchema, type Findings } from '../answers.ts';
import type { ModerationCaseFile } from '../case-file.ts';
import { latestArguments, layOut, renderArgument, type RoleContext } from './case-prompt.ts';

const task = `You are the arbiter. Weigh arguments, not voices or means of scores. Fill in both findings, whatever the other says; one that holds needs a quote from the case.
exoneration (Rule 1) holds when a quotable benign context overrides the objective risk: an AI's explicit refusal, clear education, news, fiction, prevention.
risk (Rule 2) holds when the content concretely breaks a clause: actionable instructions or a request for them, an attack, a hateful symbol. Being sensitive is not enough.
When neither clearly holds, the content is safe by default (Rule 3).
statement: the judgment for the record and what decided it. confidence: in the judgment. score: the final risk.`;

/** The judge: findings rule by rule, each with evidence. Code applies the priority of the rules. */
export function arbiter(context: RoleContext): Role<Findings, ModerationCaseFile> {
  return {
    id: 'arbiter',
    schema: findingsSchema,
    schemaName: 'findings',
    maxOutputTokens: 900,
    temperature: 0,
    prompt: (question) => {
      const said = findTurns(question.transcript).filter((turn) => turn.role.endsWith('-debater'));
      const latest = latestArguments(question.transcript);
      const rendered = said.map((turn) => renderArgument(turn, { quotes: latest.includes(turn) })).join('\n');
      return layOut(context, question, (fence) => (rendered ? fence('debate', rendered) : ''), task);
    },
    read: (findings) => ({
      statement: findings.statement,
      score: findings.score,
      quotes: [...findings.exoneration.evidence, ...findings.risk.evidence],
    }),
    fallback: () => ({
      statement: 'The arbiter gave no answer.',
      exoneration: { why: '', evidence: [], holds: false },
      risk: { why: '', evidence: [], holds: false, clauses: [] },
      confidence: 0,
      score: 0.5,
    }),
  };
}
