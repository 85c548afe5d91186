import { lastTurnOf, turnsOf, type Question, type Role, type Transcript, type Turn } from '../../debate/index.ts';
import { argumentSchema, type Argument } from '../answers.ts';
import { layOut, renderArgument, type RoleContext } from './case-prompt.ts';

/** What strict and loose have in common: schema, what they see, how they answer each other, Aetheria's fallback. */
export function debater(id: string, context: RoleContext, stance: (question: Question) => string): Role<Argument> {
  return {
    id,
    schema: argumentSchema,
    schemaName: 'argument',
    maxOutputTokens: 600,
    temperature: 0.3,
    prompt: (question) => {
      const inView = latestArguments(question.transcript);
      const said = inView.map(renderArgument).join('\n');
      return layOut(context, question, (fence) => (said ? fence('debate', said) : ''), `${stance(question)} ${answering(question, inView)}`);
    },
    read: (argument) => ({ statement: argument.statement, score: argument.score, quotes: argument.evidence }),
    fallback: (question) => ({
      statement: 'No answer.',
      concession: null,
      evidence: [],
      clauses: [],
      score: lastTurnOf(question.transcript, question.seat)?.score ?? 0.5,
    }),
  };
}

/** The last word of each debater. */
function latestArguments(transcript: Transcript): Turn[] {
  const latest = new Map<string, Turn>();
  for (const turn of turnsOf(transcript)) if (turn.role.endsWith('-debater')) latest.set(turn.seat, turn);
  return [...latest.values()];
}

function answering(question: Question, inView: readonly Turn[]): string {
  const own = inView.find((turn) => turn.seat === question.seat);
  const opponents = inView.filter((turn) => turn.seat !== question.seat);
  return [
    opponents.length > 0 && "Answer your opponent's points one by one.",
    own && `Your previous score was ${own.score}: change it only for a reason you state.`,
    opponents.length > 0 ? 'concession: the point you grant, else null.' : 'concession: null.',
    'evidence: the quotes that carry your argument.',
  ]
    .filter(Boolean)
    .join(' ');
}
