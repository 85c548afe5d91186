import { Download, ExternalLink } from 'lucide-react';
import type { SentAnswer, SentCaseRecord } from '../../api/client.ts';
import { buttonClass, CopyButton, TextLink } from '../../components/button.tsx';
import { Card, Section } from '../../components/page.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { ProvenanceFacts } from '../../trial/small-print.tsx';

/** What a report is saved as; a replay's id has a ~ in it, which shells read otherwise. */
export function reportFileName(id: string, ending = 'json'): string {
  return `${id.replaceAll(/[^\w.-]/g, '-')}.${ending}`;
}

export function CaseReports({ record }: { record: SentCaseRecord }) {
  const { reports } = findConsoleJob(record.job).record;
  const reportUrl = (format: string) => `/api/cases/${encodeURIComponent(record.id)}/report?format=${format}`;
  return (
    <Section title="Reports">
      <div className="flex flex-wrap gap-2">
        <a href={reportUrl('html')} target="_blank" rel="noreferrer" className={buttonClass()}>
          <ExternalLink aria-hidden className="size-4" /> Report
        </a>
        {reports.map(({ title, format, ending }) => (
          <a
            key={format}
            href={reportUrl(format)}
            download={reportFileName(record.id, ending)}
            className={buttonClass()}
          >
            <Download aria-hidden className="size-4" /> {title}
          </a>
        ))}
        <a
          href={`/api/cases/${encodeURIComponent(record.id)}/bundle`}
          download={reportFileName(record.id, 'agon.zip')}
          className={buttonClass()}
        >
          <Download aria-hidden className="size-4" /> Evidence
        </a>
        <a
          href={`/api/cases/${encodeURIComponent(record.id)}/proof`}
          download={reportFileName(record.id, 'proof.json')}
          className={buttonClass()}
        >
          <Download aria-hidden className="size-4" /> Proof
        </a>
      </div>
      <p className="text-sm text-quiet">
        Evidence is one signed file with all that the verdict was made from, for others to check without this server:
        with <code className="font-mono">agon verify</code>, or on a{' '}
        <a href="/verifier.html" target="_blank" rel="noreferrer" className="text-link underline">
          page that works offline
        </a>
        . The proof shows that the case is in the ledger's trees, signed.
      </p>
    </Section>
  );
}

/** What made the answer, and how anybody can check it without this server. */
export function Provenance({ answer }: { answer: SentAnswer }) {
  const { name, version } = answer.provenance.policy;
  const verify = `agon verify ${reportFileName(answer.id)}`;
  return (
    <Section title="Provenance">
      <Card className="grid gap-5">
        <ProvenanceFacts
          answer={answer}
          policy={
            findConsoleJob(answer.job).usesPolicy && (
              <TextLink to="/policy">
                {name} {version}
              </TextLink>
            )
          }
        />
        <div className="grid gap-2 border-t pt-4">
          <p>
            You can check the seal, the quotations and every computed figure offline, without trusting this server. Save
            the JSON, then run:
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <code className="rounded-lg border bg-paper px-3 py-1.5 font-mono text-sm">{verify}</code>
            <CopyButton text={verify} />
          </div>
        </div>
      </Card>
    </Section>
  );
}
