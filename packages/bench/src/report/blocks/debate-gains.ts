import type { FigureChange, Gain, DebateGains } from '../../figures/set-figures.ts';
import { cell, type BenchBlock, type BlockCell, type ItemName, type MeasuredSet, tableHead } from '../block.ts';
import { shortenName, writeCount, writeDollars, writePlural, writeSigned } from '../write-values.ts';
import { metricFormats } from '../metric-names.ts';
import { nameItem } from './unsettled.ts';
import { shortenCharacters } from '@agonhq/engine/text';

/** What a debate is held against, and what it added. */
export interface GainOver {
  over: string;
  control: string | null;
  gain: Gain;
}

export function listBaselines({ overOpening, overControl }: DebateGains): GainOver[] {
  return [
    ...(overOpening ? [{ over: 'its own opening vote', control: null, gain: overOpening }] : []),
    ...(overControl
      ? [{ over: 'the same tokens on independent votes', control: overControl.control, gain: overControl }]
      : []),
  ];
}

/** What a gain is, in words: clear is what the interval leaves no doubt of. */
export function describeGain({
  gain: { value, interval },
}: Gain): 'a clear gain' | 'a clear loss' | 'no clear difference' {
  if (value === null || interval === null || (interval[0] <= 0 && interval[1] >= 0)) return 'no clear difference';
  return value > 0 ? 'a clear gain' : 'a clear loss';
}

/** The last line of a receipt: what came of it, and what it took. */
export function describeTotal(gain: Gain): string {
  const net = gain.better.length - gain.worse.length;
  const won = `${net === 0 ? 'nothing' : writePlural(Math.abs(net), 'item')} ${net < 0 ? 'lost' : 'won'} in all`;
  const came =
    gain.better.length + gain.worse.length === 0
      ? 'No answer became right or wrong'
      : `${writePlural(gain.better.length, 'answer')} corrected, ${writeCount(gain.worse.length)} broken: ${won}`;
  if (gain.extraTokens === 0 && gain.extraUsd === 0) return `${came}, at no cost.`;
  const prices = [
    ...(gain.extraTokens === null ? [] : [`${writeSigned(Math.round(gain.extraTokens), writeCount)} tokens`]),
    ...(gain.extraUsd === null ? [] : [writeSigned(gain.extraUsd, writeDollars)]),
  ];
  return `${came}${prices.length === 0 ? '' : `, for ${prices.join(' and ')} per item`}.`;
}

export function nameChanges(changes: readonly FigureChange[]): ItemName[] {
  return changes.map((change) => nameItem(change, `${shortenName(change.from)} → ${shortenName(change.to)}`));
}

export function kindsOfChange({ better, worse, otherwise }: Gain): [what: string, items: readonly FigureChange[]][] {
  return [
    ['corrected', better],
    ['broken', worse],
    ['wrong in another way', otherwise],
  ];
}

export function gainsLead({ parameters: { repeats } }: MeasuredSet['result']): string {
  return (
    'What each debate added over its seats’ first vote, before any of them saw the others, and over spending as ' +
    'many tokens on independent votes. Points with the 95 % interval; tokens and dollars per item.' +
    (repeats > 1 ? ' Points are means over the repeats; corrected and broken items are those of the first.' : '')
  );
}

/** Why there is no control, without what Markdown and pages would read as code. */
export function explainNoControl(reason: string): string {
  return shortenCharacters(reason, 300).replaceAll('`', '');
}

export const mostChanges = 200;

/** The receipts as tables, for a paper. */
export function debateGainBlocks({ result, figures: { receipts } }: MeasuredSet): BenchBlock[] {
  const parts = receipts.flatMap((receipt) =>
    listBaselines(receipt).map((part) => ({ debate: receipt.debate, ...part })),
  );
  if (parts.length === 0) return [];
  const estimated = parts.some(({ gain }) => gain.estimated);
  const main = metricFormats[parts[0]!.gain.metric].title;
  const held = ({ over, control }: GainOver): BlockCell =>
    control === null ? cell.text(over) : { text: `${over}:`, items: [{ line: 0, name: control }] };
  const changes = parts.flatMap(({ debate, gain, ...part }) =>
    kindsOfChange(gain)
      .filter(([, items]) => items.length > 0)
      .map(([what, items]): BlockCell[] => [
        cell.name(debate),
        held({ ...part, gain }),
        cell.text(what),
        cell.amount(items.length, writeCount),
        {
          text: items.length > mostChanges ? `${items.length - mostChanges} more and` : '',
          items: nameChanges(items.slice(0, mostChanges)),
        },
      ]),
  );
  return [
    {
      title: 'What the debate adds',
      lead: gainsLead(result),
      table: {
        head: [
          ...tableHead('Debate | over', `${main}, points | Accuracy, points`),
          ...tableHead('In words', 'Tokens | Dollars | Corrected | Broken'),
        ],
        rows: parts.map((part) => [
          cell.name(part.debate),
          held(part),
          cell.points(part.gain.gain),
          cell.points(part.gain.accuracy),
          cell.text(describeGain(part.gain)),
          cell.amount(
            part.gain.extraTokens,
            (tokens) => `${part.gain.estimated ? '≈ ' : ''}${writeSigned(Math.round(tokens), writeCount)}`,
          ),
          cell.amount(part.gain.extraUsd, (usd) => writeSigned(usd, writeDollars)),
          cell.amount(part.gain.better.length, writeCount),
          cell.amount(part.gain.worse.length, writeCount),
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
              head: [...tableHead('Debate | over | What', 'Items'), cell.text('Which')],
              rows: changes,
            },
          },
        ]),
  ];
}
