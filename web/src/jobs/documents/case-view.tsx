import { Link } from '@tanstack/react-router';
import { FileSearch } from 'lucide-react';
import type { Analysis, CaseRecord } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { Card, Section } from '../../components/card.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { CaseReports, UsageView, Provenance } from '../../pages/case/record-tab.tsx';
import { Retrials } from '../../pages/case/related-cases.tsx';

/** The record of an analysis. Its claims and pages have a page of their own. */
export function DossierCase({ record, analysis }: { record: CaseRecord; analysis: Analysis }) {
  const { documents, claims, outlook, usage } = analysis;
  const counts = Map.groupBy(claims, ({ verdict }) => verdict.label);
  return (
    <>
      <Section
        title="What was decided"
        actions={
          <Link to="/documents/$id" params={{ id: record.id }} className={buttonClass('primary')}>
            <FileSearch aria-hidden className="size-4" /> Pages and claims
          </Link>
        }
      >
        <Card className="grid gap-3">
          <div className="flex flex-wrap items-center gap-3">
            <LabelBadge label={outlook.label} />{' '}
            <span className="text-quiet">{documents.map(({ name }) => name).join(', ')}</span>
          </div>
          <p className="words">
            <PlainText text={outlook.rule.why} />
          </p>
          <ul aria-label="Claims" className="flex flex-wrap gap-x-4 gap-y-2">
            {[...counts].map(([label, some]) => (
              <li key={label} className="inline-flex items-center gap-2">
                {some.length} <LabelBadge label={label} />
              </li>
            ))}
          </ul>
        </Card>
      </Section>
      <CaseReports record={record} />
      <Retrials record={record} />
      <UsageView usage={usage} />
      <Provenance answer={analysis} />
    </>
  );
}
