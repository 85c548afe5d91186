/** Writes tables and sentences of generated reports as JSON Lines: node training/reader/list-reports.ts COUNT OUT.jsonl */
import { createWriteStream } from 'node:fs';
import { compose } from '../../bench/reports/compose.ts';
import { sentenceText } from '../../bench/reports/report.ts';
import { composeStatements } from '../../bench/reports/statements/compose.ts';

const [count, out] = [Number(process.argv[2]), process.argv[3]!];
const file = createWriteStream(out);
// Seeds far from those that the benches measure with.
const firstSeed = 5_000_000;
for (let index = 0; index < count; index++) {
  const { report } = compose(firstSeed + index);
  const tables = report.blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []));
  const sentences = report.blocks.flatMap((block) => (block.kind === 'paragraph' ? block.sentences : []));
  file.write(
    `${JSON.stringify({
      company: report.company,
      title: report.title,
      tables: tables.map(({ title, unit, header, rows }) => ({
        caption: [title, unit].filter((text) => text !== '').join(', '),
        unit,
        header: header.at(-1),
        rows: rows
          .filter(({ heading }) => heading !== true)
          .map(({ label, cells }) => [label, ...cells.map(({ text }) => text)]),
      })),
      sentences: sentences.map((sentence) => ({
        text: sentenceText(sentence),
        slots: sentence.filter((piece) => typeof piece !== 'string'),
      })),
      statements: [],
    })}\n`,
  );
  // Every fifteenth in the voice that is only measured with.
  for (const isHeldOut of index % 15 === 0 ? [false, true] : [false]) {
    const made = composeStatements(firstSeed + index, isHeldOut);
    file.write(
      `${JSON.stringify({
        company: '',
        isHeldOut,
        title: made.name,
        tables: markdownTables(made.text),
        sentences: [],
        statements: made.statements.map(({ text, kind, isTrue }) => ({ text, kind, isTrue })),
      })}\n`,
    );
  }
}
file.end();

/** A title, an empty line, and a table in pipes. */
function markdownTables(text: string): { caption: string; unit: string; header: string[]; rows: string[][] }[] {
  const parts = text.split('\n\n');
  return parts.flatMap((part, index) => {
    if (!part.startsWith('| ')) return [];
    const cellsOf = (line: string): string[] => line.split('|').slice(1, -1);
    const rows = part
      .trim()
      .split('\n')
      .map((line) => cellsOf(line).map((cell) => cell.trim()));
    const caption = parts[index - 1]!;
    return [{ caption, unit: /\((.*)\)$/.exec(caption)?.[1] ?? '', header: rows[0]!, rows: rows.slice(2) }];
  });
}
