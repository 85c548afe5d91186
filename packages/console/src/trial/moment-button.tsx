import { Play } from 'lucide-react';
import { formatSpan, type FoundMoment } from '@agonhq/engine/view';
import { classes } from '../components/tones.ts';
import { usePointing } from './pointing.tsx';

/** When something is said or shown: plays its recording from there. */
export function MomentButton({ moment }: { moment: FoundMoment }) {
  const { play } = usePointing();
  const at = formatSpan({ from: moment.from, to: moment.from });
  return (
    <button
      type="button"
      title={`Play from ${at}`}
      aria-label={`Play ${moment.of.replace('-', ' ')} from ${at}`}
      onClick={() => play(moment)}
      className={classes(
        'inline-flex min-h-6 flex-none items-center gap-1 rounded-md border bg-surface px-1.5 text-xs text-link',
        'tabular-nums hover:border-link',
      )}
    >
      <Play aria-hidden className="size-3" /> {at}
    </button>
  );
}
