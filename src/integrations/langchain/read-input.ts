import { HumanMessage, isBaseMessage, type BaseMessage } from '@langchain/core/messages';
import type { GuardedPrompt } from '../../guard/index.ts';

/** What runnables are asked with: a text, messages, or what a prompt template makes of them. */
export type ChainInput = string | BaseMessage | readonly BaseMessage[] | { toChatMessages(): BaseMessage[] };

type Role = NonNullable<GuardedPrompt['messages']>[number]['role'];
const roles: Readonly<Record<string, Role>> = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' };

/** What of it is judged: what people said since the model last spoke, or all of it. */
export function readInput(input: ChainInput, which: 'last' | 'all' | 'skip'): GuardedPrompt {
  const messages = toMessages(input);
  const since = messages.slice(messages.findLastIndex(({ type }) => type === 'ai') + 1);
  const human = (of: readonly BaseMessage[]) => of.filter(({ type }) => type === 'human').map(({ text }) => text);
  const skipped = messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type !== 'text'),
  );
  return {
    text: which === 'skip' ? '' : human(which === 'all' ? messages : since).join('\n\n'),
    question: human(messages).at(-1) ?? '',
    messages: messages.flatMap(({ type, text }) => {
      const role = roles[type];
      return role && text.trim() !== '' ? [{ role, content: text }] : [];
    }),
    skipped: skipped ? ['non-text'] : [],
  };
}

function toMessages(input: ChainInput): readonly BaseMessage[] {
  if (typeof input === 'string') return [new HumanMessage(input)];
  if (isBaseMessage(input)) return [input];
  return 'toChatMessages' in input ? input.toChatMessages() : input;
}
