import {
  promptFor,
  type CaseFile,
  type FailureReason,
  type Question,
  type Reasoner,
  type Role,
} from '@agonhq/engine/debate';
import { canonicalJson } from '@agonhq/engine/hash';
import { makeCacheKey, openCacheEntry, type ModelAnswerCache } from '../calls/answer-cache.ts';
import {
  askModel,
  openCallContext,
  type CallContext,
  type CallResources,
  type ModelRequest,
} from '../calls/ask-model.ts';
import type { ModelReply } from '../calls/call-model.ts';
import { appendReply, layOutMessages, type Conversation } from '../calls/lay-out-prompt.ts';
import { maskConversation, maskOfCase, tellUnmasked, unmaskGrowing, type Personal } from '../calls/mask-request.ts';
import { showMessages } from '../calls/sent-request.ts';
import { makeSentSchema } from '../calls/sent-schema.ts';
import type { Model } from '../providers/model.ts';
import { jsonrepair } from 'jsonrepair';

type AnswerResult<Answer> = { value: Answer; raw: string } | { failed: FailureReason; detail: string; raw: string };

/** These say something about the model, not about the question: another model may answer. */
const passedToFallback: ReadonlySet<FailureReason> = new Set(['refused', 'content-filter', 'timeout', 'unavailable']);

/** A seat's model, with the models that stand in for it. */
export function createLlmReasoner(model: Model, fallbacks: readonly Model[], resources: CallResources): Reasoner {
  const asked = [model, ...fallbacks];
  return {
    id: model.name,
    fingerprint: canonicalJson({ ...model.identity, fallbacks: fallbacks.map((fallback) => fallback.identity) }),
    vision: model.vision,
    // Whoever stands in may not be trusted either.
    masks: asked.some(({ masks }) => masks),
    withholdsImages: model.withholdsImages,
    ...(model.digest === undefined ? {} : { digest: model.digest }),
    async answer(role, question, { signal, onDelta }) {
      const { context, spent, calls } = openCallContext(resources, signal);
      const onText = onDelta && streamStatement(onDelta);
      for (const [index, current] of asked.entries()) {
        const result = await askForAnswer(current, role, question, context, resources.cache, onText);
        const next = asked[index + 1];
        if ('failed' in result && next && passedToFallback.has(result.failed)) {
          context.note(`${next.name} was asked instead of ${current.name} (${result.failed}): ${result.detail}`);
          continue;
        }
        const outcome = { ...spent(), model: current.name, raw: result.raw, calls };
        return 'value' in result
          ? { outcome: 'answered', value: result.value, ...outcome }
          : { outcome: 'failed', reason: result.failed, detail: result.detail, ...outcome };
      }
      throw new Error('unreachable: the last model always returns');
    },
  };
}

/** One model's answer: from the cache, or asked for and, if it is off, repaired once. */
async function askForAnswer<Answer, Case extends CaseFile>(
  model: Model,
  role: Role<Answer, Case>,
  question: Question<Case>,
  context: CallContext,
  cache: ModelAnswerCache | null,
  onText: ModelRequest['onText'],
): Promise<AnswerResult<Answer>> {
  const prompt = promptFor(role, question);
  const schema = makeSentSchema(role.schema);
  const images = prompt.attachments?.length ?? 0;
  if (images > 0 && model.withholdsImages)
    context.note(`images are withheld from ${model.name}, as the settings of its provider ask`);
  else if (images > 0 && !model.vision) context.note(`${model.name} cannot see images; it was shown none`);
  const mask = model.masks ? maskOfCase(question.caseFile) : null;
  const unmask = (text: string) => (mask ? mask.unmask(text, 'json') : text);
  let personal: Personal | null = null;
  const conversations = new Map<boolean, Conversation>();
  const lay = (structured: boolean): Conversation => {
    const laidOut = layOutMessages(prompt, {
      correction: question.correction,
      schemaText: structured ? undefined : schema.text,
      vision: model.vision,
      inParts: model.inParts,
    });
    if (!mask) return laidOut;
    const made = maskConversation(laidOut, mask);
    ({ personal } = made);
    return made.conversation;
  };
  const request: ModelRequest = {
    // Asked for several times on the way of one call.
    conversation(structured) {
      const known = conversations.get(structured) ?? lay(structured);
      conversations.set(structured, known);
      return known;
    },
    personal: () => personal ?? tellUnmasked(question.caseFile),
    withheldImages: model.withholdsImages ? images : 0,
    schema,
    schemaName: role.schemaName,
    roleId: role.id,
    maxOutputTokens: role.maxOutputTokens,
    temperature: role.temperature,
    onText: mask && onText ? (text) => onText(unmaskGrowing(text, mask)) : onText,
    why: question.correction === undefined ? 'answer' : 'correction',
  };

  const remembered = cache && openCacheEntry(cache, makeCacheKey(model, request, prompt.attachments), context);
  const recalled = await remembered?.recall();
  if (recalled) {
    const reading = readAnswer({ text: unmask(recalled), finish: 'stop' }, role);
    if ('value' in reading) {
      context.note(`${model.name}'s answer came from the cache`);
      keepRecalled(model, request, context, recalled);
      onText?.(unmask(recalled));
      return { ...reading, raw: unmask(recalled) };
    }
  }

  const first = await askModel(model, request, context);
  if ('failed' in first) return { ...first, raw: '' };
  let { reply } = first;
  const read = ({ text, finish }: ModelReply) => readAnswer({ text: unmask(text), finish }, role);
  let reading = read(reply);
  if ('problem' in reading) {
    const { problem } = reading;
    context.note(`${model.name} was asked to repair its answer: ${problem}`);
    const off = reply.text;
    const demand = `${mask ? mask.mask(problem) : problem}\nAnswer again, in full and in the required form.`;
    const repair: ModelRequest = {
      ...request,
      why: 'repair',
      conversation: (structured: boolean) => appendReply(request.conversation(structured), off, demand),
    };
    const second = await askModel(model, repair, context);
    if ('failed' in second) return { ...second, raw: unmask(off) };
    ({ reply } = second);
    reading = read(reply);
  }
  if ('problem' in reading) {
    return {
      failed: reply.finish === 'length' ? 'truncated' : 'malformed',
      detail: reading.problem,
      raw: unmask(reply.text),
    };
  }
  await remembered?.keep(reply.text);
  return { value: reading.value, raw: unmask(reply.text) };
}

/** An answer from the cache, with what would have been sent for it. */
function keepRecalled(model: Model, request: ModelRequest, context: CallContext, text: string): void {
  const conversation = request.conversation(model.structured);
  context.keepCall({
    model: model.name,
    why: request.why ?? 'answer',
    attempt: 1,
    instructions: conversation.instructions,
    messages: showMessages(conversation),
    schema: model.structured ? (request.schema?.text ?? null) : null,
    request: null,
    disclosure: null,
    reply: { text, finish: 'stop' },
    problem: null,
    cached: true,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 },
    latencyMs: 0,
  });
}

/** An answer that ran into its limit is taken only when nothing is missing from it. */
function readAnswer<Answer>(
  { text, finish }: Pick<ModelReply, 'text' | 'finish'>,
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

/**
 * Turns the growing text of an answer into pieces of its first field, the statement. What was passed on cannot be
 * taken back: after a retry, pieces go on only where the new answer says more of the same.
 */
export function streamStatement(onDelta: (delta: string) => void): (textSoFar: string) => void {
  let sent = '';
  return (textSoFar) => {
    const statement = readFirstString(textSoFar);
    if (statement.length > sent.length && statement.startsWith(sent)) {
      onDelta(statement.slice(sent.length));
      sent = statement;
    }
  };
}

const opening = /^[^{]*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"/;

const wholeCharacters = /^(?:[^"\\]+|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*/i;

/** The first field of an object that is still being written, as far as it goes, if it is a string. */
function readFirstString(text: string): string {
  const start = opening.exec(text);
  if (start === null) return '';
  const written = wholeCharacters.exec(text.slice(start[0].length))![0];
  // A model that writes JSON by hand may leave line breaks as they are.
  const value = JSON.parse(
    `"${written.replaceAll(/[\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1))}"`,
  ) as string;
  // Half of a surrogate pair is held back until the other half is there.
  return /[\ud800-\udbff]$/.test(value) ? value.slice(0, -1) : value;
}

/**
 * The object in a model's text, however it is wrapped: fences, prose around it, comments, trailing commas, thoughts
 * before it, an end that is missing. Undefined when there is none. What it means is left to the role's schema:
 * nothing is renamed, and no string becomes a number.
 */
export function extractJson(text: string): unknown {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/i, '').trim();
  const strict = parseJson(answer);
  if (isObject(strict)) return strict;
  // The longest first: prose has small braces, the answer is what fills them.
  const candidates = findOutermostObjects(answer).toSorted((a, b) => b.length - a.length);
  // A quotation mark in a comment misleads the search for the end: then everything between the outer braces is tried.
  candidates.push(answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1));
  for (const candidate of candidates) {
    const value = parseJson(candidate) ?? repairJson(candidate);
    if (isObject(value)) return value;
  }
  return undefined;
}

/** The object that a text is, to the letter, or undefined. */
export function parseStrictly(text: string): unknown {
  const value = parseJson(text.trim());
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function repairJson(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** Every `{…}` that is not inside another one; the last may lack its end. Braces inside strings do not count. */
function findOutermostObjects(text: string): string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"' && depth > 0) inString = true;
    else if (character === '{' && depth++ === 0) start = i;
    else if (character === '}' && depth > 0 && --depth === 0) objects.push(text.slice(start, i + 1));
  }
  if (depth > 0) objects.push(text.slice(start).replace(/\n?```\s*$/, ''));
  return objects;
}
