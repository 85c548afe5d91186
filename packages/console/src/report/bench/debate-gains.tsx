import { cell, type MeasuredSet } from '@agonhq/bench/report/block';
import {
  describeGain,
  describeTotal,
  explainNoControl,
  gainsLead,
  type GainOver,
  kindsOfChange,
  listBaselines,
  mostChanges,
  nameChanges,
} from '@agonhq/bench/report/blocks/debate-gains';
import { metricFormats } from '@agonhq/bench/report/metric-names';
import { shortenName, writeCount, writeDollars, writePlural, writeSigned } from '@agonhq/bench/report/write-values';
import { Facts } from '../../components/table.tsx';
import { CellView, CodeName, type LinkOf } from './block-view.tsx';
import { OwnWords } from './plot.tsx';

interface DebateReceiptsProps {
  set: MeasuredSet;
  linkOf: LinkOf;
}

/** What each debate added and what it took, as a receipt. */
export function DebateReceipts({ set: { result, figures }, linkOf }: DebateReceiptsProps) {
  const note = 'mt-4 border-t-2 border-dashed pt-3 text-sm text-quiet';
  return (
    <>
      <p className="max-w-3xl text-quiet">{gainsLead(result)}</p>
      <div className="flex flex-wrap items-start gap-6">
        {figures.receipts.map((receipt) => (
          <div
            key={receipt.debate}
            className="receipt max-w-104 min-w-[min(100%,18rem)] rounded-sm border bg-surface p-6 shadow-md"
          >
            <p className="text-center font-mono tracking-wider">
              What it adds
              <br />
              <CodeName text={shortenName(receipt.debate)} />
            </p>
            {listBaselines(receipt).map((part) => (
              <GainView key={part.over} part={part} linkOf={linkOf} />
            ))}
            {receipt.overOpening === null && <p className={note}>No opening vote: no seat spoke alone first.</p>}
            {receipt.overControl === null && (
              <p className={note}>
                {receipt.withoutControl === null ? (
                  'No control.'
                ) : (
                  <OwnWords text={explainNoControl(receipt.withoutControl)} />
                )}
              </p>
            )}
          </div>
        ))}
      </div>
    </>
  );
}

function GainView({ part: { over, control, gain }, linkOf }: { part: GainOver; linkOf: LinkOf }) {
  const difference = (points: typeof gain.gain) => (
    <CellView cell={{ ...cell.points(points), emphasis: 'best' }} linkOf={linkOf} />
  );
  const { extraTokens, extraUsd } = gain;
  const words = describeGain(gain);
  return (
    <>
      <p className="mt-4 border-t-2 border-dashed pt-4 font-mono text-sm font-semibold">
        over {over} {control !== null && <CodeName text={shortenName(control)} />}{' '}
        <small className="font-normal text-quiet">
          {writePlural(gain.items, 'item')}
          {gain.leftOut > 0 && `, ${gain.leftOut} left out`}
        </small>
      </p>
      <Facts
        className="my-2 grid gap-1 font-mono text-sm *:flex *:justify-between *:gap-4"
        valueClass="text-end"
        facts={[
          [metricFormats[gain.metric].title, difference(gain.gain)],
          gain.metric === 'accuracy' ? null : ['Accuracy', difference(gain.accuracy)],
          [
            gain.estimated ? 'Tokens, estimated' : 'Tokens',
            extraTokens === null ? 'not known' : writeSigned(Math.round(extraTokens), writeCount),
          ],
          ['Dollars', extraUsd === null ? 'not known' : writeSigned(extraUsd, writeDollars)],
          ['Corrected', gain.better.length],
          ['Broken', gain.worse.length],
        ]}
      />
      <p className="mb-2 border-t border-ink pt-2">
        <b>
          {words.slice(0, 1).toUpperCase()}
          {words.slice(1)}.
        </b>{' '}
        {describeTotal(gain)}
      </p>
      {kindsOfChange(gain).map(
        ([what, changes]) =>
          changes.length > 0 && (
            <details key={what} className="text-sm">
              <summary className="text-link">
                {writePlural(changes.length, 'item')} {what}
              </summary>
              <p className="py-1">
                <CellView cell={{ text: '', items: nameChanges(changes.slice(0, mostChanges)) }} linkOf={linkOf} />
                {changes.length > mostChanges && ` and ${changes.length - mostChanges} more`}
              </p>
            </details>
          ),
      )}
    </>
  );
}
