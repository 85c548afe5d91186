import { describe, expect, test } from 'vitest';
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { CellError, openFormulas, type CellValue, type FormulaSheet, type OpenFormula } from './index.ts';

/** A sheet of values; a text that begins with `=` is a formula without a saved value. */
const sheetOf = (rows: (CellValue | string)[][], name = 'Sheet1'): FormulaSheet => ({
  name,
  rows: rows.length,
  columns: Math.max(...rows.map((row) => row.length)),
  read: (row, column): CellValue | OpenFormula => {
    const value = rows[row]?.[column] ?? null;
    return typeof value === 'string' && value.startsWith('=') ? { text: value.slice(1), down: 0, right: 0 } : value;
  },
});
const figures = [
  ['Region', 'Product', 'Sales'],
  ['North', 'Pens', 10],
  ['South', 'Pens', 20.5],
  ['North', 'Ink', 30],
  ['Nordic', 'Ink', '7'],
];
const compute = async (formula: string, rows: (CellValue | string)[][] = figures) => {
  const all = [...rows, [`=${formula}`]];
  const others = sheetOf(
    [
      [1, 2],
      [3, 4],
    ],
    "Last year's",
  );
  const { value, why } = (await openFormulas([sheetOf(all), others]))('Sheet1', all.length - 1, 0);
  return why ?? (value instanceof CellError ? value.code : value);
};

describe('a formula without a saved value', () => {
  test.each([
    ['1+2*3^2', 19],
    ['-2^2', 4],
    ['(1+2)*3%', 0.09],
    ['10/4-1', 1.5],
    ['0.1+0.2', 0.3],
    ['"a"&1&"b"', 'a1b'],
    ['SUM(C2:C5)', 60.5],
    ['SUM(C:C)', 60.5],
    ['SUM(C2,C3,5)', 35.5],
    ['AVERAGE(C2:C4)', 60.5 / 3],
    ['MAX(C2:C5)-MIN(C2:C4)', 20],
    ['COUNT(C1:C5)', 3],
    ['COUNTA(A1:A5)', 5],
    ['SUMIF(A2:A5,"North",C2:C5)', 40],
    ['SUMIF(A2:A5,"Nor*",C2:C5)', 40],
    ['SUMIFS(C2:C5,A2:A5,"North",B2:B5,"Ink")', 30],
    ['COUNTIF(C2:C5,">=20")', 2],
    ['COUNTIFS(A2:A5,"<>North")', 2],
    ['AVERAGEIF(B2:B5,"Pens",C2:C5)', 15.25],
    ['VLOOKUP("South",A2:C5,3,FALSE)', 20.5],
    ['INDEX(C2:C5,MATCH("South",A2:A5,0))', 20.5],
    ['_xlfn.XLOOKUP("West",A2:A5,C2:C5,"none")', 'none'],
    ['ROUND(2.345,2)', 2.35],
    ['IF(C2>5,"many","few")', 'many'],
    ['IFERROR(1/0,7)', 7],
    ['IF(TRUE,1,1/0)', 1],
    ['AND(C2>5,C3>50)', false],
    ["'Last year''s'!A1+'Last year''s'!B2", 5],
    ['SUMPRODUCT(C2:C4,C2:C4)', 100 + 420.25 + 900],
    ['TEXT(0.256,"0.0%")', '25.6%'],
    ['MEDIAN(C2:C4)', 20.5],
    ['ROUND(NPV(0.1,100,100),2)', 173.55],
    ['$C$2+C3', 30.5],
    ['PRODUCT(C2,C3)', 205],
    ['COUNTBLANK(B5:C6)', 2],
    ['COUNTIF(C1:C5,"Sales")', 1],
    ['COUNTIF(C2:C5,"<20.5")', 1],
    ['COUNTIF(C2:C5,"<=20.5")', 2],
    ['COUNTIF(C2:C5,">20.5")', 1],
    ['COUNTIF(A2:A5,"nort?")', 2],
    ['SUMIF(C2:C5,">15")', 50.5],
    ['SUMIFS(C2:C5,A2:A5,"North",B2:B5,"Pens")', 10],
    ['AVERAGEIFS(C2:C5,A2:A5,"North")', 20],
    ['MAXIFS(C2:C5,A2:A5,"North")', 30],
    ['MINIFS(C2:C5,A2:A5,"North")', 10],
    ['HLOOKUP("Product",A1:C5,3,FALSE)', 'Pens'],
    ['VLOOKUP("South",A2:C5,4,FALSE)', '#REF!'],
    ['VLOOKUP(25,C2:C4,1,TRUE)', 20.5],
    ['MATCH(25,C2:C4)', 2],
    ['MATCH(25,C2:C4,0)', '#N/A'],
    ['MATCH(5,C2:C4,1)', '#N/A'],
    ['INDEX(A1:C5,2,3)', 10],
    ['INDEX(A1:C1,3)', 'Sales'],
    ['INDEX(C2:C4,9)', '#REF!'],
    ['_xlfn.XLOOKUP("South",A2:A5,C2:C5)', 20.5],
    ['_xlfn.XLOOKUP("West",A2:A5,C2:C5)', '#N/A'],
    ['OR(C2>50,C3>5)', true],
    ['OR(C2>50,C3>50)', false],
    ['NOT(C2>50)', true],
    ['IF(C2>50,"many")', false],
    ['CONCATENATE(A2,"-",C2)', 'North-10'],
    ['_xlfn.CONCAT(A2:B2)', 'NorthPens'],
    ['ISNUMBER(C2)', true],
    ['ISNUMBER(C5)', false],
    ['ISTEXT(C5)', true],
    ['ISBLANK(D9)', true],
    ['ISERROR(1/0)', true],
    ['ISNA(1/0)', false],
    ['ISNA(NA())', true],
    ['ROUND(PI()*100,0)', 314],
    ['ABS(-3)+INT(2.7)+MOD(7,3)', 6],
    ['ROUNDUP(2.1,0)+ROUNDDOWN(2.9,0)', 5],
    ['LEFT(A2,2)&RIGHT(A2,2)&LEN(A2)', 'Noth5'],
    ['UPPER(MID(A2,2,3))', 'ORT'],
    ['LARGE(C2:C4,2)', 20.5],
    ['SMALL(C2:C4,1)', 10],
    ['TRUE+1', 2],
    ['"5"*2', 10],
    ['"50%"*2', 1],
    ['"1,000"+1', 1001],
    ['C5+0', 7],
    ['D9+1', 1],
    ['"a"="A"', true],
    ['"a"<"b"', true],
    ['9<"a"', true],
    ['D9=0', true],
    ['D9=""', true],
    ['2<>3', true],
    ['2>=2', true],
    ['2>3', false],
    ['SUM(C2:C3,1/0)', '#DIV/0!'],
    ['AVERAGE(A2:A4)', '#DIV/0!'],
    ['1/0', '#DIV/0!'],
    ['SUM(#REF!)', '#REF!'],
    ['VLOOKUP("East",A2:C5,3,FALSE)', '#N/A'],
    ['"x"*2', '#VALUE!'],
  ])('%s is %s', async (formula, value) => {
    expect(await compute(formula)).toEqual(typeof value === 'number' ? expect.closeTo(value, 10) : value);
  });

  test.each([
    ['NOW()', 'NOW is not known'],
    ['RAND()', 'RAND is not known'],
    ['INDIRECT("A1")', 'INDIRECT is not known'],
    ['WEBSERVICE("http://example.com")', 'WEBSERVICE is not known'],
    ['CONSTRUCTOR("x")', 'CONSTRUCTOR is not known'],
    ['toString()', 'TOSTRING is not known'],
    ['Margin*2', 'the name Margin is not known'],
    ['Next!A1', 'the sheet “Next” is not there'],
    ['[1]Sheet1!A1', 'it names a table or another workbook'],
    ['SUM(Table1[Sales])', 'it names a table or another workbook'],
    ['A1:', 'it cannot be read'],
    ['', 'it cannot be read'],
    ['SUMIF(A1:A5,"*a*b*c*d",C1:C5)', 'its criterion has too many wildcards'],
    ['"'.repeat(9), 'it cannot be read'],
    ['('.repeat(5000), 'it is too long'],
    ['('.repeat(500), 'it is nested too deep'],
    [`${'-'.repeat(500)}1`, 'it is nested too deep'],
  ])('%s is not computed, and it is said why', async (formula, why) => {
    expect(await compute(formula)).toBe(why);
  });

  test('that refers to itself, over others too, ends', async () => {
    const of = await openFormulas([sheetOf([['=B1', '=C1+1', '=A1']])]);
    for (const column of [0, 1, 2]) expect(of('Sheet1', 0, column).why).toMatch(/refers to itself|not computed/);
    expect(await compute('SUM(A1:A6)')).toBe('it refers to itself');
  });

  test('that builds on a long chain of others is computed from its beginning', async () => {
    const rows = Array.from({ length: 5000 }, (_, row): (CellValue | string)[] => [row === 0 ? 1 : `=A${row}+1`]);
    const of = await openFormulas([sheetOf(rows)]);
    expect(of('Sheet1', 4999, 0).why).toBe('it builds on too many others');
    for (let row = 0; row < 5000; row += 1) of('Sheet1', row, 0);
    expect(of('Sheet1', 4999, 0).value).toBe(5000);
  });

  test('of huge ranges stops in time', async () => {
    const rows = Array.from({ length: 10_000 }, (): string[] => ['=SUM(B:ZZ)*2', '=SUM(C1:ZZZ1048576)']);
    const of = await openFormulas([sheetOf(rows)]);
    const took = threadTime(() => {
      for (let row = 0; row < 10_000; row += 1) of('Sheet1', row, 0);
    });
    expect(took).toBeLessThan(10_000);
  });
});
