import { HumanMessage, isBaseMessage, type BaseMessage } from '@langchain/core/messages';
import type { GuardChoices, GuardedPrompt, GuardedTurn } from '../../guard/index.ts';
import { chooseTexts, readMessage } from './read-message.ts';

/** What runnables are asked with: a text, messages, or what a prompt template makes of them. */
export type ChainInput = string | BaseMessage | readonly BaseMessage[] | { toChatMessages(): BaseMessage[] };

type Role = NonNullable<GuardedPrompt['messages']>[number]['role'];
const roles: Readonly<Record<string, Role>> = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' };

/** What of it is judged: all that was said, turn by turn, but for what the operator says in system messages. */
export function readChainInput(input: ChainInput, choices: GuardChoices): GuardedPrompt {
  const messages = toMessages(input);
  const skipped = new Set<string>();
  const unread = new Set<string>();
  const earlier: GuardedTurn[] = [];
  let turn = emptyTurn();
  let question = '';
  for (const message of messages) {
    if (message.type === 'human') question = message.text;
    if (choices.prompts === 'skip' || message.type === 'system') continue;
    const read = readMessage(message);
    for (const what of read.unread) unread.add(what);
    if (choices.images === 'judge') turn.images.push(...read.images);
    else if (read.images.length > 0) skipped.add('image');
    if (message.type !== 'ai') {
      // What people say is judged whatever the options say of answers.
      const said = message.type === 'tool' ? chooseTexts(read, choices, (what) => skipped.add(what)) : read.texts;
      turn.text = [turn.text, ...said.map(({ text }) => text)].filter((text) => text !== '').join('\n\n');
      continue;
    }
    earlier.push(turn);
    turn = emptyTurn();
    for (const { text } of chooseTexts(read, choices, (what) => skipped.add(what)))
      earlier.push({ by: 'assistant', question, text });
  }
  return {
    ...turn,
    earlier,
    question,
    messages: messages.flatMap(({ type, text }) => {
      const role = roles[type];
      return role && text.trim() !== '' ? [{ role, content: text }] : [];
    }),
    skipped: [...skipped],
    unread: [...unread],
  };
}

const emptyTurn = () => ({ text: '', images: [] as { data: Uint8Array<ArrayBuffer> }[] });

function toMessages(input: ChainInput): readonly BaseMessage[] {
  if (typeof input === 'string') return [new HumanMessage(input)];
  if (isBaseMessage(input)) return [input];
  return 'toChatMessages' in input ? input.toChatMessages() : input;
}
