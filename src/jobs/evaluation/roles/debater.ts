import { findValue, findLastTurn, findTurns, type Question, type Role } from '../../../debate/index.ts';
import type { Opinion } from '../answers.ts';
import type { EvaluationCaseFile } from '../case-file.ts';
import { priorsStep } from '../evaluation-answer.ts';
import { critiqueOf, lastOpinions, opinionOf } from '../opinions.ts';
import { inWords, objectionInWords, renderOpinion, type RoleContext } from './case-prompt.ts';
import { opinionRole } from './opinion-role.ts';

/**
 * What auditor and detector have in common: each answers the critic and the others of the last round, from its
 * updated prior.
 */
export function debater(
  id: 'auditor' | 'detector',
  context: RoleContext,
  part: string,
): Role<Opinion, EvaluationCaseFile> {
  return opinionRole(context, {
    id,
    temperature: 0.3,
    said: (question) => {
      const others = lastOpinions(question.transcript).filter(({ seat }) => seat !== question.seat);
      return [...others.map((turn) => renderOpinion(turn, { quotes: true })), ...criticOn(id, question)].join('\n');
    },
    task: (question) => [`${part}${name(id, question.seat)}`, ...standing(question)].join(' '),
  });
}

function name(id: string, seat: string): string {
  return seat === id ? '' : ` Your seat: ${seat}.`;
}

/** Only the objections to its own role: those to the other are the other's to answer. */
function criticOn(id: 'auditor' | 'detector', { transcript }: Question<EvaluationCaseFile>): string[] {
  const critic = findTurns(transcript).findLast(({ role }) => role === 'critic');
  if (!critic) return [];
  const heading = `critic, round ${critic.round}`;
  if (critic.fallback) return [`${heading}: gave no answer.`];
  const objections = critiqueOf(critic).objections.filter(({ to }) => to === id);
  if (objections.length === 0) return [`${heading}: no objection to the ${id}.`];
  return objections.map((objection) => `${heading}, to the ${id}: ${objectionInWords(objection)}`);
}

/** Its own words would cost as much as the others': of those it sees the label it has to stand by, and equation 6. */
function standing({ transcript, seat }: Question<EvaluationCaseFile>): string[] {
  const own = findLastTurn(transcript, seat);
  const prior = findValue(transcript, priorsStep)?.[seat];
  if (!own || !prior) return [];
  return [
    own.fallback ? 'You gave no answer in the last round.' : `Your previous label was ${opinionOf(own).label}.`,
    `Your prior is now ${inWords(prior)}: start from it and leave it only for a reason you state.`,
    "Answer the critic's objections one by one.",
  ];
}
