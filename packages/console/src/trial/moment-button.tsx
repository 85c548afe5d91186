import { Play } from 'lucide-react';
import { findWords, formatSpan, nameMoment, type FoundMoment } from '@agonhq/engine/view';
import { classes } from '../components/tones.ts';
import { useReport, type ReportPage } from '../report/report-context.ts';
import { usePointing } from './pointing.tsx';

const look = classes(
  'inline-flex min-h-6 flex-none items-center gap-1 rounded-md border bg-surface px-1.5 text-xs text-link tabular-nums',
  'hover:border-link',
);

interface MomentProps {
  moment: FoundMoment;
  /** Whether it stands where the recording is told; a report leads there from elsewhere. */
  isPlace?: boolean;
}

/** When something is said or shown: plays its recording from there. */
export function MomentButton({ moment, isPlace = false }: MomentProps) {
  const { play } = usePointing();
  const report = useReport();
  const at = formatSpan({ from: moment.from, to: moment.from });
  if (report) {
    const file = isPlace ? findRecordingPath(report, moment.of) : '';
    const place = isPlace ? { id: nameMoment(moment) } : {};
    if (file === null)
      return (
        <b {...place} className="flex-none text-xs tabular-nums">
          {at}
        </b>
      );
    return (
      <a {...place} href={isPlace ? `${file}#t=${moment.from}` : `#${nameMoment(moment)}`} className={look}>
        {at}
      </a>
    );
  }
  return (
    <button
      type="button"
      title={`Play from ${at}`}
      aria-label={`Play ${moment.of.replace('-', ' ')} from ${at}`}
      onClick={() => play(moment)}
      className={look}
    >
      <Play aria-hidden className="size-3" /> {at}
    </button>
  );
}

/** Where a recording lies, as a path that a link may lead to; null for anything else. */
export function findRecordingPath({ extras: { recordings = {} } }: ReportPage, id: string): string | null {
  const place = findWords(recordings, id) ?? '';
  return /^[\w%.~/@!$&'()*+,;=-]+$/.test(place) ? place : null;
}
