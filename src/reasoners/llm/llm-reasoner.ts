import {
  addUsage,
  noUsage,
  promptFor,
  type CaseFile,
  type FailureReason,
  type Question,
  type Reasoner,
  type Role,
  type Usage,
} from '../../debate/index.ts';
import { canonicalJson } from '../../hash.ts';
import { attempt, type Course, type Request } from './attempts.ts';
import type { Account } from './budget.ts';
import type { AnswerCache } from './cache.ts';
import type { SharedAccount } from './call-control.ts';
import type { Reply } from './call.ts';
import { extractJson, parseStrictly } from './extract-json.ts';
import { cacheKey, createMemory } from './memory.ts';
import { converse, replied } from './messages.ts';
import type { Model } from './model.ts';
import { sentSchema } from './sent-schema.ts';
import { streamStatement } from './statement-stream.ts';

export interface Surroundings {
  accounts: readonly Account[];
  sharedAccount: SharedAccount | null;
  cache: AnswerCache | null;
  /** Adds to the books of the whole pool. */
  spend(usage: Usage): void;
}

type Result<Answer> = { value: Answer; raw: string } | { failed: FailureReason; detail: string; raw: string };

/** These say something about the model, not about the question: another model may answer. */
const passedOn: ReadonlySet<FailureReason> = new Set(['refused', 'content-filter', 'timeout', 'unavailable']);

/** A seat's model, with the models that stand in for it. */
export function createLlmReasoner(model: Model, fallbacks: readonly Model[], surroundings: Surroundings): Reasoner {
  return {
    id: model.name,
    fingerprint: canonicalJson({ ...model.identity, fallbacks: fallbacks.map((fallback) => fallback.identity) }),
    vision: model.vision,
    async answer(role, question, { signal, onDelta }) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      const notes: string[] = [];
      let usage = noUsage;
      const course: Course = {
        signal,
        accounts: surroundings.accounts,
        sharedAccount: surroundings.sharedAccount,
        spend(more) {
          usage = addUsage(usage, more);
          surroundings.spend(more);
        },
        note: (text) => void notes.push(text),
      };
      const onText = onDelta && streamStatement(onDelta);
      const asked = [model, ...fallbacks];
      for (const [index, current] of asked.entries()) {
        const result = await ask(current, role, question, course, surroundings.cache, onText);
        const next = asked[index + 1];
        if ('failed' in result && next && passedOn.has(result.failed)) {
          course.note(`${next.name} was asked instead of ${current.name} (${result.failed}): ${result.detail}`);
          continue;
        }
        const outcome = {
          usage,
          latencyMs: performance.now() - startedAt,
          model: current.name,
          raw: result.raw,
          ...(notes.length > 0 ? { notes } : {}),
        };
        return 'value' in result
          ? { outcome: 'answered', value: result.value, ...outcome }
          : { outcome: 'failed', reason: result.failed, detail: result.detail, ...outcome };
      }
      throw new Error('unreachable: the last model always returns');
    },
  };
}

/** One model's answer: from the cache, or asked for and, if it is off, repaired once. */
async function ask<Answer, Case extends CaseFile>(
  model: Model,
  role: Role<Answer, Case>,
  question: Question<Case>,
  course: Course,
  cache: AnswerCache | null,
  onText: Request['onText'],
): Promise<Result<Answer>> {
  const prompt = promptFor(role, question);
  const schema = sentSchema(role.schema);
  if (prompt.attachments?.length && !model.vision) course.note(`${model.name} cannot see images; it was shown none`);
  const request: Request = {
    conversation: (structured) =>
      converse(prompt, {
        correction: question.correction,
        schemaText: structured ? undefined : schema.text,
        vision: model.vision,
      }),
    schema,
    schemaName: role.schemaName,
    roleId: role.id,
    maxOutputTokens: role.maxOutputTokens,
    temperature: role.temperature,
    onText,
  };

  const remembered = cache && createMemory(cache, cacheKey(model, request, prompt.attachments), course);
  const recalled = await remembered?.recall();
  if (recalled) {
    const reading = read({ text: recalled, finish: 'stop' }, role);
    if ('value' in reading) {
      course.note(`${model.name}'s answer came from the cache`);
      onText?.(recalled);
      return { ...reading, raw: recalled };
    }
  }

  const first = await attempt(model, request, course);
  if ('failed' in first) return { ...first, raw: '' };
  let { reply } = first;
  let reading = read(reply, role);
  if ('problem' in reading) {
    const { problem } = reading;
    course.note(`${model.name} was asked to repair its answer: ${problem}`);
    const off = reply.text;
    const demand = `${problem}\nAnswer again, in full and in the required form.`;
    const repair = {
      ...request,
      conversation: (structured: boolean) => replied(request.conversation(structured), off, demand),
    };
    const second = await attempt(model, repair, course);
    if ('failed' in second) return { ...second, raw: off };
    ({ reply } = second);
    reading = read(reply, role);
  }
  if ('problem' in reading) {
    return { failed: reply.finish === 'length' ? 'truncated' : 'malformed', detail: reading.problem, raw: reply.text };
  }
  await remembered?.keep(reply.text);
  return { value: reading.value, raw: reply.text };
}

/** An answer that ran into its limit is taken only when nothing is missing from it. */
function read<Answer>(
  { text, finish }: Pick<Reply, 'text' | 'finish'>,
  role: Pick<Role<Answer>, 'schema' | 'maxOutputTokens'>,
): { value: Answer } | { problem: string } {
  const json = finish === 'length' ? parseStrictly(text) : extractJson(text);
  if (json === undefined) {
    return {
      problem:
        finish === 'length'
          ? `The answer was cut off at its limit of ${role.maxOutputTokens} tokens: it must be shorter.`
          : 'The answer is not a JSON object.',
    };
  }
  const parsed = role.schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const issues = parsed.error.issues.map(({ path, message }) => `- ${path.join('.') || 'answer'}: ${message}`);
  return { problem: `The answer does not follow its schema:\n${issues.join('\n')}` };
}
