import type { GuardChoices, GuardedPrompt } from '../../guard/index.ts';
import type { Prompt, PromptMessage } from './sdk-types.ts';

type Message = NonNullable<GuardedPrompt['messages']>[number];
type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number];
type FilePart = Extract<UserPart, { type: 'file' }>;
type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/**
 * What of a prompt is judged: the user's turn since the model last spoke, or all of theirs. What the operator says
 * (system messages) and what the model said itself are context.
 */
export function readPrompt(prompt: Prompt, choices: GuardChoices): GuardedPrompt {
  const skipped = new Set<string>();
  const texts: string[] = [];
  const images: { data: Uint8Array<ArrayBuffer> }[] = [];
  const sinceLast = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1);
  const judged = choices.prompts === 'skip' ? [] : choices.prompts === 'all' ? prompt : sinceLast;
  for (const message of judged) {
    if (message.role === 'user')
      for (const part of message.content) {
        const text = readText(part);
        const image = part.type === 'file' ? readImage(part) : null;
        if (text !== null) texts.push(text);
        else if (image && choices.images === 'judge') images.push({ data: image });
        else skipped.add(part.type === 'file' ? nameFile(part) : part.type);
      }
    if (message.role === 'tool')
      for (const result of listResults(message)) {
        if (choices.toolResults === 'judge') texts.push(renderResult(result));
        else skipped.add('tool-result');
      }
  }
  return {
    text: texts.join('\n\n'),
    images,
    question: findQuestion(prompt),
    messages: prompt.flatMap(readMessage),
    skipped: [...skipped],
  };
}

/** What the answer answers: the user's last words, however many tools were called since. */
function findQuestion(prompt: Prompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  return last ? last.content.flatMap((part) => readText(part) ?? []).join('\n\n') : '';
}

function readText(part: UserPart): string | null {
  if (part.type === 'text') return part.text;
  return part.data.type === 'text' ? part.data.text : null;
}

function readImage({ mediaType, data }: FilePart): Uint8Array<ArrayBuffer> | null {
  if (!/^image(\/|$)/.test(mediaType) || data.type !== 'data') return null;
  return typeof data.data === 'string' ? Buffer.from(data.data, 'base64') : new Uint8Array(data.data);
}

/** An image that is named by its address is not fetched. */
function nameFile({ mediaType, data }: FilePart): string {
  const kind = mediaType.split('/')[0]!;
  return data.type === 'data' ? kind : `${kind}-${data.type}`;
}

function readMessage(message: PromptMessage): Message[] {
  if (message.role === 'system') return [{ role: message.role, content: message.content }];
  const content =
    message.role === 'tool'
      ? listResults(message).map(renderResult).join('\n\n')
      : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return content.trim() === '' ? [] : [{ role: message.role, content }];
}

function listResults({ content }: ToolMessage): ToolResult[] {
  return content.filter((part) => part.type === 'tool-result');
}

function renderResult({ output }: ToolResult): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'execution-denied') return output.reason ?? '';
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
