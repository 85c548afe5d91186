import type { AnnotationProject } from '../../api/types.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';

/** How far the items of a project have come. */
export function ProjectProgress({
  project: {
    progress: { open, disputed, agreed, adjudicated },
  },
}: {
  project: AnnotationProject;
}) {
  return (
    <ProgressBar
      label="Items"
      left={{ name: 'open', count: open }}
      parts={[
        { name: 'agreed', count: agreed, tone: 'exoneration' },
        { name: 'adjudicated', count: adjudicated, tone: 'implicit' },
        { name: 'disputed', count: disputed, tone: 'caution' },
      ]}
    />
  );
}
