import { Download, ExternalLink } from 'lucide-react';
import type { CaseRecord } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { Section } from '../../components/card.tsx';
import { reportPath } from './case-query.ts';

/** What a report is saved as; a replay's id has a ~ in it, which shells read otherwise. */
export function reportFileName(id: string, ending = 'json'): string {
  return `${id.replaceAll(/[^\w.-]/g, '-')}.${ending}`;
}

const notices = { moderation: 'Notice to the person concerned', evaluation: 'Summary', documents: 'Decision brief' };

/** The case to take along. */
export function CaseReports({ record }: { record: CaseRecord }) {
  const files = [
    ['Markdown', 'markdown', 'md'],
    ['JSON', 'json', 'json'],
    [notices[record.job], 'notice', 'notice.md'],
    ...(record.job === 'documents' ? [['Decision brief, PDF', 'pdf', 'pdf'] as const] : []),
  ] as const;
  return (
    <Section title="Reports">
      <div className="flex flex-wrap gap-2">
        <a href={reportPath(record, 'html')} target="_blank" rel="noreferrer" className={buttonClass()}>
          <ExternalLink aria-hidden className="size-4" /> Report
        </a>
        {files.map(([name, format, ending]) => (
          <a
            key={format}
            href={reportPath(record, format)}
            download={reportFileName(record.id, ending)}
            className={buttonClass()}
          >
            <Download aria-hidden className="size-4" /> {name}
          </a>
        ))}
      </div>
    </Section>
  );
}
