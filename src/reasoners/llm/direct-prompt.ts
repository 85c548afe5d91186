import type { ProviderModel } from './call.ts';
import type { Conversation, Message, Part } from './messages.ts';

type DirectPrompt = Parameters<ProviderModel['doGenerate']>[0]['prompt'];

/** A conversation in the form of the provider's layer, as the AI SDK would put it. */
export function promptOf({ instructions, messages }: Conversation): DirectPrompt {
  // An empty system message is not the same as none.
  const system: DirectPrompt = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  return [...system, ...messages.map(messageOf)];
}

function messageOf({ role, content }: Message): DirectPrompt[number] {
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  // Providers reject an empty part.
  return { role: 'user', content: content.filter((part) => part.type !== 'text' || part.text !== '').map(partOf) };
}

function partOf(part: Part) {
  return part.type === 'text' ? part : { ...part, data: { type: 'data' as const, data: part.data } };
}
