import { findLastTurn, type Question, type Role, type Turn } from '../../../debate/index.ts';
import { argumentSchema, type Argument } from '../answers.ts';
import type { ModerationCaseFile } from '../case-file.ts';
import { latestArguments, layOut, renderArgument, type RoleContext } from './case-prompt.ts';

/** What strict and loose have in common: schema, what they see, how they answer each other, Aetheria's fallback. */
export function debater(
  id: string,
  context: RoleContext,
  stance: (question: Question<ModerationCaseFile>) => string,
): Role<Argument, ModerationCaseFile> {
  return {
    id,
    schema: argumentSchema,
    schemaName: 'argument',
    maxOutputTokens: 600,
    temperature: 0.3,
    prompt: (question) => {
      const latest = latestArguments(question.transcript);
      const own = latest.find((turn) => turn.seat === question.seat);
      const opponents = latest.filter((turn) => turn !== own);
      const said = opponents.map((turn) => renderArgument(turn, { quotes: true })).join('\n');
      return layOut(
        context,
        question,
        (fence) => (said ? fence('debate', said) : ''),
        `${stance(question)} ${answering(own, opponents)}`,
      );
    },
    read: (argument) => ({ statement: argument.statement, score: argument.score, quotes: argument.evidence }),
    fallback: (question) => ({
      statement: 'No answer.',
      concession: null,
      evidence: [],
      clauses: [],
      score: findLastTurn(question.transcript, question.seat)?.score ?? 0.5,
    }),
  };
}

/** Its own words would cost as much as the opponent's: of those it sees the score it has to stand by. */
function answering(own: Turn | undefined, opponents: readonly Turn[]): string {
  return [
    opponents.length > 0 && "Answer your opponent's points one by one.",
    own && `Your previous score was ${own.score}: change it only for a reason you state.`,
    opponents.length > 0 ? 'concession: the point you grant, else null.' : 'concession: null.',
    'evidence: the two or three quotes that carry your argument.',
  ]
    .filter(Boolean)
    .join(' ');
}
