export { describeLongTable, openLongTable, shortenParts } from './shorten-parts.ts';
export { buildCube, summarizeTable, type Cube } from './summarize-table.ts';
export { addNamedRows, keepLongTables } from './keep-long-tables.ts';
