import { ExternalLink } from 'lucide-react';
import { formatSeconds } from '@agonhq/engine/view';
import type { SentAnswer, SentCaseRecord } from '../../api/client.ts';
import { formatCost, showCount } from '../../charts/format-figures.ts';
import { DownloadLink, buttonClass, CopyButton, TextLink } from '../../components/button.tsx';
import { Card, Section } from '../../components/page.tsx';
import { type TableColumn, DataTable, Facts } from '../../components/table.tsx';
import { findConsoleJob } from '../../jobs/index.ts';

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

type Usage = SentAnswer['usage'];
type UsagePart = Usage['byModel'][string];

/** What the trial took: tokens, money, time; by model and by seat. */
export function UsageView({ usage }: { usage: Usage }) {
  return (
    <Section title="Usage">
      <Facts
        facts={[
          ['Calls', showCount(usage.calls)],
          ['Tokens in', showCount(usage.inputTokens)],
          ['Cached tokens', showCount(usage.cachedTokens)],
          ['Tokens out', showCount(usage.outputTokens)],
          ['Cost', formatCost(usage.costUsd)],
          ['Time', formatSeconds(usage.latencyMs)],
        ]}
      />
      <div className="grid gap-4 xl:grid-cols-2">
        <UsageTable label="Usage by model" head="Model" parts={usage.byModel} />
        <UsageTable label="Usage by seat" head="Seat" parts={usage.bySeat} />
      </div>
    </Section>
  );
}

function UsageTable({ label, head, parts }: { label: string; head: string; parts: Record<string, UsagePart> }) {
  if (Object.keys(parts).length === 0) return null;
  const figure = (title: string, write: (part: UsagePart) => string): TableColumn<[string, UsagePart]> => [
    title,
    ([, part]) => write(part),
    'tabular-nums whitespace-nowrap',
  ];
  return (
    <DataTable
      label={label}
      rows={Object.entries(parts)}
      columns={[
        [head, ([name]) => name, 'font-mono text-sm whitespace-nowrap'],
        figure('Calls', ({ calls }) => showCount(calls)),
        figure('Tokens in', ({ inputTokens }) => showCount(inputTokens)),
        figure('Cached', ({ cachedTokens }) => showCount(cachedTokens)),
        figure('Tokens out', ({ outputTokens }) => showCount(outputTokens)),
        figure('Cost', ({ costUsd }) => formatCost(costUsd)),
      ]}
    />
  );
}

/** What made the answer, and how anybody can check it without this server. */
export function Provenance({ answer }: { answer: SentAnswer }) {
  const { usesPolicy } = findConsoleJob(answer.job);
  const { agon, protocol, policy, models, precedents, prompts, configuration } = answer.provenance;
  const verify = `agon verify ${reportFileName(answer.id)}`;
  return (
    <Section title="Provenance">
      <Card className="grid gap-5">
        <Facts
          facts={[
            ['Agon', agon],
            ['Protocol', protocol],
            !usesPolicy
              ? null
              : [
                  'Policy',
                  <TextLink key="policy" to="/policy">
                    {policy.name} {policy.version}
                  </TextLink>,
                ],
            [
              'Models',
              <ul key="models">
                {Object.entries(models).map(([seat, model]) => (
                  <li key={seat}>
                    {seat}: <code className="font-mono text-sm">{model}</code>
                  </li>
                ))}
              </ul>,
            ],
          ]}
        />
        <Facts
          className="grid gap-3 border-t pt-4"
          valueClass="font-mono text-sm break-all"
          facts={[
            ['Seal (hash of the whole answer)', answer.seal],
            ['Configuration', configuration],
            ['Prompts', prompts],
            usesPolicy ? ['Policy', policy.hash] : null,
            ['Precedent library', precedents],
          ]}
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
