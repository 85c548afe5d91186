import type { GuardChoices, GuardedPrompt, GuardedTurn } from '../../guard/index.ts';
import type { SdkPrompt, PromptMessage } from './sdk-types.ts';

type Message = NonNullable<GuardedPrompt['messages']>[number];
type Part = Exclude<PromptMessage, { role: 'system' }>['content'][number];
type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>;
type FilePart = Extract<Part, { type: 'file' | 'reasoning-file' }>;
type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/**
 * What of a prompt is judged: all that was said, turn by turn. Whoever writes to a service sends the model's own words
 * along, so they are judged too; what the operator says in system messages is not.
 */
export function readPrompt(prompt: SdkPrompt, choices: GuardChoices): GuardedPrompt {
  const skipped = new Set<string>();
  const unread = new Set<string>();
  const earlier: GuardedTurn[] = [];
  let turn = emptyTurn();

  function endTurn(): void {
    if (turn.text !== '' || turn.images.length > 0) earlier.push(turn);
    turn = emptyTurn();
  }

  function readPart(part: Part): void {
    const text = readText(part);
    const image = part.type === 'file' || part.type === 'reasoning-file' ? readImage(part) : null;
    if (part.type === 'tool-result') readResult(part);
    else if (text !== null) turn.text += turn.text === '' ? text : `\n\n${text}`;
    else if (image && choices.images === 'judge') turn.images.push({ data: image });
    else if (image) skipped.add('image');
    else if (part.type === 'file' || part.type === 'reasoning-file') unread.add(nameFile(part));
    else if (part.type !== 'tool-approval-response') unread.add(part.type);
  }

  function readResult(result: ToolResult): void {
    if (choices.toolResults === 'skip') return void skipped.add('tool-result');
    const text = renderResult(result);
    turn.text += turn.text === '' ? text : `\n\n${text}`;
    if (result.output.type === 'content')
      for (const { type } of result.output.value) if (type !== 'text') unread.add(`tool-result ${type}`);
  }

  /** Each text by itself, as it was judged when the model said it. */
  function readAnswer({ content }: AssistantMessage, question: string): void {
    const judges = { text: choices.answers, reasoning: choices.reasoning, 'tool-call': choices.toolCalls };
    for (const part of content) {
      if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') readPart(part);
      else if (judges[part.type] === 'skip') skipped.add(part.type === 'text' ? 'answer' : part.type);
      else earlier.push({ by: 'assistant', question, text: readSaid(part) });
    }
    endTurn();
  }

  for (const [at, message] of (choices.prompts === 'judge' ? prompt : []).entries()) {
    if (message.role === 'assistant') {
      endTurn();
      readAnswer(message, findQuestion(prompt.slice(0, at)));
    } else if (message.role !== 'system') for (const part of message.content) readPart(part);
  }
  return {
    ...turn,
    earlier,
    question: findQuestion(prompt),
    messages: prompt.flatMap(readMessage),
    skipped: [...skipped],
    unread: [...unread],
  };
}

const emptyTurn = () => ({ text: '', images: [] as { data: Uint8Array<ArrayBuffer> }[] });

function readSaid(part: Extract<Part, { type: 'text' | 'reasoning' | 'tool-call' }>): string {
  if (part.type !== 'tool-call') return part.text;
  return typeof part.input === 'string' ? part.input : JSON.stringify(part.input);
}

/** What the answer answers: the user's last words, however many tools were called since. */
function findQuestion(prompt: SdkPrompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  return last ? last.content.flatMap((part) => readText(part) ?? []).join('\n\n') : '';
}

function readText(part: Part): string | null {
  if (part.type === 'text') return part.text;
  return part.type === 'file' && part.data.type === 'text' ? part.data.text : null;
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
