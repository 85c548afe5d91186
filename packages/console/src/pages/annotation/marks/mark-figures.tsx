import type { SentAnnotationProject } from '../../../api/client.ts';
import { describeKappa, formatAgreement, formatCoefficient } from '../../../charts/format-figures.ts';
import { Section } from '../../../components/page.tsx';
import { DataTable, FigureCard } from '../../../components/table.tsx';

type MarkAgreement = NonNullable<SentAnnotationProject['markAgreement']>;

/** How far people agree on tags, severity, and on the words and regions that show them. */
export function MarkFigures({ agreement: { tags, severity, spans, regions } }: { agreement: MarkAgreement }) {
  return (
    <Section title="Tags, severity and marks">
      <dl className="grid gap-3 sm:grid-cols-3">
        {severity && (
          <FigureCard
            name="Severity, Cohen’s κ"
            value={formatCoefficient(severity.kappa)}
            word={describeKappa(severity.kappa)}
          >
            {formatAgreement(severity.percent)} of pairs match; Krippendorff’s α {formatCoefficient(severity.alpha)}.
          </FigureCard>
        )}
        <FigureCard name="Overlap of marked words" value={formatAgreement(spans.mean)}>
          F1 by characters with the same tag, over {countItems(spans.items)} with marks.
        </FigureCard>
        <FigureCard name="Overlap of regions" value={formatAgreement(regions.mean)}>
          Intersection over union with the same tag, over {countItems(regions.items)} with regions.
        </FigureCard>
      </dl>
      {tags.length > 0 && (
        <DataTable
          label="Agreement by tag"
          rows={tags}
          columns={[
            ['Tag', ({ tag }) => tag, 'words'],
            ['Given', ({ given }) => given.toLocaleString(), 'tabular-nums'],
            ['Agreement', ({ percent }) => formatAgreement(percent), 'tabular-nums'],
            ['Cohen’s κ', ({ kappa }) => formatCoefficient(kappa), 'tabular-nums'],
            ['Krippendorff’s α', ({ alpha }) => formatCoefficient(alpha), 'tabular-nums'],
          ]}
        />
      )}
    </Section>
  );
}

function countItems(items: number): string {
  return `${items.toLocaleString()} ${items === 1 ? 'item' : 'items'}`;
}
