import { sideWords, toneOf } from '@agonhq/documents/view';
import type { CitedPassage } from '@agonhq/engine/view';
import type { TextMark } from '../../../components/text.tsx';
import { classes, markLooks, type MarkTone } from '../../../components/tones.ts';

/* What is cited by anybody, in the colours of what it is cited for. */

const tones: Record<ReturnType<typeof toneOf>, MarkTone> = {
  neutral: 'implicit',
  implicit: 'caution',
  exoneration: 'exoneration',
  risk: 'risk',
  both: 'both',
};
/** Where marks overlap, the last of these is seen. */
const weights = Object.values(tones);

export function findPassageTone({ quoters }: CitedPassage): MarkTone {
  return tones[toneOf(new Set(quoters.map(({ side }) => side)))];
}

export function PassageLegend() {
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {sideWords.map(([side, words]) => (
        <mark key={side} className={classes('rounded-sm px-1 text-ink underline', markLooks[tones[side]])}>
          {words}
        </mark>
      ))}
    </p>
  );
}

/** The passages as marks of a range of the text; the number of one stands where it ends. */
export function markPassagesIn(
  { start: from, end: to }: { start: number; end: number },
  passages: readonly CitedPassage[],
) {
  return passages
    .map((passage): TextMark => ({
      start: passage.start - from,
      end: passage.end - from,
      tone: findPassageTone(passage),
      title: passage.quoters.map(({ speaker }) => speaker).join('; '),
      id: `passage-${passage.number}`,
      reference:
        passage.end > from && passage.end <= to
          ? { number: passage.number, anchor: passage.quoters[0]!.anchor }
          : undefined,
    }))
    .toSorted((one, other) => weights.indexOf(one.tone) - weights.indexOf(other.tone));
}
