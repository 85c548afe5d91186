import type { Random } from './random.ts';

/** What a report is about: enough figures for every table and sentence of it, all from the same books. */
export interface Company {
  name: string;
  sector: Sector;
  segmentKind: 'segment' | 'region' | 'product line';
  segments: readonly string[];
  /** In time order; the last one is the one reported. */
  periods: readonly string[];
  quarterly: boolean;
  currency: { symbol: string; code: string; name: string };
  /** What tables are counted in. */
  scale: { factor: number; word: string; short: string };
  decimals: number;
  /** In the tables' unit and rounded as shown; one entry per period. */
  bySegment: readonly (readonly number[])[];
  revenue: readonly number[];
  cost: readonly number[];
  grossProfit: readonly number[];
  expenses: readonly { name: string; values: readonly number[] }[];
  totalExpenses: readonly number[];
  operatingProfit: readonly number[];
  tax: readonly number[];
  netProfit: readonly number[];
  headcount: readonly number[];
  customers: readonly number[];
  openingCash: number;
  cashFlows: readonly { name: string; value: number }[];
  names: {
    revenue: string;
    cost: string;
    gross: string;
    expenses: string;
    operating: string;
    net: string;
    headcount: string;
  };
}

interface Sector {
  name: string;
  lines: readonly string[];
  drivers: readonly string[];
  risks: readonly string[];
}

const sectors: readonly Sector[] = [
  {
    name: 'industrial pumps',
    lines: ['Water Technology', 'Oil & Gas', 'Aftermarket', 'Mining', 'Chemicals', 'Marine'],
    drivers: [
      'a fuller order book in the process industries',
      'price adjustments made in the spring',
      'quicker delivery of spare parts',
    ],
    risks: ['longer lead times for castings', 'a weak construction market'],
  },
  {
    name: 'cloud software',
    lines: ['Subscriptions', 'Professional Services', 'Licences', 'Support', 'Marketplace'],
    drivers: ['larger renewals among enterprise clients', 'the launch of the analytics module', 'lower churn'],
    risks: ['slower budget decisions', 'rising hosting fees'],
  },
  {
    name: 'specialty foods',
    lines: ['Snacks', 'Dairy Alternatives', 'Bakery', 'Beverages', 'Frozen', 'Ingredients'],
    drivers: ['new listings at two retail chains', 'a mild winter', 'stronger demand for plant-based ranges'],
    risks: ['cocoa prices', 'private-label competition'],
  },
  {
    name: 'medical devices',
    lines: ['Imaging', 'Surgical', 'Diagnostics', 'Patient Monitoring', 'Dental'],
    drivers: [
      'hospital tenders won in the previous year',
      'the replacement cycle in imaging',
      'a catch-up in elective procedures',
    ],
    risks: ['regulatory delays', 'reimbursement cuts'],
  },
  {
    name: 'logistics',
    lines: ['Road Freight', 'Air & Sea', 'Contract Logistics', 'Parcel', 'Cold Chain'],
    drivers: [
      'higher volumes in contract logistics',
      'better use of capacity',
      'two depots that opened early in the year',
    ],
    risks: ['fuel prices', 'driver shortages'],
  },
  {
    name: 'renewable energy',
    lines: ['Wind', 'Solar', 'Storage', 'Grid Services', 'Hydro'],
    drivers: ['capacity that came on line in the spring', 'favourable wind conditions', 'higher feed-in prices'],
    risks: ['permitting delays', 'curtailment'],
  },
  {
    name: 'education services',
    lines: ['Schools', 'Online Courses', 'Corporate Training', 'Publishing', 'Assessments'],
    drivers: ['higher enrolment', 'demand from corporate clients', 'an extended course catalogue'],
    risks: ['visa rules', 'a smaller age group'],
  },
  {
    name: 'home furnishing retail',
    lines: ['Living', 'Kitchen', 'Outdoor', 'Textiles', 'Lighting'],
    drivers: ['a revised store format', 'the online channel', 'an early start to the season'],
    risks: ['consumer caution', 'freight rates'],
  },
];
const regions = [
  'North America',
  'Latin America',
  'Europe',
  'Asia Pacific',
  'Middle East',
  'Africa',
  'Nordics',
  'Germany',
  'United Kingdom',
  'France',
  'Japan',
  'India',
];
const first = [
  'Halden',
  'Marwick',
  'Orsova',
  'Brightwater',
  'Kestrel',
  'Lindqvist',
  'Tamarack',
  'Vantor',
  'Corvane',
  'Eastmoor',
  'Sablier',
  'Quillon',
  'Novara',
  'Pellworm',
  'Ridgeway',
  'Astoria',
  'Dunmore',
  'Feldberg',
  'Grayling',
  'Ishikari',
];
const last = [
  'Holdings plc',
  'Group AG',
  'Inc.',
  'Industries Ltd',
  'Corporation',
  'Partners SE',
  'Systems Inc.',
  'N.V.',
  'Co.',
  'International',
];
const currencies = [
  { symbol: '$', code: 'USD', name: 'US dollars' },
  { symbol: '$', code: 'USD', name: 'dollars' },
  { symbol: '€', code: 'EUR', name: 'euros' },
  { symbol: '£', code: 'GBP', name: 'pounds sterling' },
  { symbol: 'CHF', code: 'CHF', name: 'Swiss francs' },
];
const scales = [
  { factor: 1e6, word: 'millions', short: 'm' },
  { factor: 1e6, word: 'millions', short: 'm' },
  { factor: 1e3, word: 'thousands', short: '000' },
];
const expenseNames = [
  'Sales and marketing',
  'Research and development',
  'General and administrative',
  'Distribution',
  'Depreciation and amortisation',
  'IT and facilities',
  'Personnel',
  'Logistics',
];

export function company(random: Random): Company {
  const sector = random.pick(sectors);
  const segmentKind = random.pick(['segment', 'region', 'product line'] as const);
  const segments = random.some(segmentKind === 'region' ? regions : sector.lines, random.integer(3, 5));
  const quarterly = random.chance(0.3);
  const year = random.integer(2019, 2025);
  const count = random.integer(2, 4);
  const quarter = random.integer(1, 4);
  const style = random.pick(['Q# ####', 'Q# ####', '#Q##', 'Q#/####']);
  const yearStyle = random.pick(['####', '####', 'FY####', 'FY##']);
  const periods = Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index;
    // Quarters are compared with the same quarter of the year before.
    const [number, inYear] = [quarter, year - back];
    return quarterly
      ? style.replace('####', String(inYear)).replace('##', String(inYear).slice(2)).replace('#', String(number))
      : yearStyle.replace('####', String(inYear)).replace('##', String(inYear).slice(2));
  });
  const scale = random.pick(scales);
  const decimals = scale.factor === 1e6 ? random.pick([0, 1, 1]) : 0;
  const size = scale.factor === 1e6 ? random.between(60, 4000) : random.between(4000, 90_000);
  const round = (value: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;
  const weights = segments.map(() => random.between(0.5, 2));
  const bySegment = segments.map((_, segment) => {
    let level = (size * weights[segment]!) / weights.reduce((sum, weight) => sum + weight, 0);
    return periods.map(() => {
      const shown = round(level);
      level *= 1 + random.pick([1, 1, 1, -1]) * random.between(0.02, 0.22);
      return shown;
    });
  });
  const sum = (rows: readonly (readonly number[])[]): number[] =>
    periods.map((_, index) => round(rows.reduce((total, row) => total + row[index]!, 0)));
  const revenue = sum(bySegment);
  const costRatio = random.between(0.4, 0.68);
  const cost = revenue.map((value) => round(value * (costRatio + random.between(-0.04, 0.04))));
  const grossProfit = revenue.map((value, index) => round(value - cost[index]!));
  const names = random.some(expenseNames, random.integer(2, 4));
  const expenseRatio = (1 - costRatio) * random.between(0.45, 0.75);
  const expenses = names.map((name) => ({
    name,
    values: revenue.map((value) => round((value * expenseRatio * random.between(0.85, 1.15)) / names.length)),
  }));
  const totalExpenses = sum(expenses.map(({ values }) => values));
  const operatingProfit = grossProfit.map((value, index) => round(value - totalExpenses[index]!));
  const tax = operatingProfit.map((value) => round(Math.max(value, 0) * random.between(0.19, 0.27)));
  const netProfit = operatingProfit.map((value, index) => round(value - tax[index]!));
  const headcountStart = random.integer(300, 9000);
  const track = (start: number, low: number, high: number): number[] => {
    let level = start;
    return periods.map(() => {
      const now = Math.round(level);
      level *= 1 + random.between(low, high);
      return now;
    });
  };
  const last2 = revenue.at(-1)!;
  return {
    name: `${random.pick(first)} ${random.pick(last)}`,
    sector,
    segmentKind,
    segments,
    periods,
    quarterly,
    currency: random.pick(currencies),
    scale,
    decimals,
    bySegment,
    revenue,
    cost,
    grossProfit,
    expenses,
    totalExpenses,
    operatingProfit,
    tax,
    netProfit,
    headcount: track(headcountStart, -0.08, 0.14),
    customers: track(random.integer(800, 60_000), -0.05, 0.2),
    openingCash: round(last2 * random.between(0.1, 0.3)),
    cashFlows: [
      {
        name: random.pick(['Cash flow from operating activities', 'Cash generated from operations']),
        value: round(operatingProfit.at(-1)! * random.between(0.8, 1.3)),
      },
      {
        name: random.pick(['Capital expenditure', 'Investment in property and equipment']),
        value: -round(last2 * random.between(0.02, 0.07)),
      },
      {
        name: random.pick(['Dividends paid', 'Repayment of loans']),
        value: -round(last2 * random.between(0.01, 0.04)),
      },
      { name: 'Currency effects', value: round(last2 * random.between(-0.01, 0.01)) },
    ],
    names: {
      revenue: random.pick(['Revenue', 'Revenue', 'Net sales', 'Sales', 'Turnover', 'Total revenue']),
      cost: random.pick(['Cost of sales', 'Cost of goods sold', 'Cost of revenue']),
      gross: random.pick(['Gross profit', 'Gross profit', 'Gross income']),
      expenses: random.pick(['Total operating expenses', 'Operating expenses', 'Total operating costs']),
      operating: random.pick(['Operating profit', 'Operating income', 'EBIT', 'Operating result']),
      net: random.pick(['Net profit', 'Net income', 'Profit after tax']),
      headcount: random.pick(['Headcount', 'Employees', 'Number of employees', 'Full-time equivalents']),
    },
  };
}
