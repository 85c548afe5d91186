import type { Company } from './company.ts';
import type { Random } from './random.ts';
import { formatted, rounded, type ReportBlock, type Sentence, type Slot } from './report.ts';

interface Series {
  /** As a sentence names it. */
  name: string;
  values: readonly number[];
  money: boolean;
}

/** The text of a report: what its tables say, causes, judgements and plans, in many wordings. */
export function proseOf(
  company: Company,
  tables: ReadonlySet<string>,
  random: Random,
): { opening: ReportBlock[]; review: ReportBlock[]; closing: ReportBlock[] } {
  const revenueName = company.names.revenue.replace('Total revenue', 'Revenue').toLowerCase();
  const operatingName = company.names.operating === 'EBIT' ? 'EBIT' : company.names.operating.toLowerCase();
  const now = company.periods.length - 1;
  const spelled = (period: string): string => {
    const quarter = /^(?:Q(\d)[ /](\d{4})|(\d)Q(\d\d))$/.exec(period);
    if (quarter === null)
      return period
        .replace(/^FY(\d\d)$/, random.pick(['FY$1', 'fiscal 20$1']))
        .replace(/^FY(\d{4})$/, random.pick(['FY$1', 'fiscal $1', '$1']));
    const [number, year] = [quarter[1] ?? quarter[3]!, quarter[2] ?? `20${quarter[4]}`];
    return random.pick([
      `Q${number} ${year}`,
      `the ${['first', 'second', 'third', 'fourth'][Number(number) - 1]} quarter of ${year}`,
    ]);
  };
  const period = (index: number): Slot => ({
    kind: 'period',
    text: spelled(company.periods[index]!),
    others: company.periods.filter((_, other) => other !== index).map(spelled),
  });
  const level = (value: number): Slot => {
    const thousands = company.scale.factor === 1e3;
    const inMillions = thousands && Math.abs(value) >= 1000 && random.chance(0.6);
    const shownValue = inMillions ? rounded(value / 1000, 1) : value;
    const decimals = inMillions ? 1 : company.decimals;
    return {
      kind: 'level',
      number: formatted(shownValue, decimals),
      scale:
        thousands && !inMillions
          ? 'thousand'
          : random.pick(['million', 'million', company.currency.symbol === 'CHF' ? 'million' : 'm']),
      currency: company.currency.symbol,
      value: shownValue,
      decimals,
    };
  };
  const count = (value: number): Slot => ({
    kind: 'level',
    number: formatted(value, 0),
    scale: '',
    currency: '',
    value,
    decimals: 0,
  });
  const percent = (value: number, kind: 'growth' | 'margin' | 'share', table: boolean, decimals = 1): Slot => ({
    kind,
    value: rounded(Math.abs(value), decimals + 2),
    decimals,
    text: `${formatted(Math.abs(value) * 100, decimals)}${percentSign}`,
    table,
  });
  const percentSign = random.pick(['%', ' %', ' percent', '%']);
  const amount = (series: Series, index: number): Slot =>
    series.money ? level(series.values[index]!) : count(series.values[index]!);
  const growth = (values: readonly number[]): number => values[now]! / values[now - 1]! - 1;
  const moved = (change: number): Slot => {
    const [rise, fall] = random.pick([
      ['rose', 'fell'],
      ['grew', 'declined'],
      ['increased', 'decreased'],
      ['climbed', 'dropped'],
      ['went up', 'went down'],
      ['increased', 'declined'],
    ] as const);
    return change > 0
      ? { kind: 'direction', text: rise, opposite: fall }
      : { kind: 'direction', text: fall, opposite: rise };
  };
  const cause = (): string =>
    random.pick([
      `, driven by ${random.pick(company.sector.drivers)}`,
      `, mainly because of ${random.pick(company.sector.drivers)}`,
      `, thanks to ${random.pick(company.sector.drivers)}`,
      '',
      '',
      '',
    ]);
  const against = (): string =>
    random.pick([
      ' compared with the prior year',
      ' year on year',
      ' against the same period of the previous year',
      '',
      '',
    ]);

  const levels = (series: Series): Sentence =>
    random.pick<() => Sentence>([
      () => [`${series.name} in `, period(now), ' was ', amount(series, now), '.'],
      () => ['in ', period(now), `, ${series.name} came to `, amount(series, now), cause(), '.'],
      () => [
        `${series.name} amounted to `,
        amount(series, now),
        ' in ',
        period(now),
        random.pick([', in line with the plan', '', cause()]),
        '.',
      ],
      () => ['for ', period(now), ` the company reported ${series.name} of `, amount(series, now), '.'],
      () => [
        `${series.name} stood at `,
        amount(series, now),
        ' in ',
        period(now),
        ' after ',
        amount(series, now - 1),
        ' in ',
        period(now - 1),
        '.',
      ],
      () => [
        `${series.name} was `,
        amount(series, now),
        ' in ',
        period(now),
        ' and ',
        amount(series, now - 1),
        ' in ',
        period(now - 1),
        '.',
      ],
    ])();
  const growths = (series: Series): Sentence => {
    const change = growth(series.values);
    const rate = percent(change, 'growth', true);
    return random.pick<() => Sentence>([
      () => [
        `${series.name} `,
        moved(change),
        random.pick([' by ', ' ']),
        rate,
        ' to ',
        amount(series, now),
        ' in ',
        period(now),
        cause(),
        '.',
      ],
      () => [
        'in ',
        period(now),
        `, ${series.name} `,
        moved(change),
        ' ',
        rate,
        ' to ',
        amount(series, now),
        cause(),
        '.',
      ],
      () => [
        `${series.name} `,
        moved(change),
        ' from ',
        amount(series, now - 1),
        ' in ',
        period(now - 1),
        ' to ',
        amount(series, now),
        ' in ',
        period(now),
        ', a change of ',
        `${formatted(Math.abs(change) * 100, 1)}${percentSign}`,
        '.',
      ],
      () => [`${series.name} `, moved(change), ' ', rate, against(), cause(), '.'],
      () => [
        `${series.name} of `,
        amount(series, now),
        ' was ',
        rate,
        change > 0 ? ' higher' : ' lower',
        ' than in ',
        period(now - 1),
        '.',
      ],
      () => [
        'at ',
        amount(series, now),
        `, ${series.name} was ${change > 0 ? 'up' : 'down'} `,
        rate,
        ' on ',
        period(now - 1),
        '.',
      ],
    ])();
  };
  const directions = (series: Series): Sentence =>
    random.pick<() => Sentence>([
      () => [`${series.name} `, moved(growth(series.values)), ' in ', period(now), cause(), '.'],
      () => [`compared with `, period(now - 1), `, ${series.name} `, moved(growth(series.values)), '.'],
      () => [
        `as in many companies of ${company.sector.name}, ${series.name} `,
        moved(growth(series.values)),
        against(),
        '.',
      ],
    ])();
  const margin = (name: string, tops: readonly number[]): Sentence => {
    const [then, later] = [tops[now - 1]! / company.revenue[now - 1]!, tops[now]! / company.revenue[now]!];
    const [better, worse] = random.pick([
      ['improved', 'declined'],
      ['widened', 'narrowed'],
      ['rose', 'fell'],
      ['increased', 'decreased'],
    ] as const);
    const word: Slot =
      later > then
        ? { kind: 'direction', text: better, opposite: worse }
        : { kind: 'direction', text: worse, opposite: better };
    return random.pick<() => Sentence>([
      () => [`the ${name} was `, percent(later, 'margin', true), ' in ', period(now), '.'],
      () => ['in ', period(now), `, the ${name} reached `, percent(later, 'margin', true), cause(), '.'],
      () => [
        `the ${name} `,
        word,
        ' from ',
        percent(then, 'margin', true),
        ' to ',
        percent(later, 'margin', true),
        ' in ',
        period(now),
        '.',
      ],
      () => [`the ${name} `, word, ' in ', period(now), cause(), '.'],
    ])();
  };
  const share = (): Sentence => {
    const index = random.integer(0, company.segments.length - 1);
    const part = percent(company.bySegment[index]![now]! / company.revenue[now]!, 'share', true);
    const name = company.segments[index]!;
    return random.pick<() => Sentence>([
      () => [`${name} accounted for `, part, ` of ${revenueName} in `, period(now), '.'],
      () => ['in ', period(now), `, ${name} contributed `, part, ` of total ${revenueName}.`],
      () => [
        `with `,
        part,
        ` of ${revenueName}, ${name} `,
        random.pick(['kept its place in the group', 'remained an important business']),
        ' in ',
        period(now),
        '.',
      ],
    ])();
  };

  const clear = (values: readonly number[]): boolean =>
    values[now - 1]! > 0 && values[now]! > 0 && Math.abs(growth(values)) > 0.02;
  const top: Series[] = [
    { name: revenueName, values: company.revenue, money: true },
    { name: company.names.gross.toLowerCase(), values: company.grossProfit, money: true },
    { name: operatingName, values: company.operatingProfit, money: true },
  ];
  const parts: Series[] = company.segments.map((segment, index) => ({
    name: random.pick([`${segment} ${revenueName}`, `${revenueName} in ${segment}`]),
    values: company.bySegment[index]!,
    money: true,
  }));
  const heads: Series[] = tables.has('indicators')
    ? [
        { name: random.pick(['headcount', 'the number of employees']), values: company.headcount, money: false },
        { name: 'the number of customers', values: company.customers, money: false },
      ]
    : [];
  const tell = (series: Series): Sentence =>
    clear(series.values) ? random.pick([growths, growths, levels, directions])(series) : levels(series);
  const able = (list: readonly Series[]): Series[] => list.filter(({ values }) => values[now]! > 0);

  const talk: readonly (() => string)[] = [
    () => `${company.name} is active in ${company.sector.name} and reports by ${company.segmentKind}.`,
    () =>
      `Management considers the ${random.pick(['result', 'development', 'performance'])} ` +
      `${random.pick(['satisfactory', 'encouraging', 'solid', 'mixed'])}.`,
    () => `The ${random.pick(['main risk', 'largest uncertainty'])} remains ${random.pick(company.sector.risks)}.`,
    () =>
      `During the year ${random.integer(2, 9)} ${random.pick([
        'sites were refurbished',
        'new partners were signed',
        'audits were completed',
        'product launches took place',
      ])}.`,
    () =>
      `For the coming year, management expects ${revenueName} to grow by ${random.integer(2, 5)} to ${random.integer(6, 9)} ` +
      'percent.',
    () =>
      `A dividend of ${company.currency.symbol}${random.chance(0.5) ? ' ' : ''}0.${random.integer(10, 95)} per ` +
      'share will be proposed.',
    () =>
      `The programme to simplify processes should lower annual costs by about ${company.currency.symbol}${random.integer(2, 30)} ` +
      'million from next year on.',
    () =>
      `Customer satisfaction, measured among ${random.integer(200, 2000)} respondents, was ` +
      `${random.pick(['good', 'unchanged', 'better than feared'])}.`,
  ];
  const small = (): Sentence => [random.pick(talk)()];

  const paragraph = (...sentences: readonly Sentence[]): ReportBlock => ({ kind: 'paragraph', sentences });
  const heading = (text: string): ReportBlock => ({ kind: 'heading', text });
  const summary = [
    tell(top[0]!),
    margin('gross margin', company.grossProfit),
    ...(company.operatingProfit.every((value) => value > 0) ? [tell(top[2]!)] : []),
    small(),
  ];
  const opening = [
    heading(random.pick(['Summary', 'Highlights', 'At a glance', 'Letter to shareholders', 'Overview'])),
    paragraph([talk[0]!()], ...summary),
  ];
  const review = [
    heading(
      random.pick([
        'Review of operations',
        'Business review',
        'Development by ' + company.segmentKind,
        'Segment commentary',
      ]),
    ),
    paragraph(...random.some(able(parts), random.integer(2, 3)).map(tell), small()),
    paragraph(share(), ...(random.chance(0.6) ? [tell(random.pick(able(top)))] : []), small()),
  ];
  const marginSentence = company.operatingProfit.every((value) => value > 0)
    ? [margin(company.names.operating === 'EBIT' ? 'EBIT margin' : 'operating margin', company.operatingProfit)]
    : [];
  const closing = [
    heading(random.pick(['Earnings and people', 'Profitability', 'Costs and staff', 'Financial position'])),
    paragraph(...marginSentence, ...random.some(able(heads), 1).map(tell), small()),
    heading('Outlook'),
    paragraph([talk[4]!()], [talk[2]!()]),
  ];
  return { opening, review, closing };
}
