import { shortenCharacters, toOneLine } from '@agonhq/engine/text';
import { endSentence, explainContext, findSpeechAct, isClose, quoted } from '../phrase-arguments.ts';
import { citePrecedent } from '../phrase-precedents.ts';
import type { Deliberation } from './deliberation.ts';

/** What the loose debater says first: the benign reading, with the words that show it and the cases decided so. */
export function openLoosely(seen: Deliberation, fromBar: number): string {
  const { worst, subject } = seen.reading;
  const cited = citePrecedent(seen.precedents, 'safe', subject.source.text);
  const [driver] = worst.risky;
  if (seen.contexts.length > 0) {
    const reasons = seen.contexts.slice(0, 2).map(explainContext).join('; ');
    const concluded =
      fromBar >= 0
        ? `That speaks for the author, though it does not make ${driver ? quoted(driver) : 'the rest'} harmless.`
        : 'Read with that, I see no breach.';
    return `${reasons}. ${concluded}${cited}`;
  }
  if (fromBar >= 0) return `${searchInVain(seen, driver)}${cited}`;
  return `${readAsItStands(seen, isClose(fromBar))}${cited}`;
}

/** What would excuse each kind of words, if it were there. */
const excuses = {
  request: 'study, news, fiction or the wish to prevent harm',
  address: 'a joke, a figure of speech or the words of somebody else',
  account: 'a report, a quotation, a story or a condemnation',
};

function searchInVain({ reading: { subject } }: Deliberation, driver: string | undefined): string {
  const act = findSpeechAct(subject.source.text);
  const looked = act === 'request' ? 'an innocent reason to ask this' : 'an innocent way to read this';
  const about = driver === undefined ? '' : `, which would have to explain ${quoted(driver)}`;
  return `I looked for ${looked}${about}: ${excuses[act]}. There is none that I could quote, so I do not defend it.`;
}

function readAsItStands({ reading: { subject, worst } }: Deliberation, close: boolean): string {
  const beginning = quoted(shortenCharacters(toOneLine(subject.source.text), 70));
  if (worst !== subject)
    return `What stands in plain sight, ${beginning}, harms nobody. What is hidden in it is for my opponent to show.`;
  if (close)
    return (
      `${beginning} is harsh to read, but people say such things without meaning them, and nothing around it shows ` +
      'that it is meant.'
    );
  if (subject.head === 'image') return 'The image shows an ordinary scene, and I find nothing that needs a defence.';
  if (subject.head === 'pair') return 'I read text and image together, and neither makes the other harmful.';
  return findSpeechAct(subject.source.text) === 'request'
    ? endSentence(`One can answer this without helping anybody to do harm: ${beginning}`)
    : `I find nothing in ${beginning} that threatens, demeans or helps to harm anybody.`;
}

/** What it says when it has heard the other side. */
export function replyLoosely(seen: Deliberation, fromBar: number, theirs: string | undefined): string {
  const [context] = seen.contexts;
  if (context) {
    if (!theirs) return `My opponent quotes nothing against it, and ${explainContext(context)}.`;
    return fromBar >= 0
      ? `${quoted(theirs)} weighs heavily, I grant that. It is true that ${explainContext(context)}, but that does ` +
          'not outweigh it.'
      : `My opponent leans on ${quoted(theirs)}. In the same text, ${explainContext(context)}, and that answers it.`;
  }
  if (fromBar >= 0)
    return theirs
      ? `I have nothing to set against ${quoted(theirs)}, and I do not defend it.`
      : 'I have nothing to set against this, and I do not defend it.';
  return theirs
    ? `${quoted(theirs)} is the most that my opponent can quote, and by itself it breaks no clause.`
    : 'My opponent quotes no passage that would break a clause, and I know of none.';
}
