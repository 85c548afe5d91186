import { Flag, TriangleAlert, UserCheck } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import type { CaseRow } from '../../api/client.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { PlainText, formatAgo } from '../../components/text.tsx';
import { viewVerdictRisk } from '@agonhq/engine/view';
import { RiskMeter, showScore } from '../../components/bars.tsx';
import { classes } from '../../components/tones.ts';
import { findConsoleJob } from '../../jobs/index.ts';

const shownCategories = 2;

interface CaseItemProps {
  row: CaseRow;
  index: number;
  /** By the tab key; the others by arrows. */
  reachable: boolean;
  onFocus: (index: number) => void;
  onOpen: (id: string) => void;
}

/**
 * A case in the list: two lines, on a phone three. All rows are of one height. A plain link: dozens come with every
 * turn of the wheel.
 */
export const CaseItem = memo(function CaseItem({ row, index, reachable, onFocus, onOpen }: CaseItemProps) {
  const { id, label, disagreement, categories, openedAt } = row;
  const risk = viewVerdictRisk(row);
  const job = findConsoleJob(row.job);
  return (
    <a
      href={`/cases/${encodeURIComponent(id)}`}
      onClick={(event) => {
        if (isPlainClick(event)) onOpen(id);
      }}
      tabIndex={reachable ? 0 : -1}
      onFocus={() => onFocus(index)}
      data-case={id}
      className={classes(
        'grid h-full content-center gap-1.5 px-3 text-ink no-underline hover:bg-paper focus-visible:bg-paper',
        'focus-visible:-outline-offset-3 sm:px-4',
      )}
    >
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 sm:flex-nowrap">
        <span className="sm:w-28 sm:flex-none">
          <LabelBadge label={label} state={row.state} />
        </span>
        <span className="order-3 line-clamp-1 basis-full break-all sm:order-none sm:basis-0 sm:grow" dir="auto">
          {row.excerpt !== null ? <PlainText text={row.excerpt} /> : <i className="text-quiet">Content forgotten</i>}
        </span>
        <time
          dateTime={openedAt}
          title={new Date(openedAt).toLocaleString()}
          className="ml-auto text-sm whitespace-nowrap text-quiet"
        >
          {formatAgo(openedAt)}
        </time>
      </span>
      <span
        className={classes(
          'flex min-w-0 items-center gap-x-4 overflow-hidden text-sm sm:gap-x-3 whitespace-nowrap text-quiet',
        )}
      >
        <span className="hidden w-28 flex-none truncate sm:inline">
          {job.title}
          {row.again && `, ${row.again.how}`}
        </span>
        {risk && <RiskMeter risk={risk} width="w-12" />}
        {disagreement !== null && (
          <span className="tabular-nums">
            <span className="sr-only sm:not-sr-only">Disagreement </span>
            <span aria-hidden className="sm:hidden">
              Δ{' '}
            </span>
            {showScore(disagreement)}
          </span>
        )}
        <Flags row={row} />
        {categories.length > 0 && (
          <span className="min-w-0 truncate">
            {categories.slice(0, shownCategories).join(', ')}
            {categories.length > shownCategories && ` and ${categories.length - shownCategories} more`}
          </span>
        )}
      </span>
    </a>
  );
});

/** Not one that asks for another tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}

const flags = [
  ['escalate', 'caution', Flag, 'Escalated'],
  ['degraded', 'caution', TriangleAlert, 'Degraded'],
  ['decided', 'implicit', UserCheck, 'Decided'],
] as const;

function Flags({ row }: { row: CaseRow }) {
  return flags.map(
    ([name, tone, icon, title]) =>
      row[name] && (
        <Badge key={name} tone={tone} icon={icon} className="py-0 [&>svg]:size-3.5">
          <span className={name === 'escalate' ? undefined : 'sr-only sm:not-sr-only'}>{title}</span>
        </Badge>
      ),
  );
}
