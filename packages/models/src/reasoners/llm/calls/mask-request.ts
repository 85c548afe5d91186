import type { CaseFile } from '@agonhq/engine/debate';
import { createMask, type Mask, type PersonalCounts } from '@agonhq/engine/personal-data';
import type { Model } from '../providers/model.ts';
import type { Conversation, LaidOutMessage } from './lay-out-prompt.ts';

/** What of a request is personal, and what became of it. */
export interface Personal {
  masked: PersonalCounts;
  unmasked: PersonalCounts;
}

/** The placeholders of a case, as long as anybody holds it. */
const masks = new WeakMap<CaseFile, Mask>();

export function maskOfCase(caseFile: CaseFile): Mask {
  let mask = masks.get(caseFile);
  if (!mask) {
    const { sources, people } = caseFile;
    mask = createMask(
      sources.map(({ text }) => text),
      people,
    );
    masks.set(caseFile, mask);
  }
  // Each prompt goes on by itself, so that what it says does not depend on which others came before.
  return mask.fork();
}

const personalInCases = new WeakMap<CaseFile, Personal>();

/** What of a case is personal, where it goes as it is. Found once: a trusted provider is asked many times. */
export function tellUnmasked(caseFile: CaseFile): Personal {
  let personal = personalInCases.get(caseFile);
  if (!personal) {
    const mask = maskOfCase(caseFile);
    for (const { text } of caseFile.sources) mask.mask(text);
    personalInCases.set(caseFile, (personal = { masked: {}, unmasked: mask.counts() }));
  }
  return personal;
}

/** A mask of its own for what belongs to no case: a text to embed, a question to a classifier. */
export function maskOfText(): Mask {
  return createMask();
}

/** What a mask that was put on found, and whether it stayed on. */
export function tellPersonal({ masks: isMasked }: Pick<Model, 'masks'>, mask: Mask): Personal {
  const counts = mask.counts();
  return isMasked ? { masked: counts, unmasked: {} } : { masked: {}, unmasked: counts };
}

const maskingNote =
  'Personal data is replaced by placeholders such as [mail-1], [phone-2] or [person-1]. The same placeholder is the ' +
  'same value; [mail-1.2] is another way to write [mail-1]. Take each for a real one of its kind, and copy it letter ' +
  'by letter where you quote.';

/**
 * A conversation as a provider gets it that is not trusted with personal data, and what is personal in it. The case's
 * own words alone are counted.
 */
export function maskConversation(
  conversation: Conversation,
  mask: Mask,
): { conversation: Conversation; personal: Personal } {
  const messages = conversation.messages.map((message) => maskMessage(message, mask));
  const counts = mask.counts();
  const instructions = mask.mask(conversation.instructions, 'shared');
  const isAnything = Object.keys(mask.counts()).length > 0;
  return {
    conversation: {
      messages,
      instructions: isAnything && instructions !== '' ? `${instructions}\n\n${maskingNote}` : instructions,
    },
    personal: { masked: counts, unmasked: {} },
  };
}

function maskMessage(message: LaidOutMessage, mask: Mask): LaidOutMessage {
  if (typeof message.content === 'string') return { ...message, content: mask.mask(message.content) };
  return {
    role: 'user',
    content: message.content.map((part) => (part.type === 'text' ? { ...part, text: mask.mask(part.text) } : part)),
  };
}

/** A growing text, without a placeholder at its end that is not whole yet. */
export function unmaskGrowing(text: string, mask: Mask): string {
  return mask.unmask(text.replace(/\[[a-z]*(?:-r?[\d.]*)?$/i, ''), 'json');
}
