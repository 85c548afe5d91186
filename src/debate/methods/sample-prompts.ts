import type { CaseFile } from '../case-file.ts';
import { createFence } from '../lay-out-prompt.ts';
import type { Prompt, Question, Role } from '../role.ts';
import type { Computed, RoleKey, Step, Turn } from '../transcript.ts';
import { noUsage } from '../usage.ts';

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
