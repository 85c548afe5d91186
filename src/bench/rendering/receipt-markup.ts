import { code, html, inline, type Markup } from '../../reports/index.ts';
import type { Change, Receipt } from '../figures/set-figures.ts';
import { signedPoints } from './block.ts';
import { changesOf, gainWords, partsOf, receiptLead, totalWords, type ReceiptPart } from './blocks/receipts.ts';
import { shortName } from './clip.ts';
import type { MeasuredSet } from './measured-set.ts';
import { metricWords } from './metric-names.ts';
import { cellMarkup, type LinkOf } from './table-markup.ts';
import { count, dollars, plural, signed } from './writing.ts';
import { shortenCharacters } from '../../text/index.ts';

/** What each debate added and what it took, as a receipt. */
export function receiptsMarkup({ sheet, figures: { receipts } }: MeasuredSet, linkOf: LinkOf): Markup {
  return html`<p class="lead-in">${receiptLead(sheet)}</p>
    <div class="receipts">${receipts.map((receipt) => oneReceipt(receipt, linkOf))}</div>`;
}

function oneReceipt(receipt: Receipt, linkOf: LinkOf): Markup {
  const parts = partsOf(receipt);
  return html`<div class="receipt">
    <p class="receipt-head">Receipt<br />${code(shortName(receipt.debate))}</p>
    ${parts.map((part) => onePart(part, linkOf))}
    ${receipt.overOpening === null && html`<p class="receipt-note">No opening vote: nobody spoke alone first.</p>`}
    ${receipt.overControl === null && html`<p class="receipt-note">${receipt.withoutControl === null ? 'No control.' : inline(shortenCharacters(receipt.withoutControl, 300).replaceAll('`', ''))}</p>`}
  </div>`;
}

function onePart({ over, control, gain }: ReceiptPart, linkOf: LinkOf): Markup {
  const difference = ({ value, interval }: typeof gain.gain) =>
    value === null
      ? html`–`
      : html`<b>${signedPoints(value)}</b
          >${interval && html` <small>${signedPoints(interval[0])} to ${signedPoints(interval[1])}</small>`}`;
  const rows: [string, Markup][] = [
    [metricWords[gain.metric].title, difference(gain.gain)],
    ...(gain.metric === 'accuracy' ? [] : [['Accuracy', difference(gain.accuracy)] as [string, Markup]]),
    [
      gain.estimated ? 'Tokens, estimated' : 'Tokens',
      html`${gain.extraTokens === null ? 'not known' : signed(Math.round(gain.extraTokens), count)}`,
    ],
    ['Dollars', html`${gain.extraUsd === null ? 'not known' : signed(gain.extraUsd, dollars)}`],
    ['Put right', html`${gain.better.length}`],
    ['Put wrong', html`${gain.worse.length}`],
  ];
  return html`<p class="receipt-over">
      over ${over}${control !== null && html` ${code(shortName(control))}`}
      <small>${plural(gain.items, 'item')}${gain.leftOut > 0 && `, ${gain.leftOut} left out`}</small>
    </p>
    <dl>
      ${rows.map(
        ([what, value]) =>
          html`<div>
            <dt>${what}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <p class="receipt-total"><b>${sentence(gainWords(gain))}</b> ${totalWords(gain)}</p>
    ${changed('put right', gain.better, linkOf)}${changed('put wrong', gain.worse, linkOf)}${changed('wrong as before, otherwise', gain.otherwise, linkOf)}`;
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

const mostChanges = 200;

function changed(what: string, changes: readonly Change[], linkOf: LinkOf): Markup | null {
  if (changes.length === 0) return null;
  const more = changes.length - mostChanges;
  return html`<details>
    <summary>${plural(changes.length, 'item')} ${what}</summary>
    <p class="changes">
      ${cellMarkup({ text: '', items: changesOf(changes.slice(0, mostChanges)) }, linkOf)}${more > 0 && html` and ${more} more`}
    </p>
  </details>`;
}
