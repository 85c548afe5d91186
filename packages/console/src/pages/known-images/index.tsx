import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, ShieldAlert } from 'lucide-react';
import { client, type SentKnownImage } from '../../api/client.ts';
import { askPages } from '../../api/query-options.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, EmptyState, ListView, Loading, Page } from '../../components/page.tsx';
import { Paragraph, PlainText, When } from '../../components/text.tsx';
import { useAction } from '../../components/use-action.ts';

const foundQuery = askPages(['known-images'], (page, options) => client.knownImages.list(page, options));

/** The restricted queue: images that came in and are on a list. None of them can be seen, here or anywhere. */
export function KnownImagesPage() {
  const list = useInfiniteQuery(foundQuery);
  return (
    <Page
      title="Known images"
      lead={
        'Images that came in and are on a list. Nobody looked at them, and they were not kept: here are their ' +
        'hashes, and where they came from.'
      }
      actions={<Exports />}
    >
      <ListView
        list={list}
        loading={
          <Card>
            <Loading lines={6} what="Loading known images" />
          </Card>
        }
        empty={
          <EmptyState icon={ShieldAlert} title="No known images came in">
            Lists are named under knownImages in the configuration.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul aria-label="Known images" className="divide-y overflow-hidden rounded-xl border bg-surface">
            {rows.map((row) => (
              <FoundEntry key={row.id} row={row} />
            ))}
          </ul>
        )}
      </ListView>
    </Page>
  );
}

function Exports() {
  return (
    <div className="flex gap-2">
      {(['json', 'csv'] as const).map((format) => (
        <a
          key={format}
          href={`/api/known-images/export?format=${format}`}
          download={`known-images.${format}`}
          className="inline-flex items-center gap-2 rounded-lg border px-3 py-1.5 text-sm hover:bg-paper"
        >
          <Download aria-hidden className="size-4" /> Report as {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
}

function FoundEntry({ row }: { row: SentKnownImage }) {
  const { id, case: caseId, item, image, list, entry, distance, mirrored, foundAt, state, note, settledBy } = row;
  const settle = useAction({
    act: (as: 'reported' | 'dismissed') => client.knownImages.settle(id, { state: as }),
    changes: 'known-images',
  });
  return (
    <li className="grid gap-2 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={state === 'waiting' ? 'caution' : 'quiet'}>{state}</Badge>
        <b>
          <PlainText text={list} />
        </b>
        <span className="text-sm text-quiet">
          distance {distance} of 256{mirrored && ', mirrored'}
        </span>
        <span className="ml-auto text-sm text-quiet">
          <When moment={foundAt} />
        </span>
      </div>
      {(entry.label ?? entry.source) && (
        <Paragraph
          className="text-sm"
          text={[entry.label, entry.source].filter((words) => words !== null).join(', from ')}
        />
      )}
      <p className="words text-sm text-quiet">
        <PlainText text={image} />
        {caseId !== null && (
          <>
            {' '}
            of{' '}
            <Link to="/cases/$id" params={{ id: caseId } as never} className="font-mono text-link underline">
              {caseId}
            </Link>
          </>
        )}
        {item !== null && (
          <>
            , <PlainText text={item} />
          </>
        )}
      </p>
      <p className="font-mono text-xs break-all text-quiet">{row.pdq}</p>
      {state === 'waiting' ? (
        <div className="flex gap-2">
          <Button size="small" busy={settle.isPending} onClick={() => settle.mutate('reported')}>
            Mark as reported
          </Button>
          <Button size="small" busy={settle.isPending} onClick={() => settle.mutate('dismissed')}>
            Dismiss: another image
          </Button>
        </div>
      ) : (
        <p className="text-sm text-quiet">
          by <PlainText text={[settledBy, note].filter((words) => words !== null).join(': ')} />
        </p>
      )}
    </li>
  );
}
