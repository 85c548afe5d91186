import type { CaseFile } from '../case-file.ts';
import type { Prompt, Question, Role } from '../role.ts';
import { findLastTurn, findTurns, type RoleKey, type Turn } from '../transcript.ts';
import type { BaselineMethod } from './baselines.ts';
import { keepLastOfSeats } from './count-votes.ts';

/** What a job says for judges without a role of their own; how they are asked is the same everywhere. */
export interface JudgeWords<Answer, Case extends CaseFile> extends Omit<Role<Answer, Case>, 'prompt' | 'temperature'> {
  /** What to judge. */
  task: (question: Question<Case>) => string;
  /** How to answer; empty where the task says it. */
  howToAnswer: string;
  layOut: (question: Question<Case>, parts: { said: string; task: string }) => Prompt;
  /** Whose last words peers hear. */
  heard: readonly RoleKey<Answer>[];
  /** What another said, as a peer reads it. */
  renderTurn: (turn: Turn<Answer>) => string;
  /** What a peer said before: `score was 0.4`. */
  recall: (turn: Turn<Answer>) => string;
}

/** The role of each baseline, from a job's own words. */
export function baselineRoles<Answer, Case extends CaseFile>(
  words: JudgeWords<Answer, Case>,
): Record<BaselineMethod, Role<Answer, Case>> {
  const { task, howToAnswer, layOut, heard, renderTurn, recall, ...shape } = words;

  function role(
    temperature: number,
    rest: (question: Question<Case>) => string[],
    said: (question: Question<Case>) => string = () => '',
  ): Role<Answer, Case> {
    return {
      ...shape,
      temperature,
      prompt: (question) =>
        layOut(question, {
          said: said(question),
          task: [task(question), ...rest(question), howToAnswer].filter((part) => part !== '').join(' '),
        }),
    };
  }

  function renderOthers({ transcript, seat }: Question<Case>): string {
    return keepLastOfSeats(findTurns(transcript, ...heard))
      .filter((turn) => turn.seat !== seat)
      .map(renderTurn)
      .join('\n');
  }

  function askForReply({ transcript, seat }: Question<Case>): string[] {
    const own = findLastTurn(transcript, { ...shape, atSeat: seat });
    if (!own) return [];
    const before = own.fallback
      ? 'You gave no answer in the last round.'
      : `Your previous ${recall(own)}: change it only for a reason you state.`;
    return [before, "Answer the others' points."];
  }

  return {
    judge: role(0, () => []),
    // Its number keeps two seats of one model from sharing a cached answer.
    vote: role(0.3, ({ seat }) => [`Your seat: ${seat}.`]),
    'role-free': role(0.3, (question) => [`Your seat: ${question.seat}.`, ...askForReply(question)], renderOthers),
    control: role(0.7, ({ round }) => [`Vote ${round}.`]),
  };
}
