import type { QueueItem } from '../../api/types.ts';
import { newTrial, textOrNull, type TrialView } from '../../trial/trial-view.ts';

/** What is to be judged, as a trial in which nobody has spoken. */
export function subjectOf({ id, job, sources, attachments }: QueueItem): TrialView {
  return newTrial(job, {
    id,
    sources: sources.map((source) => ({
      id: source.id,
      text: source.text,
      tool: textOrNull(source['tool']),
      of: textOrNull(source['of']),
      note: textOrNull(source['note']),
    })),
    images: attachments.map(({ hash }, index) => ({ id: `image-${index + 1}`, hash })),
  });
}
