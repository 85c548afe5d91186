import type { CaseFile } from '../case-file.ts';
import { inOrder, rounds, together, turn, type Protocol, type Until } from '../protocol.ts';
import type { Reasoner } from '../reasoner.ts';
import type { Role, Prompt, Question } from '../role.ts';
import { findTurns, findLastTurn, type RoleKey, type Turn, type Computed, type Step } from '../transcript.ts';
import { keepLastOfSeats } from './count-votes.ts';
import { createFence } from '../lay-out-prompt.ts';
import { noUsage } from '../answer.ts';

/**
 * What a debate is compared with. `judge`: one judge alone. `vote`: the debate's models judge without roles and without
 * hearing each other. `role-free`: the same in rounds, each hearing the others. `control`: one seat votes again and
 * again, for the tokens that the debate spent.
 */
export const baselineMethods = ['judge', 'vote', 'role-free', 'control'] as const;
export type BaselineMethod = (typeof baselineMethods)[number];

/** Whether a method is one that debates are compared with. */
export function isBaseline(method: string): method is BaselineMethod {
  return baselineMethods.some((baseline) => baseline === method);
}

/** A seat that is asked, before it is given its role. */
export interface FilledSeat {
  id: string;
  reasoner: Reasoner;
}

/** The seats of a baseline, filled with the judge's reasoner or those of the debate in the order they first speak. */
export function seatBaseline(method: BaselineMethod, reasoners: readonly Reasoner[]): FilledSeat[] {
  const numbered = (name: string) => reasoners.map((reasoner, index) => ({ id: `${name}#${index + 1}`, reasoner }));
  switch (method) {
    case 'judge':
      return reasoners.map((reasoner) => ({ id: 'judge', reasoner }));
    case 'vote':
      return numbered('vote');
    case 'role-free':
      return numbered('peer');
    case 'control':
      return [{ id: 'control', reasoner: rotateReasoners(reasoners) }];
  }
}

/** One reasoner that a different one of the panel stands for in each round. */
function rotateReasoners(panel: readonly Reasoner[]): Reasoner {
  return {
    id: [...new Set(panel.map(({ id }) => id))].join(', '),
    fingerprint: JSON.stringify(panel.map(({ fingerprint }) => fingerprint)),
    vision: false,
    answer: (role, question, options) =>
      panel[((question.round ?? 1) - 1) % panel.length]!.answer(role, question, options),
  };
}

/** What a baseline takes from the plan of the debate that it is compared with. */
export interface BaselinePlan {
  /** At most so many, for `role-free`. */
  rounds: number;
  /** When peers have nothing left to argue; absent to go through all rounds. */
  until?: Until;
  /** How many turns a debate has that goes through all its rounds. */
  turns: number;
  /** What the debate spent; absent where nobody knows. */
  tokens?: number | null;
}

/** Below the engine's own cap on turns. */
const mostVotes = 150;

/** Who speaks when, by a baseline: all seats in the same role. */
export function baselineProtocol<Case extends CaseFile>(
  method: BaselineMethod,
  seats: readonly FilledSeat[],
  role: Role<unknown, Case>,
  plan: BaselinePlan,
): Protocol<Case> {
  const turns = seats.map(({ id, reasoner }) => turn({ id, role, reasoner }));
  switch (method) {
    case 'judge':
      return inOrder(...turns);
    case 'vote':
      return together(...turns);
    case 'role-free':
      return rounds({ max: plan.rounds, until: plan.until }, together(...turns));
    case 'control':
      return rounds({ max: mostVotes, until: stopAtCost(plan) }, inOrder(...turns));
  }
}

/**
 * When a control has cast its votes: when another as dear as those before would go over the tokens of the debate.
 * Votes without tokens, of reasoners that need none or cannot be reached, are at most as many as the debate has turns;
 * and so are all of them where nobody says what the debate spent.
 */
function stopAtCost({ tokens: budget = null, turns }: BaselinePlan): Until {
  return (transcript) => {
    const costs = findTurns(transcript).map(({ usage }) => usage.inputTokens + usage.outputTokens);
    const paid = costs.filter((cost) => cost > 0);
    const free = budget === null ? costs.length : costs.length - paid.length;
    if (free >= turns) return 'votes-cast';
    const used = paid.reduce((sum, cost) => sum + cost, 0);
    return budget !== null && paid.length > 0 && used + used / paid.length > budget ? 'tokens-spent' : undefined;
  };
}

/** A baseline in words, for the record: `independent vote of 4 judges`. */
export function describeBaseline(
  method: BaselineMethod,
  { seats, rounds: max, stop, examples }: { seats: number; rounds: number; stop: string; examples: number },
): string {
  const judges = counted(seats, 'judge');
  switch (method) {
    case 'judge':
      return examples === 0 ? 'one judge' : `one judge with ${counted(examples, 'example')}`;
    case 'vote':
      return `independent vote of ${judges}`;
    case 'role-free':
      return `${counted(max, 'round')} of ${judges} without roles${stop}, majority`;
    case 'control':
      return "independent votes for the debate's tokens, majority";
  }
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** What a job says for judges without a role of their own; how they are asked is the same everywhere. */
interface JudgeWords<Answer, Case extends CaseFile> extends Omit<Role<Answer, Case>, 'prompt' | 'temperature'> {
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

/** The words of roles over a sample case: what is hashed, so that a record tells by which words it was made. */
export function samplePrompts<Case extends CaseFile>(
  roles: readonly Role<unknown, Case>[],
  sample: Pick<Question<Case>, 'caseFile' | 'transcript' | 'round'>,
): Prompt[] {
  const fence = createFence(sample.caseFile, '');
  return roles.map((role) => role.prompt({ ...sample, seat: role.id, fence }));
}

/** A turn that says nothing, for samples. */
export function sampleTurn<Answer>(role: RoleKey<Answer>, answer: Answer, seat = role.atSeat ?? role.id): Turn<Answer> {
  return {
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role: role.id,
    round: 1,
    statement: '',
    score: 0,
    evidence: [],
    answer,
    reasoner: '',
    usage: noUsage,
    latencyMs: 0,
  };
}

/** A computed step, for samples. */
export function sampleComputed<Value>({ name }: Step<Value>, value: Value): Computed<Value> {
  return { kind: 'computed', key: name, inputHash: '', name, round: 1, value };
}
