import { z } from 'zod';
import { readAnswer } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import type { Analysis } from './analysis.ts';
import { claimKinds, outlooks } from './answers.ts';
import { documentMethods } from './plan.ts';

const offset = z.int().min(0);
const box = z.looseObject({ page: z.int(), x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const boxes = z.array(box).optional();
const place = z.looseObject({ block: z.string(), start: offset, end: offset });
const numbers = z.array(
  z.looseObject({
    id: z.string(),
    check: z.string(),
    outcome: z.enum(['holds', 'conflict']),
    statement: z.string(),
    arithmetic: z.string(),
    places: z.array(place),
    gap: z.number(),
  }),
);
/** More cells than any reader lets through: a forged size must not fill the memory. */
const mostCells = 20_000_000;
const span = z.looseObject({ rows: offset, columns: offset }).optional();
const table = z
  .looseObject({
    cells: z.array(
      z.looseObject({
        row: offset,
        column: offset,
        text: z.string(),
        start: offset,
        end: offset,
        value: z.number().optional(),
        span,
        boxes,
      }),
    ),
    rows: offset,
    columns: offset,
    headerRows: offset,
    headerColumns: offset,
  })
  .refine(
    ({ rows, columns }) => rows <= mostCells && columns <= mostCells && rows * columns <= mostCells,
    'has more cells than are read',
  )
  .refine(
    ({ cells, rows, columns, headerRows, headerColumns }) =>
      headerRows <= rows &&
      headerColumns <= columns &&
      cells.every(
        (cell) => cell.row + (cell.span?.rows ?? 1) <= rows && cell.column + (cell.span?.columns ?? 1) <= columns,
      ),
    'has cells outside of itself',
  );
const block = z.looseObject({
  id: z.string().regex(/^b\d+$/),
  kind: z.enum(['heading', 'paragraph', 'list', 'table']),
  start: offset,
  end: offset,
  section: z.array(z.string()),
  boxes,
  table: table.optional(),
  sentences: z.array(
    z.looseObject({ start: offset, end: offset, narrative: z.string().optional(), row: offset.optional(), boxes }),
  ),
});
const document = z.looseObject({
  name: z.string(),
  kind: z.string(),
  hash: z.string(),
  text: z.string(),
  blocks: z.array(block),
  notes: z.array(z.string()),
});
const plan = z.looseObject({
  method: z.enum(documentMethods),
  maxFactors: z.number(),
  chunkCharacters: z.int().min(1),
});
const provenance = z.looseObject({ plan });
const search = z.looseObject({
  attack: z.int(),
  terms: z.array(z.string()),
  found: z.array(z.looseObject({ term: z.string(), place, quote: z.string(), near: z.boolean() })),
  blocksRead: z.int(),
  accepted: z.boolean(),
});
const claim = z.looseObject({
  subject: z.looseObject({
    id: z.string(),
    text: z.string(),
    kind: z.enum(claimKinds),
    domain: z.string(),
    importance: z.number(),
    origin: place.nullable(),
    hash: z.string(),
  }),
  numbers,
  absences: z.array(search),
  roleCollapse: z.boolean(),
  provenance,
});

const analysisSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  job: z.literal('documents'),
  documents: z.array(document),
  claims: z.array(claim),
  numbers,
  coverage: z.array(z.object({ block: z.string(), quote: z.string(), why: z.string() })),
  observations: z.array(z.looseObject({ id: z.string(), text: z.string(), tool: z.string(), of: z.string() })),
  degraded: z.array(z.object({ kind: z.string(), at: z.string(), detail: z.string() })),
  outlook: z.looseObject({
    label: z.enum([...outlooks, 'undecided']),
    rule: z.object({ id: z.string(), why: z.string() }),
    brief: z.string(),
    risks: z.array(z.string()),
    questions: z.array(z.string()),
  }),
  transcript: z.array(z.unknown()),
  usage: z.looseObject({ calls: z.number() }),
  provenance,
  seal: z.string(),
});

const hint = {
  library: 'Pass the JSON of an analysis.',
  cli: 'Pass a trace written by agon analyze --json or --report trace.json.',
};

/** Reads a debate trace from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readAnalysis(json: string, name: string): Analysis {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AgonError('not-an-analysis', `${name} is not JSON: ${(error as Error).message}`, hint, { cause: error });
  }
  const parsed = analysisSchema.safeParse(value);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new AgonError(
      'not-an-analysis',
      `${name} is not an analysis of Agon: ${first!.path.join('.') || 'it'}: ${first!.message}`,
      hint,
    );
  }
  const analysis = parsed.data as unknown as Analysis;
  // What claims have in common with every answer is read as every answer is; the envelope's own turns in the place of
  // a claim's.
  for (const answer of analysis.claims) readAnswer(JSON.stringify(answer), `${name}, ${answer.subject.id}`);
  const [first] = analysis.claims;
  if (first)
    readAnswer(
      JSON.stringify({
        ...first,
        transcript: analysis.transcript,
        usage: analysis.usage,
        provenance: analysis.provenance,
      }),
      name,
    );
  return analysis;
}
