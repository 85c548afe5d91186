import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import type { SentAuditEntry } from '../../api/client.ts';
import { auditQuery, peopleQuery } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { DownloadLink, CaseLink, Button } from '../../components/button.tsx';
import { DayRange, SelectField } from '../../components/field.tsx';
import { EmptyState, ListView, Loading } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { type RawSearch, useSearchState, writeSearch } from '../../routing/search.ts';
import { localMidnight, readDay } from '../../routing/local-days.ts';
import { aboutCases, operationTitles } from './operation-titles.ts';

interface Filter {
  who?: string;
  operation?: string;
  /** Days, as people have them where they are. */
  from?: string;
  to?: string;
}

function readFilter({ who, operation, from, to }: RawSearch): Filter {
  const given = { who: who || undefined, operation: operation || undefined, from: readDay(from), to: readDay(to) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** In the words of the server: `to` is a whole day, which ends where the next begins. */
function askedFilter({ from, to, ...filter }: Filter): Filter {
  return {
    ...filter,
    ...(from ? { from: localMidnight(from)!.toISOString() } : {}),
    ...(to ? { to: localMidnight(to, 1)!.toISOString() } : {}),
  };
}

/** Who did what: filtered by what stands in the address, and exported as it is filtered. */
export function AuditPanel() {
  const [filter, change] = useSearchState(readFilter);
  const asked = askedFilter(filter);
  const list = useInfiniteQuery(auditQuery(asked));
  const { data: people } = useQuery(peopleQuery);
  const names = new Set((people?.rows ?? []).flatMap(({ name }) => name ?? []));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <p className="max-w-3xl text-quiet">
        Changes, decisions, exports, forgetting, every look at known images, signing in and out, and what was refused.
        Never what was judged or why. Verdicts are not listed here: each case has its own record.
      </p>
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
        <SelectField
          label="Who"
          value={filter.who ?? ''}
          onChange={(who) => change({ who })}
          none="Anybody"
          options={[...names].sort().map((name) => [name, name])}
        />
        <SelectField
          label="What"
          value={filter.operation ?? ''}
          onChange={(operation) => change({ operation })}
          none="Anything"
          options={Object.entries(operationTitles)}
        />
        <DayRange from={filter.from} to={filter.to} onChange={change} />
      </div>
      <div className="flex flex-wrap gap-2">
        {(['csv', 'jsonl'] as const).map((format) => (
          <DownloadLink
            key={format}
            href={`/api/audit/export${writeSearch({ format, ...asked })}`}
            download={`audit.${format}`}
            size="small"
          >
            {format === 'csv' ? 'Export as CSV' : 'Export as JSON Lines'}
          </DownloadLink>
        ))}
        {isFiltered && (
          <Button
            size="small"
            variant="quiet"
            onClick={() => change({ who: undefined, operation: undefined, from: undefined, to: undefined })}
          >
            Clear filters
          </Button>
        )}
      </div>
      <ListView
        list={list}
        loading={<Loading lines={8} what="Loading the audit log" />}
        empty={
          <EmptyState icon={ScrollText} title={isFiltered ? 'Nothing of that kind' : 'Nothing was done yet'}>
            {isFiltered ? 'Take a filter away to see more.' : 'What people and keys do here is listed from now on.'}
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable
            label="Audit log"
            rows={rows}
            columns={[
              ['When', ({ at }) => <When moment={at} exact />, 'whitespace-nowrap'],
              ['Who', (row) => <Who row={row} />, 'min-w-28'],
              ['What', ({ operation }) => <OperationTitle operation={operation} />, 'min-w-44'],
              ['Of', (row) => <Target row={row} />, 'max-w-64 min-w-32 break-all'],
              ['With', ({ what }) => <Choice what={what} />, 'min-w-32'],
              ['Outcome', ({ status }) => <Outcome status={status} />, 'whitespace-nowrap'],
            ]}
          />
        )}
      </ListView>
    </>
  );
}

function Who({ row: { who, key, status } }: { row: SentAuditEntry }) {
  if (who !== null) return <PlainText text={who} />;
  return <span className="text-quiet">{key === null && status === 401 ? 'somebody unknown' : 'this machine'}</span>;
}

function OperationTitle({ operation }: { operation: string }) {
  const title = operationTitles[operation];
  if (title) return <span title={operation}>{title}</span>;
  return <PlainText className="font-mono text-sm" text={operation} />;
}

function Target({ row: { target, operation, status } }: { row: SentAuditEntry }) {
  if (target === null) return null;
  const isCase = status < 400 && aboutCases.has(operation.split('.')[0]!) && !target.includes(' ');
  const words = <span className="font-mono text-sm">{<PlainText text={target} />}</span>;
  return isCase ? <CaseLink id={target}>{words}</CaseLink> : words;
}

function Choice({ what }: { what: SentAuditEntry['what'] }) {
  return Object.entries(what).map(([name, value]) => (
    <span key={name} className="block text-sm">
      <span className="text-quiet">{name}</span>{' '}
      <PlainText text={Array.isArray(value) ? value.join(', ') : String(value)} />
    </span>
  ));
}

function Outcome({ status }: { status: number }) {
  if (status < 400) return <Badge tone="exoneration">done</Badge>;
  if (status === 401 || status === 403) return <Badge tone="risk">refused</Badge>;
  return <Badge tone="caution">failed, {status}</Badge>;
}
