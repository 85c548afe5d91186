import type { Change, Gain, Receipt } from '../../figures/set-figures.ts';
import {
  amount,
  name,
  number,
  points,
  words,
  type Block,
  type Cell,
  type ItemName,
  type MeasuredSet,
  signedPoints,
} from '../block.ts';
import { shortName, count, dollars, plural, signed } from '../write-values.ts';
import { metricWords } from '../metric-names.ts';
import { itemName } from './unsettled.ts';
import { code, html, inline, type Markup } from '../../../reports/index.ts';
import { cellMarkup, type LinkOf } from '../block-markup.ts';
import { shortenCharacters } from '../../../text/index.ts';

/** What a debate is held against, and what it added. */
export interface ReceiptPart {
  over: string;
  control: string | null;
  gain: Gain;
}

export function partsOf({ overOpening, overControl }: Receipt): ReceiptPart[] {
  return [
    ...(overOpening ? [{ over: 'its own opening vote', control: null, gain: overOpening }] : []),
    ...(overControl
      ? [{ over: 'the same tokens on independent votes', control: overControl.control, gain: overControl }]
      : []),
  ];
}

/** What a gain is, in words: clear is what the interval leaves no doubt of. */
export function gainWords({
  gain: { value, interval },
}: Gain): 'a clear gain' | 'a clear loss' | 'no clear difference' {
  if (value === null || interval === null || (interval[0] <= 0 && interval[1] >= 0)) return 'no clear difference';
  return value > 0 ? 'a clear gain' : 'a clear loss';
}

/** The last line of a receipt: what came of it, and what it took. */
export function totalWords(gain: Gain): string {
  const net = gain.better.length - gain.worse.length;
  const came =
    gain.better.length + gain.worse.length === 0
      ? 'No answer became right or wrong'
      : `${plural(gain.better.length, 'answer')} put right, ${count(gain.worse.length)} put wrong: ${net === 0 ? 'nothing' : plural(Math.abs(net), 'item')} ` +
        `${net < 0 ? 'lost' : 'won'} in all`;
  if (gain.extraTokens === 0 && gain.extraUsd === 0) return `${came}, at no cost.`;
  const prices = [
    ...(gain.extraTokens === null ? [] : [`${signed(Math.round(gain.extraTokens), count)} tokens`]),
    ...(gain.extraUsd === null ? [] : [signed(gain.extraUsd, dollars)]),
  ];
  return `${came}${prices.length === 0 ? '' : `, for ${prices.join(' and ')} an item`}.`;
}

export function changesOf(changes: readonly Change[]): ItemName[] {
  return changes.map((change) => itemName(change, `${shortName(change.from)} → ${shortName(change.to)}`));
}

export function receiptLead({ parameters: { repeats } }: MeasuredSet['sheet']): string {
  return (
    'What each debate added over the vote that its seats took before they had heard each other, and over as ' +
    `many tokens spent on independent votes. Points with the 95 % interval; tokens and dollars by item.${repeats > 1 ? ' Points are means over the repeats; the items put right and wrong are ' + 'those of the first.' : ''}`
  );
}

export const mostChanges = 200;

/** The receipts as tables, for a paper. */
export function receiptBlocks({ sheet, figures: { receipts } }: MeasuredSet): Block[] {
  const parts = receipts.flatMap((receipt) => partsOf(receipt).map((part) => ({ debate: receipt.debate, ...part })));
  if (parts.length === 0) return [];
  const estimated = parts.some(({ gain }) => gain.estimated);
  const main = metricWords[parts[0]!.gain.metric].title;
  const held = ({ over, control }: ReceiptPart): Cell =>
    control === null ? words(over) : { text: `${over}:`, items: [{ line: 0, name: control }] };
  const changes = parts.flatMap(({ debate, gain, ...part }) =>
    (
      [
        ['put right', gain.better],
        ['put wrong', gain.worse],
        ['wrong as before, otherwise', gain.otherwise],
      ] as const
    )
      .filter(([, items]) => items.length > 0)
      .map(([what, items]): Cell[] => [
        name(debate),
        held({ ...part, gain }),
        words(what),
        amount(items.length, count),
        {
          text: items.length > mostChanges ? `${items.length - mostChanges} more and` : '',
          items: changesOf(items.slice(0, mostChanges)),
        },
      ]),
  );
  return [
    {
      title: 'The receipt',
      lead: receiptLead(sheet),
      table: {
        head: [
          words('Debate'),
          words('over'),
          number(`${main}, points`),
          number('Accuracy, points'),
          words('In words'),
          number('Tokens'),
          number('Dollars'),
          number('Put right'),
          number('Put wrong'),
        ],
        rows: parts.map((part) => [
          name(part.debate),
          held(part),
          points(part.gain.gain),
          points(part.gain.accuracy),
          words(gainWords(part.gain)),
          amount(
            part.gain.extraTokens,
            (tokens) => `${part.gain.estimated ? '≈ ' : ''}${signed(Math.round(tokens), count)}`,
          ),
          amount(part.gain.extraUsd, (usd) => signed(usd, dollars)),
          amount(part.gain.better.length, count),
          amount(part.gain.worse.length, count),
        ]),
      },
      ...(estimated && { notes: ['≈ estimated from the share of the turns that came after the opening.'] }),
    },
    ...(changes.length === 0
      ? []
      : [
          {
            title: 'Items that the debate changed',
            lead: 'From what the vote said to what the debate said.',
            table: {
              head: [words('Debate'), words('over'), words('What'), number('Items'), words('Which')],
              rows: changes,
            },
          },
        ]),
  ];
}

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
