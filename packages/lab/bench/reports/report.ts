export const contradictionKinds = ['margin', 'total', 'text-table', 'growth', 'units', 'periods', 'direction'] as const;
export type ContradictionKind = (typeof contradictionKinds)[number];

/** A cell; `value` is the number behind it, in the unit of its table (a rate as a fraction). */
export interface ReportCell {
  text: string;
  value?: number;
  /** What it is made for: planting knows by this where a contradiction of a kind can go. */
  part?: 'value' | 'component' | 'total' | 'growth' | 'share' | 'margin';
  decimals?: number;
  percent?: true;
}

export interface ReportTable {
  title: string;
  /** "in millions of US dollars" */
  unit: string;
  header: readonly (readonly string[])[];
  rows: readonly { label: string; cells: readonly ReportCell[]; heading?: true }[];
  footnotes: readonly string[];
}

/** A place in a sentence where a figure, a period or a word of direction stands. */
export type Slot =
  | { kind: 'level'; number: string; scale: string; currency: string; value: number; decimals: number }
  | { kind: 'growth' | 'margin' | 'share'; value: number; decimals: number; text: string; table: boolean }
  | { kind: 'period'; text: string; others: readonly string[] }
  | { kind: 'direction'; text: string; opposite: string };

/** A sentence in pieces. */
export type Sentence = readonly (string | Slot)[];

export type ReportBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; sentences: readonly Sentence[] }
  | { kind: 'table'; table: ReportTable };

export interface Report {
  company: string;
  title: string;
  blocks: readonly ReportBlock[];
}

/** What was planted, and where it shows. */
export interface Truth {
  kind: ContradictionKind;
  /** The sentence that is now wrong, in full. */
  sentence?: string;
  /** The cell that is now wrong. */
  cell?: { table: string; row: string; column: string; text: string };
  before: string;
  after: string;
}

export function slotText(slot: Slot): string {
  if (slot.kind !== 'level') return slot.text;
  const words = /^[a-z]+$/i.test(slot.scale) && slot.scale.length > 2 ? ` ${slot.scale}` : slot.scale;
  return `${slot.currency}${/^[A-Z]{3}$/.test(slot.currency) ? ' ' : ''}${slot.number}${words}`;
}

export function sentenceText(sentence: Sentence): string {
  const text = sentence.map((piece) => (typeof piece === 'string' ? piece : slotText(piece))).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function formatted(value: number, decimals: number, negative: 'brackets' | 'minus' = 'minus'): string {
  const text = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(Math.abs(value));
  const zero = Number(text.replaceAll(',', '')) === 0;
  return value >= 0 || zero ? text : negative === 'brackets' ? `(${text})` : `-${text}`;
}

export function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
