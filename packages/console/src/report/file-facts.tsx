import { PlainText } from '../components/text.tsx';
import type { TrialImage } from '../trial/trial-view.ts';
import { useReport } from './report-context.ts';

/** Which file it was, for whoever checks a report. */
export function FileFacts({ file: { hash, about } }: { file: Pick<TrialImage, 'hash' | 'about'> }) {
  if (!useReport()) return null;
  return (
    <p className="text-xs text-quiet">
      {about && (
        <>
          <PlainText text={about} /> ·{' '}
        </>
      )}
      {hash === null ? 'only a description was given' : <code className="font-mono break-all">{hash}</code>}
    </p>
  );
}
