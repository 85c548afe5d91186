import { Link } from '@tanstack/react-router';
import type { AnnotationProject } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { When } from '../../components/when.tsx';
import { AgreementLine } from './agreement.tsx';
import { ProjectProgress } from './project-progress.tsx';

export function ProjectCard({ project }: { project: AnnotationProject }) {
  const { id, name, labels, votes, createdAt, createdBy, progress, yours, agreement } = project;
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="words min-w-0 text-xl">
          <Link to="/annotation/$project" params={{ project: id }} className="text-link underline">
            {name}
          </Link>
        </h2>
        {yours.waiting > 0 ? (
          <Badge tone="caution">{yours.waiting.toLocaleString()} wait for you</Badge>
        ) : (
          <Badge tone={progress.disputed > 0 ? 'caution' : 'exoneration'}>
            {progress.disputed > 0 ? `${progress.disputed.toLocaleString()} to adjudicate` : 'Nothing waits for you'}
          </Badge>
        )}
      </div>
      <ProjectProgress project={project} />
      <AgreementLine agreement={agreement} />
      <p className="words text-sm text-quiet">
        {progress.items.toLocaleString()} {progress.items === 1 ? 'item' : 'items'}, {votes} votes each:{' '}
        {labels.join(', ')}. Made <When moment={createdAt} />
        {createdBy ? ` by ${createdBy}` : ''}.
      </p>
    </Card>
  );
}
