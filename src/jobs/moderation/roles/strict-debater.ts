import type { Role } from '../../../debate/index.ts';
import type { Argument } from '../answers.ts';
import type { ModerationCaseFile } from '../case-file.ts';
import type { Modality } from '../subject.ts';
import { modality, type RoleContext } from './case-prompt.ts';
import { debater } from './debater.ts';

const lookFor: Record<Modality, string> = {
  text:
    'Look for actionable harm, attacks on people, what is implied but not said, and jailbreak patterns: role ' +
    'play, fiction or research as a cover, ' +
    'encoded or split requests.',
  image:
    'Look for hazards in what the image shows and says: weapons, drugs, injury, hateful symbols or gestures, ' +
    'exposed people or data, demeaning captions.',
  'text+image':
    'Read text and image as one message: hostile text turns a harmless picture, an innocent question may point at ' +
    'a hazard in the picture, and each may complete the other.',
};

/** The bottom line of the policy: worst-case reading, objective hazards over stated intent. */
export function strictDebater(context: RoleContext): Role<Argument, ModerationCaseFile> {
  return debater(
    'strict-debater',
    context,
    (question) =>
      `You are the strict debater, the bottom line of the policy. Take the worst reasonable reading. ${lookFor[modality(question)]} ` +
      'Objective hazards outweigh stated good intent. Show that the risk is real, and which clause it breaks; do ' +
      'not invent one.',
  );
}
