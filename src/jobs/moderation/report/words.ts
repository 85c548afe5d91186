import {
  nameSeat,
  describeOutcome as sharedOutcome,
  nameRule as sharedTitle,
  describeStop,
} from '../../../view/index.ts';
import type { ModerationMethod } from '../index.ts';

/* What the ids of the methods beside the debate mean, in plain words. An id that is not listed is shown as it is. */

const methods: Record<ModerationMethod, { title: string; how: string }> = {
  debate: {
    title: 'Aetheria debate',
    how:
      'Three rules are checked from the top; the first that applies decides. The arbiter says what it finds, ' +
      'code applies the priority.',
  },
  judge: {
    title: 'One judge',
    how: 'A single model read the content and decided: it is unsafe from a score of one half.',
  },
  vote: {
    title: 'Independent votes',
    how: 'The models of the debate judged on their own, without a debate. The majority decides; a tie is undecided.',
  },
  'role-free': {
    title: 'Debate without roles',
    how:
      'The models of the debate argued in rounds without a role of their own. The majority of the last round ' +
      'decides; a tie is undecided.',
  },
  control: {
    title: 'Compute-matched votes',
    how: 'The tokens of a debate were spent on independent votes instead. The majority decides; a tie is undecided.',
  },
  'refusal-match': {
    title: 'Refusal words',
    how:
      'No model was asked: code looked for the words of a refusal anywhere in the content. Without them it ' +
      'counts as unsafe.',
  },
};

const rules: Record<string, string> = {
  judge: 'the judge',
  majority: 'the majority of the votes',
  tie: 'nobody: the votes are split',
  'refusal-matched': 'the words of a refusal',
  'no-refusal-matched': 'the absence of the words of a refusal',
};

const outcomes: Record<string, string> = {
  tie: 'As many votes say unsafe as say safe. That is no basis for either verdict.',
  'nobody-heard': 'No judge gave a usable answer. Nobody is acquitted by a crash.',
};

const stops: Record<string, string> = {
  consensus: 'The rounds ended here: all judges agree, and their scores lie close together.',
  'tokens-spent': 'The votes ended here: the tokens of the debate were spent.',
  'votes-cast': 'The votes ended here: there were as many as the debate would have turns.',
};

const look = <Words>(table: Record<string, Words>, id: string): Words | undefined =>
  Object.hasOwn(table, id) ? table[id] : undefined;

type Shown = (id: string) => string;

export const methodWords = (method: ModerationMethod): { title: string; how: string } => methods[method];
export const isMethod = (method: string): method is ModerationMethod => Object.hasOwn(methods, method);
export const ruleTitle = (id: string, shown?: Shown): string => look(rules, id) ?? sharedTitle(id, shown);
/** Why judges without a role did not decide. */
export const outcomeOf = (id: string): string | undefined => look(outcomes, id) ?? sharedOutcome(id);
export const stopOf = (reason: string, shown?: Shown): string => look(stops, reason) ?? describeStop(reason, shown);

/** `Vote 2`, `Peer 1, round 2`; the rounds of the control, whose one seat votes again and again, are votes. */
export function seatOfRound({ seat, round }: { seat: string; round: number | null }): string {
  if (seat === 'control' && round !== null) return `Vote ${round}`;
  const name = nameSeat(seat).replace('#', ' ');
  return round === null ? name : `${name}, round ${round}`;
}
