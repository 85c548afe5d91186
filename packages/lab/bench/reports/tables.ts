import type { Company } from './company.ts';
import type { Random } from './random.ts';
import { formatted, rounded, type ReportCell, type ReportTable } from './report.ts';

type Row = ReportTable['rows'][number];
type Part = NonNullable<ReportCell['part']>;

/** The tables of a report, each in one of several shapes. */
export function tablesOf(
  company: Company,
  random: Random,
): { name: 'income' | 'segments' | 'quarters' | 'indicators' | 'cash'; table: ReportTable }[] {
  const style = {
    brackets: random.chance(0.5) ? ('brackets' as const) : ('minus' as const),
    symbol: random.chance(0.25),
    percentSpace: random.chance(0.3),
  };
  const amount = (value: number, part: Part = 'value'): ReportCell => ({
    text: `${
      style.symbol && !/^[A-Z]/.test(company.currency.symbol) ? company.currency.symbol : ''
    }${formatted(value, company.decimals, style.brackets)}`
      .replace(/^(\$|€|£)\((.*)\)$/, '($1$2)')
      .replace(/^(\$|€|£)-/, '-$1'),
    value,
    part,
    decimals: company.decimals,
  });
  const count = (value: number, part: Part = 'value'): ReportCell => ({
    text: formatted(value, 0),
    value,
    part,
    decimals: 0,
  });
  const rate = (value: number, part: Part, decimals = 1): ReportCell => ({
    text: `${
      part === 'growth' && value > 0 && plus ? '+' : ''
    }${formatted(value * 100, decimals, style.brackets)}${style.percentSpace ? ' %' : '%'}`.replace(/\)\s?%$/, '%)'),
    value: rounded(value, decimals + 2),
    part,
    decimals,
    percent: true,
  });
  const plus = random.chance(0.3);
  const unit = random.pick([
    `in ${company.scale.word} of ${company.currency.name}`,
    `${company.currency.code} in ${company.scale.word}`,
    `${company.currency.symbol} ${company.scale.short === '000' ? "'000" : company.scale.short}`
      .replace('$ m', '$m')
      .replace('€ m', '€m')
      .replace('£ m', '£m'),
    `(${company.currency.code} ${company.scale.word})`,
  ]);
  const descending = random.chance(0.5);
  const order = company.periods.map((_, index) => index);
  if (descending) order.reverse();
  const headers = order.map((index) => company.periods[index]!);
  const rateDecimals = random.pick([1, 1, 0, 2]);
  const growthOf = (values: readonly number[]): number => values.at(-1)! / values.at(-2)! - 1;
  const footnotes = random.chance(0.3)
    ? [
        random.pick([
          'Figures may not add up due to rounding.',
          'Prior-period figures were not restated.',
          'Unaudited.',
        ]),
      ]
    : [];

  const income = (): ReportTable => {
    const negativeCosts = random.chance(0.5);
    const sign = negativeCosts ? -1 : 1;
    const change = random.chance(0.5);
    const line = (label: string, values: readonly number[], part: Part = 'value'): Row => ({
      label,
      cells: [
        ...order.map((index) => amount(values[index]!, part)),
        ...(change
          ? [
              values.at(-2)! * values.at(-1)! > 0 && values.at(-2)! > 0
                ? rate(growthOf(values), 'growth')
                : { text: 'n/a' },
            ]
          : []),
      ],
    });
    const rates = (label: string, tops: readonly number[]): Row => ({
      label,
      cells: [
        ...order.map((index) => rate(tops[index]! / company.revenue[index]!, 'margin', rateDecimals)),
        ...(change ? [{ text: random.pick(['–', 'n/a', '']) }] : []),
      ],
    });
    const rows: Row[] = [
      line(company.names.revenue, company.revenue),
      line(
        company.names.cost,
        company.cost.map((value) => sign * value),
      ),
      line(company.names.gross, company.grossProfit, 'total'),
    ];
    if (random.chance(0.7))
      rows.push(
        ...company.expenses.map(({ name, values }) =>
          line(
            name,
            values.map((value) => sign * value),
            'component',
          ),
        ),
      );
    rows.push(
      line(
        company.names.expenses,
        company.totalExpenses.map((value) => sign * value),
        'total',
      ),
      line(company.names.operating, company.operatingProfit, 'total'),
    );
    if (random.chance(0.6))
      rows.push(
        line(
          'Income tax',
          company.tax.map((value) => sign * value),
        ),
        line(company.names.net, company.netProfit, 'total'),
      );
    if (random.chance(0.75))
      rows.push(rates(random.pick(['Gross margin', 'Gross margin (%)', 'Gross profit margin']), company.grossProfit));
    if (random.chance(0.6))
      rows.push(
        rates(random.pick(['Operating margin', 'EBIT margin', 'Operating margin, %']), company.operatingProfit),
      );
    if (random.chance(0.3) && !change) {
      const cells = order.map((index) =>
        index === 0 ? { text: '' } : rate(company.revenue[index]! / company.revenue[index - 1]! - 1, 'growth'),
      );
      rows.push({ label: `${company.names.revenue.replace('Total revenue', 'Revenue')} growth`, cells });
    }
    const table: ReportTable = {
      title: random.pick([
        'Income statement',
        'Consolidated income statement',
        'Key financial figures',
        'Profit and loss account',
      ]),
      unit,
      header: [['', ...headers, ...(change ? [random.pick(['Change', 'Change %', 'Growth', 'YoY'])] : [])]],
      rows,
      footnotes,
    };
    return !change && rows.length <= 7 && random.chance(0.5) ? turned(table) : table;
  };

  const segments = (): ReportTable => {
    const kind = company.segmentKind;
    const share = random.chance(0.5);
    const growth = random.chance(0.55);
    const used = random.chance(0.6) ? order : descending ? order.slice(0, 2) : order.slice(-2);
    const cells = (values: readonly number[], total: readonly number[], part: Part): ReportCell[] => [
      ...used.map((index) => amount(values[index]!, part)),
      ...(share ? [rate(values.at(-1)! / total.at(-1)!, 'share')] : []),
      ...(growth ? [rate(growthOf(values), 'growth')] : []),
    ];
    const grouped = company.segments.length >= 4 && random.chance(0.35);
    const rows: Row[] = [];
    const sums = (indexes: readonly number[]): number[] =>
      company.periods.map((_, period) =>
        rounded(
          indexes.reduce((sum, index) => sum + company.bySegment[index]![period]!, 0),
          company.decimals,
        ),
      );
    const all = company.segments.map((_, index) => index);
    const lineOf = (index: number): Row => ({
      label: company.segments[index]!,
      cells: cells(company.bySegment[index]!, company.revenue, 'component'),
    });
    if (grouped) {
      const halves = [all.slice(0, 2), all.slice(2)];
      for (const [position, half] of halves.entries()) {
        const name = ['Core', 'Growth'][position]!;
        if (random.chance(0.5)) rows.push({ label: `${name} ${kind}s`, cells: [], heading: true });
        rows.push(...half.map(lineOf), {
          label: random.pick([`Subtotal ${name.toLowerCase()}`, `Total ${name.toLowerCase()} ${kind}s`]),
          cells: cells(sums(half), company.revenue, 'total'),
        });
      }
    } else {
      rows.push(...all.map(lineOf));
    }
    const total: Row = {
      label: random.pick([
        'Total',
        'Total',
        'Group total',
        `Total ${company.names.revenue.replace('Total ', '').toLowerCase()}`,
        `All ${kind}s`,
      ]),
      cells: cells(company.revenue, company.revenue, 'total'),
    };
    if (!grouped && random.chance(0.12)) rows.unshift(total);
    else rows.push(total);
    const name = company.names.revenue.replace('Total revenue', 'Revenue');
    return {
      title: random.pick([
        `${name} by ${kind}`,
        `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${name.toLowerCase()}`,
        `Breakdown of ${name.toLowerCase()} by ${kind}`,
      ]),
      unit,
      header: [
        [
          random.chance(0.7) ? kind.charAt(0).toUpperCase() + kind.slice(1) : '',
          ...used.map((index) => company.periods[index]!),
          ...(share ? [random.pick(['Share', '% of total', 'Share of total'])] : []),
          ...(growth ? [random.pick(['Growth', 'Change', 'YoY change', 'Growth %'])] : []),
        ],
      ],
      rows,
      footnotes,
    };
  };

  const quarters = (): ReportTable => {
    const weights = [
      random.between(0.8, 1.1),
      random.between(0.8, 1.1),
      random.between(0.8, 1.2),
      random.between(0.9, 1.3),
    ];
    const split = (total: number): number[] => {
      const parts = weights
        .slice(0, 3)
        .map((weight) => rounded((total * weight) / weights.reduce((sum, one) => sum + one, 0), company.decimals));
      return [...parts, rounded(total - parts.reduce((sum, one) => sum + one, 0), company.decimals)];
    };
    const year = company.periods.at(-1)!;
    const lines: [string, number[], number][] = [
      [
        company.names.revenue.replace('Total revenue', 'Revenue'),
        split(company.revenue.at(-1)!),
        company.revenue.at(-1)!,
      ],
      [company.names.gross, split(company.grossProfit.at(-1)!), company.grossProfit.at(-1)!],
      [company.names.operating, split(company.operatingProfit.at(-1)!), company.operatingProfit.at(-1)!],
    ];
    const rows: Row[] = lines.map(([label, parts, total]) => ({
      label,
      cells: [...parts.map((value) => amount(value, 'component')), amount(total, 'total')],
    }));
    const table: ReportTable = {
      title: `Quarterly development ${year.replace('FY', '').replace(/^(\d\d)$/, '20$1')}`,
      unit,
      header: [['', 'Q1', 'Q2', 'Q3', 'Q4', random.pick(['Full year', 'Total', 'Year'])]],
      rows,
      footnotes,
    };
    return random.chance(0.4) ? turned(table) : table;
  };

  const indicators = (): ReportTable => {
    const change = random.chance(0.5);
    const series = (label: string, values: readonly number[], make: (value: number) => ReportCell): Row => ({
      label,
      cells: [...order.map((index) => make(values[index]!)), ...(change ? [rate(growthOf(values), 'growth')] : [])],
    });
    const perHead = company.headcount.map((heads, index) =>
      rounded((company.revenue[index]! * company.scale.factor) / heads / 1000, 1),
    );
    const rows = [
      series(company.names.headcount, company.headcount, count),
      series(random.pick(['Customers', 'Active customers']), company.customers, count),
    ];
    if (random.chance(0.4))
      rows.push(
        series(`Revenue per employee (${company.currency.code} thousand)`, perHead, (value) => ({
          text: formatted(value, 1),
          value,
          decimals: 1,
        })),
      );
    return {
      title: random.pick(['Key indicators', 'Non-financial indicators', 'Operating indicators']),
      unit: '',
      header: [['', ...headers, ...(change ? ['Change'] : [])]],
      rows,
      footnotes: [],
    };
  };

  const cash = (): ReportTable => {
    const closing = rounded(
      company.cashFlows.reduce((sum, { value }) => sum + value, company.openingCash),
      company.decimals,
    );
    return {
      title: random.pick(['Cash bridge', 'Development of cash', 'Cash flow summary']),
      unit,
      header: [['', company.periods.at(-1)!]],
      rows: [
        { label: 'Opening cash', cells: [amount(company.openingCash, 'component')] },
        ...company.cashFlows.map(({ name, value }) => ({ label: name, cells: [amount(value, 'component')] })),
        { label: 'Closing cash', cells: [amount(closing, 'total')] },
      ],
      footnotes,
    };
  };

  const chosen: { name: 'income' | 'segments' | 'quarters' | 'indicators' | 'cash'; table: ReportTable }[] = [
    { name: 'income', table: income() },
    { name: 'segments', table: segments() },
  ];
  if (!company.quarterly && random.chance(0.4)) chosen.push({ name: 'quarters', table: quarters() });
  if (random.chance(0.6)) chosen.push({ name: 'indicators', table: indicators() });
  if (random.chance(0.35)) chosen.push({ name: 'cash', table: cash() });
  return chosen;
}

/** Periods down instead of across. */
function turned(table: ReportTable): ReportTable {
  const [head] = table.header;
  return {
    ...table,
    header: [[head![0] === '' ? 'Period' : head![0]!, ...table.rows.map(({ label }) => label)]],
    rows: head!
      .slice(1)
      .map((label, column) => ({ label, cells: table.rows.map(({ cells }) => cells[column] ?? { text: '' }) })),
  };
}
