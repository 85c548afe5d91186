import type { SentAnnotationProject } from '../../api/client.ts';
import { DataTable, FigureCard } from '../../components/table.tsx';
import { ProgressBar } from '../../components/bars.tsx';
import { describeAlpha, describeKappa, formatAgreement, formatCoefficient } from '../../charts/format-figures.ts';
import { Section } from '../../components/page.tsx';

type Agreement = SentAnnotationProject['agreement'];

export function AgreementLine({ agreement: { percent, kappa, alpha, items } }: { agreement: Agreement }) {
  if (items === 0) return <p className="text-sm text-quiet">No agreement figures yet: no item has all of its votes.</p>;
  return (
    <p className="text-sm text-quiet">
      Agreement <strong className="font-medium text-ink tabular-nums">{formatAgreement(percent)}</strong> · κ{' '}
      <strong className="font-medium text-ink tabular-nums">{formatCoefficient(kappa)}</strong> · α{' '}
      <strong className="font-medium text-ink tabular-nums">{formatCoefficient(alpha)}</strong>
    </p>
  );
}

export function AgreementFigures({ agreement: { percent, kappa, alpha, items, raters } }: { agreement: Agreement }) {
  return (
    <div className="grid gap-3">
      <dl className="grid gap-3 sm:grid-cols-3">
        <FigureCard name="Agreement" value={formatAgreement(percent)}>
          Share of vote pairs on the same item that match.
        </FigureCard>
        <FigureCard name="Cohen’s κ" value={formatCoefficient(kappa)} word={describeKappa(kappa)}>
          Agreement beyond chance: 0 is chance, 1 is perfect{raters.length > 2 ? '. Mean over all pairs' : ''}.
        </FigureCard>
        <FigureCard name="Krippendorff’s α" value={formatCoefficient(alpha)} word={describeAlpha(alpha)}>
          All annotators together. 0.8 or higher counts as reliable.
        </FigureCard>
      </dl>
      <p className="text-sm text-quiet">
        {items === 0
          ? 'Figures appear once the first items have all of their votes.'
          : `Based on ${items.toLocaleString()} ${items === 1 ? 'item' : 'items'} with all votes in. ` +
            'Other items are left out, because their figures would reveal earlier votes.'}
      </p>
    </div>
  );
}

export function AgreementPairs({ agreement: { pairs } }: { agreement: Agreement }) {
  if (pairs.length === 0) return null;
  return (
    <DataTable
      label="Agreement by pair of annotators"
      rows={pairs}
      columns={[
        ['Annotators', ({ between }) => between.join(' and '), 'words'],
        ['Shared items', ({ items }) => items.toLocaleString(), 'tabular-nums'],
        ['Agreement', ({ percent }) => formatAgreement(percent), 'tabular-nums'],
        [
          'Cohen’s κ',
          ({ kappa }) => (
            <>
              {formatCoefficient(kappa)} <span className="text-quiet">{describeKappa(kappa)}</span>
            </>
          ),
          'tabular-nums',
        ],
      ]}
    />
  );
}

export function ProjectProgress({ progress }: Pick<SentAnnotationProject, 'progress'>) {
  return (
    <ProgressBar
      label="Items"
      left={{ name: 'open', count: progress.open }}
      parts={[
        { name: 'agreed', count: progress.agreed, tone: 'exoneration' },
        { name: 'adjudicated', count: progress.adjudicated, tone: 'implicit' },
        { name: 'disputed', count: progress.disputed, tone: 'caution' },
      ]}
    />
  );
}

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
