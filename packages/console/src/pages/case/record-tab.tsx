import { ExternalLink } from 'lucide-react';
import { describePersonal, formatPlural } from '@agonhq/engine/view';
import { type SentAnswer, type SentCaseRecord, client, type DisclosedRow } from '../../api/client.ts';
import { DownloadLink, buttonClass, CopyButton, TextLink } from '../../components/button.tsx';
import { Card, Section, QueryView } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { ProvenanceFacts } from '../../trial/small-print.tsx';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { When } from '../../components/text.tsx';
import { ask } from '../../api/query-options.ts';

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
          <DownloadLink key={format} href={reportUrl(format)} download={reportFileName(record.id, ending)}>
            {title}
          </DownloadLink>
        ))}
        <DownloadLink
          href={`/api/cases/${encodeURIComponent(record.id)}/bundle`}
          download={reportFileName(record.id, 'agon.zip')}
        >
          Evidence
        </DownloadLink>
        <DownloadLink
          href={`/api/cases/${encodeURIComponent(record.id)}/proof`}
          download={reportFileName(record.id, 'proof.json')}
        >
          Proof
        </DownloadLink>
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

/** Who outside of Agon got what for a case: never the values themselves. */
export function Disclosures({ id }: { id: string }) {
  const query = useQuery(ask(['cases', id, 'disclosures'], (options) => client.cases.disclosures(id, options)));
  return (
    <Section
      title="What left this machine"
      lead="What models were sent for this case, those on this machine too. Personal data is counted here, never shown."
    >
      <QueryView query={query} lines={3} what="Loading what left this machine">
        {({ disclosures }) =>
          disclosures.length === 0 ? (
            <p className="text-quiet">Nothing: no model outside of Agon was asked, its reply came from the cache.</p>
          ) : (
            <ul className="grid gap-4 xl:grid-cols-2">
              {disclosures.map((row) => (
                <li key={`${row.host} ${row.model}`} className="min-w-0">
                  <Got row={row} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  );
}

function Got({ row }: { row: DisclosedRow }) {
  const { host, model, here, requests, bytes, first, masked, unmasked, images, withheldImages, recordings } = row;
  const [hidden, open] = [describePersonal(masked), describePersonal(unmasked)];
  return (
    <Card className="grid gap-3">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <span className="words min-w-0">{host}</span>
        {here && <Badge tone="exoneration">On this machine</Badge>}
        {!here && open !== '' && <Badge tone="caution">Personal data as it is</Badge>}
        {hidden !== '' && <Badge tone="implicit">Masked</Badge>}
      </h3>
      <Facts
        facts={[
          [
            'Model',
            <span key="model" className="words font-mono text-sm">
              {model}
            </span>,
          ],
          ['When', <When key="when" moment={first} exact />],
          ['Sent', `${formatPlural(requests, 'request')}, ${bytes.toLocaleString()} bytes`],
          hidden === '' ? null : ['Masked', hidden],
          open === '' ? null : ['Went as it is', open],
          hidden === '' && open === '' ? ['Personal data', 'none found'] : null,
          images > 0 ? ['Images', `${images} sent, unmasked`] : null,
          withheldImages > 0 ? ['Images withheld', String(withheldImages)] : null,
          recordings > 0 ? ['Recordings', `${recordings} sent, unmasked`] : null,
        ]}
      />
    </Card>
  );
}
