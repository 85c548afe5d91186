import type { SentOverview } from '../../api/client.ts';
import {
  describeAlpha,
  describeKappa,
  formatCoefficient,
  showCount,
  showPercent,
} from '../../charts/format-figures.ts';
import { ActionBadge } from '../../components/badge.tsx';
import { Card } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { TextLink } from '../../components/button.tsx';

const stages = [
  ['first', 'First review', 'no decision yet'],
  ['second', 'Second review', 'needs another decision'],
  ['dispute', 'Dispute', 'reviewers disagree'],
] as const;

/** What waits for a person, whatever the time asked for. */
export function QueueCounts({ queue }: { queue: SentOverview['queue'] }) {
  const mayReview = useMay('review');
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-xl">Waiting for review</h2>
      <ul className="grid gap-2">
        {stages.map(([stage, name, words]) => (
          <li key={stage} className="flex items-baseline gap-3">
            <strong className="w-14 text-right text-xl font-medium tabular-nums">{showCount(queue[stage])}</strong>
            <span>
              {mayReview && queue[stage] > 0 ? (
                <TextLink to="/queue" search={{ stage } as never}>
                  {name}
                </TextLink>
              ) : (
                name
              )}{' '}
              <span className="text-sm text-quiet">{words}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What verdicts propose to do, and what people decided on. */
export function Actions({ actions }: Pick<SentOverview, 'actions'>) {
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-xl">Actions</h2>
      {actions.length === 0 ? (
        <p className="text-quiet">No verdict of this period proposes an action.</p>
      ) : (
        <DataTable
          label="Actions"
          rows={actions}
          columns={[
            ['Action', ({ id }) => <ActionBadge action={id} />],
            ['Proposed', ({ proposed }) => showCount(proposed), 'tabular-nums'],
            ['Decided by people', ({ decided }) => showCount(decided), 'tabular-nums'],
            ['Of those, changed', ({ changed }) => showCount(changed), 'tabular-nums'],
          ]}
        />
      )}
    </Card>
  );
}

export function ReviewerAgreement({ reviewers }: Pick<SentOverview, 'reviewers'>) {
  const { items, raters, percent: agreed, kappa, alpha, pairs } = reviewers;
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-xl">Reviewer agreement</h2>
      {items === 0 ? (
        <p className="text-quiet">
          Available once two people have decided the same case. Second reviews in the queue are independent.
        </p>
      ) : (
        <>
          <dl className="grid grid-cols-3 gap-3">
            {(
              [
                ['Agreement', showPercent(agreed), ''],
                ['Cohen’s κ', formatCoefficient(kappa), describeKappa(kappa)],
                ['Krippendorff’s α', formatCoefficient(alpha), describeAlpha(alpha)],
              ] as const
            ).map(([name, value, word]) => (
              <div key={name}>
                <dt className="text-sm text-quiet">{name}</dt>
                <dd className="text-xl tabular-nums">{value}</dd>
                <dd className="text-sm text-quiet">{word}</dd>
              </div>
            ))}
          </dl>
          <p className="text-sm text-quiet">
            {`Based on ${showCount(items)} ${items === 1 ? 'case' : 'cases'} decided by two or more of ` +
              `${raters.length} people.`}
          </p>
          {pairs.length > 1 && (
            <details>
              <summary className="text-link underline">By pair</summary>
              <div className="mt-2 max-h-72 overflow-y-auto">
                <DataTable
                  label="Agreement by pair of reviewers"
                  rows={pairs}
                  columns={[
                    ['Reviewers', ({ between }) => between.join(' and '), 'words'],
                    ['Shared cases', (pair) => showCount(pair.items), 'tabular-nums'],
                    ['Agreement', ({ percent }) => showPercent(percent), 'tabular-nums'],
                    ['κ', (pair) => formatCoefficient(pair.kappa), 'tabular-nums'],
                  ]}
                />
              </div>
            </details>
          )}
        </>
      )}
    </Card>
  );
}

type Agreed = SentOverview['byReviewer'][number]['machine'];

/** How each person's decisions agree, with 95 % intervals: few decisions say little. */
export function ReviewersTable({ byReviewer }: Pick<SentOverview, 'byReviewer'>) {
  if (byReviewer.length === 0) return null;
  const show = ({ of, agreed, interval }: Agreed) =>
    interval === null ? (
      <span className="text-quiet">–</span>
    ) : (
      <>
        {showPercent(agreed / of)}{' '}
        <span className="block text-sm whitespace-nowrap text-quiet">
          {showCount(agreed)} of {showCount(of)}, {Math.round(interval[0] * 100)}–{Math.round(interval[1] * 100)} %
        </span>
      </>
    );
  return (
    <Card className="grid grid-cols-1 content-start gap-3 lg:col-span-2">
      <h2 className="text-xl">Reviewers</h2>
      <p className="-mt-2 text-sm text-quiet">
        How often each person agrees, with 95 % intervals. Quality samples are cases that the machine was sure of.
      </p>
      <DataTable
        label="Agreement per reviewer"
        rows={byReviewer}
        columns={[
          ['Reviewer', ({ by }) => <PlainText text={by} />, 'words min-w-24'],
          ['Decided', ({ decisions }) => showCount(decisions), 'tabular-nums'],
          ['With the machine', ({ machine }) => show(machine), 'tabular-nums'],
          ['With other reviewers', ({ others }) => show(others), 'tabular-nums'],
          ['On quality samples', ({ samples }) => show(samples), 'tabular-nums'],
        ]}
      />
    </Card>
  );
}
