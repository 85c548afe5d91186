import type { SentAnnotationItem } from '../../../api/client.ts';
import { Badge } from '../../../components/badge.tsx';
import { imagePartName, type ItemViewing } from '../use-viewing.ts';
import { MarkWords } from './finding-fields.tsx';
import { MarkedText } from './marked-text.tsx';
import { RegionLayer } from './region-layer.tsx';
import type { DraftFinding } from './use-finding.ts';

const texts = ['text', 'prompt', 'response'] as const;

interface FindingViewProps {
  project: string;
  item: SentAnnotationItem;
  finding: DraftFinding;
  viewing: ItemViewing;
}

/** What somebody found, with their marks in the parts that have some. An image is shown again once it was looked at. */
export function FindingView({ project, item, finding, viewing: { seen } }: FindingViewProps) {
  const { tags, severity, marks } = finding;
  const hasMarks = (of: (mark: DraftFinding['marks'][number]) => boolean) => marks.some(of);
  return (
    <div className="grid w-full min-w-0 gap-2">
      <p className="flex flex-wrap gap-1.5">
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {tags.length === 0 && <span className="text-quiet">No tags</span>}
        {severity !== null && <Badge tone="caution">Severity: {severity}</Badge>}
      </p>
      {texts.map(
        (part) =>
          item[part] !== null &&
          hasMarks((mark) => mark.kind === 'span' && mark.part === part) && (
            <div
              key={part}
              tabIndex={0}
              role="group"
              aria-label={`Marks in the ${part}`}
              className="max-h-56 overflow-y-auto rounded-lg border bg-surface p-3 leading-relaxed"
            >
              <MarkedText text={item[part]} part={part} finding={finding} />
            </div>
          ),
      )}
      {item.images.map(
        ({ hash }, number) =>
          hasMarks((mark) => mark.kind === 'region' && mark.image === hash) &&
          (seen.has(imagePartName(number)) ? (
            <div key={hash} className="relative w-fit max-w-full">
              <img
                src={`/api/annotations/${encodeURIComponent(project)}/images/${encodeURIComponent(hash)}`}
                alt=""
                className="block max-h-64 max-w-full"
              />
              <RegionLayer image={hash} finding={finding} />
            </div>
          ) : (
            <p key={hash} className="text-quiet">
              Regions are shown once you have viewed the image.
            </p>
          )),
      )}
      {marks.length > 0 && (
        <ol className="grid gap-1">
          {marks.map((mark, index) => (
            <li key={index} className="words">
              {index + 1}. <MarkWords mark={mark} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
