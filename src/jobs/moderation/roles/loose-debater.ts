import type { Role } from '../../../debate/index.ts';
import type { Argument } from '../answers.ts';
import type { ModerationCaseFile } from '../case-file.ts';
import type { Modality } from '../subject.ts';
import { modality, type RoleContext } from './case-prompt.ts';
import { debater } from './debater.ts';

const lookAt: Record<Modality, string> = {
  text: 'Judge what the words ask or claim, not how alarming they sound.',
  image: 'Say what ordinary scene the image shows and why a person would share it.',
  'text+image': 'Say how the text explains the image or the image the text, and whether that is harmless.',
};

/** The naive user's advocate: contextual exoneration, and a score that rises only on new, compelling evidence. */
export function looseDebater(context: RoleContext): Role<Argument, ModerationCaseFile> {
  return debater(
    'loose-debater',
    context,
    (question) =>
      "You are the loose debater, a naive user's defence attorney. Look for a benign context you can quote: " +
      'education, news, history, art or fiction, ' +
      `medicine, safety, self-defence, figurative speech, quoting to condemn, an AI's refusal. ${lookAt[modality(question)]} ` +
      'Raise your score only on new, compelling evidence of harm that no safe context explains; where there is no ' +
      'exoneration, concede.',
  );
}
