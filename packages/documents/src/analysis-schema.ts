import { z } from 'zod';
import {
  answerShape,
  degradationSchema,
  parseAnswer,
  provenanceSchema,
  verdictSchema,
  type Described,
} from '@agonhq/engine/debate';
import { keptContextSchema } from '@agonhq/engine/items/item-context';
import { claimLabels } from './analysis.ts';
import { claimKinds, outlooks } from './answers.ts';
import { claimMatterSchema, likenesses } from './corrections/index.ts';
import { documentMethods } from './plan.ts';

/* The debate trace: its types follow from these, and a trace from outside is read by them. Loose, as all answers. */

const offset = z.int().min(0);

/** A rectangle on a page, in points from its upper left corner. */
const box = z.looseObject({
  /** From 1. */
  page: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
const boxes = z.array(box).optional();

/** Characters of a block: of a table also its cell. */
const place = z.looseObject({
  /** `report.pdf#b12`. */
  block: z.string(),
  /** In the document's text. */
  start: offset,
  end: offset,
  cell: z.looseObject({ row: z.number(), column: z.number(), address: z.string().optional() }).optional(),
});

/** What a number tool found: whether it holds, where, and its arithmetic. */
const numberFinding = z.looseObject({
  id: z.string(),
  check: z.enum([
    'growth',
    'margin',
    'share',
    'sum',
    'difference',
    'statement-against-table',
    'text-against-text',
    'units',
    'period',
    'direction',
    'ratio',
    'average',
    'comparison',
    'rank',
    'peak',
    'trend',
    'count',
    'threshold',
  ]),
  outcome: z.enum(['holds', 'conflict']),
  /** One sentence for people. */
  statement: z.string(),
  /** `(4.6 − 4.0) / 4.0 = 15.0 %, stated 51 %`. */
  arithmetic: z.string(),
  /** Every place it stands on, the stated one first. */
  places: z.array(place),
  /** By how much the stated and the computed value differ, in base units; 0 when it holds. */
  gap: z.number(),
  /** What the statement means: `ratio(Europe[FY2024], Total[FY2024]) = 61 %`. */
  program: z.string().optional(),
  /** What each of its terms is bound to, and why. */
  bindings: z.array(z.looseObject({ term: z.string(), place, why: z.string() })).optional(),
});

/** A cell of a table. Its text stands in the document's text from `start` to `end`. */
const cell = z.looseObject({
  /** From 0, within the table. */
  row: offset,
  column: offset,
  text: z.string(),
  start: offset,
  end: offset,
  /** The raw number behind the text, where the file has one (a spreadsheet's value). */
  value: z.number().optional(),
  /** How many rows and columns a merged cell covers. */
  span: z.looseObject({ rows: offset, columns: offset }).optional(),
  /** `B3` in a spreadsheet. */
  address: z.string().optional(),
  boxes,
});

/** More cells than any reader lets through: a forged size must not fill the memory. */
const mostCells = 20_000_000;

/** Rows of cells; a place that a merged cell covers holds nothing. */
const table = z
  .looseObject({
    cells: z.array(cell),
    rows: offset,
    columns: offset,
    /** So many rows at the top, and columns at the left, are headers. */
    headerRows: offset,
    headerColumns: offset,
    /** What stands above it: a title, "in millions". */
    caption: z.string().optional(),
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
        ({ row, column, span }) => row + (span?.rows ?? 1) <= rows && column + (span?.columns ?? 1) <= columns,
      ),
    'has cells outside of itself',
  );

/** A sentence of a block, or a row of a table told as one. */
const sentence = z.looseObject({
  /** In the document's text: of a row, from its first cell to its last. */
  start: offset,
  end: offset,
  /** Of a row: the sentence it was turned into ("In Q3, the APAC region recorded a growth of 15 %."). */
  narrative: z.string().optional(),
  /** Of a row: which row of the table. */
  row: offset.optional(),
  boxes,
});

/** A part of a document that belongs together. */
const block = z.looseObject({
  /** `b12`: its number in reading order. */
  id: z.string().regex(/^b\d+$/),
  kind: z.enum(['heading', 'paragraph', 'list', 'table']),
  /** Where it stands in the document's text. */
  start: offset,
  end: offset,
  /** The headings it stands under, the outermost first. */
  section: z.array(z.string()),
  /** Of a heading: 1 for the outermost. */
  level: z.number().optional(),
  page: z.number().optional(),
  boxes,
  sheet: z.string().optional(),
  table: table.optional(),
  sentences: z.array(sentence),
  /** Its number in the file, where the file counts its parts itself. */
  sourceIndex: z.number().optional(),
  /** Read off an image: its letters may be wrong. */
  ocr: z.literal(true).optional(),
});

/** A file as Agon reads it, whatever its format: one text, and blocks that point into it. */
const document = z.looseObject({
  /** `report.pdf`: the name, never a path. */
  name: z.string(),
  kind: z.enum(['pdf', 'xlsx', 'csv', 'json', 'docx', 'html', 'markdown', 'text', 'image']),
  /** `sha256:…` of the bytes. */
  hash: z.string(),
  text: z.string(),
  blocks: z.array(block),
  /** Of a PDF or an image. */
  pages: z
    .array(
      z.looseObject({
        number: z.number(),
        width: z.number(),
        height: z.number(),
        ocr: z.literal(true).optional(),
      }),
    )
    .optional(),
  /** What a reader should know: pages read by OCR, hidden sheets, links not followed, macros not run. */
  notes: z.array(z.string()),
});

/** How a dossier is judged. */
const plan = z.looseObject({
  method: z.enum(documentMethods),
  /** At most so many claims are judged, the most important first. */
  maxFactors: z.number(),
  temperature: z.looseObject({
    /** Of the factor agent. */
    factors: z.number(),
    /** Of affirmative and dissenting, and of the control's votes. */
    debate: z.number(),
    /** Of the synthesizer and of the judges the debate is held against. */
    synthesis: z.number(),
  }),
  retrieval: z.looseObject({
    /** At most so many blocks for a claim, … */
    blocks: z.number(),
    /** … of so many characters in all. A dossier that is no longer is read whole. */
    characters: z.number(),
  }),
  /** The factor agent reads so many characters at once. */
  chunkCharacters: z.int().min(1),
  /** So many debates run at a time. */
  concurrency: z.number(),
});

/** With the plan that was followed, so that it can be checked. */
const provenance = provenanceSchema.extend({
  plan,
  /** Which reading of documents and numbers it was made by. */
  edition: z.int().min(1),
});

/** A claim of a document, or the user's own, ready to be debated. */
const claim = z.looseObject({
  /** `claim-01`. */
  id: z.string(),
  /** Rewritten to stand alone. */
  text: z.string(),
  kind: z.enum(claimKinds),
  domain: z.string(),
  importance: z.number(),
  /** The sentence it came from; null for the user's own. */
  origin: place.nullable(),
});

/** A search for what a dissent says is missing. */
const absenceSearch = z.looseObject({
  /** Which attack, from 1. */
  attack: z.int(),
  terms: z.array(z.string()),
  found: z.array(z.looseObject({ term: z.string(), place, quote: z.string(), near: z.boolean() })),
  blocksRead: z.int(),
  /** Nothing was found: the absence is accepted. */
  accepted: z.boolean(),
});

/** What a person corrected in an earlier analysis, and how that claim is alike. */
const recalledCorrection = z.looseObject({
  id: z.string(),
  /** The analysis that was corrected, and the claim in it. */
  case: z.string(),
  claim: z.string(),
  text: z.string(),
  /** The verdict of then. */
  verdict: z.string(),
  label: z.enum(claimLabels),
  why: z.string(),
  by: z.string(),
  at: z.string(),
  likeness: z.enum(likenesses),
  /** The same in words. */
  alike: z.string(),
  matter: claimMatterSchema,
});

/** What is decided of a claim: it may be untrue, and is no risk. */
export const claimVerdictSchema = verdictSchema.extend({
  label: z.enum(claimLabels),
  score: z.number().nullable().meta({ minimum: 0, maximum: 1 }).describe('How far the documents support the claim.'),
  confidence: z
    .number()
    .nullable()
    .meta({ minimum: 0, maximum: 1 })
    .describe('How sure it is of its label: the measured precision of a proof, else what the judge says.'),
});

const claimAnswer = z
  .looseObject({
    ...answerShape,
    job: z.literal('documents'),
    /** With the `sha256:…` of the claim and of the files it was judged against. */
    subject: claim.extend({ hash: z.string() }),
    verdict: claimVerdictSchema,
    provenance,
    /** The number findings that touch this claim. */
    numbers: z.array(numberFinding),
    absences: z.array(absenceSearch),
    corrections: z
      .array(recalledCorrection)
      .optional()
      .describe('What people corrected on this claim or on ones alike, the nearest first; absent where there is none.'),
    /** The dissent attacked nothing. */
    roleCollapse: z.boolean(),
  })
  .meta({ id: 'ClaimAnswer' });

/** Everything that was read, claimed, argued and decided about a dossier. */
export const analysisSchema = z.looseObject({
  version: answerShape.version,
  id: z.string(),
  job: z.literal('documents'),
  /** What is known about the documents beside what they say, as it was given; no seat was shown it. */
  context: keptContextSchema.optional(),
  documents: z.array(document),
  claims: z.array(claimAnswer),
  /** Every number finding of the dossier, whether a claim touches it or not. */
  numbers: z.array(numberFinding),
  /** Assertion-heavy blocks that yielded no claim. */
  coverage: z.array(z.object({ block: z.string(), quote: z.string(), why: z.string() })),
  /** Passages that speak to the judges, as they stand in their blocks: judged like the rest, and never followed. */
  observations: z.array(
    z.looseObject({
      id: z.string(),
      text: z.string(),
      tool: z.string(),
      of: z.string(),
      note: z.string().optional(),
    }),
  ),
  /** What the verdicts come to. Code decides the label; brief, risks and questions are the synthesizer's words. */
  outlook: z.looseObject({
    label: z.enum([...outlooks, 'undecided']),
    rule: z.object({ id: z.string(), why: z.string() }),
    brief: z.string(),
    risks: z.array(z.string()),
    questions: z.array(z.string()),
  }),
  /** What the factor agent and the outlook could not do; that of the claims is in their own verdicts. */
  degraded: z.array(degradationSchema),
  /** The factor agent's and the outlook's turns: those of the claims are in their own answers. */
  transcript: answerShape.transcript,
  usage: answerShape.usage,
  provenance,
  sealVersion: answerShape.sealVersion,
  /** `sha256:…` of all of the above. */
  seal: answerShape.seal,
});

/** The debate trace: everything that was read, claimed, argued and decided about a dossier. */
export interface Analysis extends Described<z.infer<typeof analysisSchema>> {}

/** Reads a debate trace from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readAnalysis(json: string, name: string): Analysis {
  return parseAnswer(analysisSchema, json, name, {
    code: 'not-an-analysis',
    what: 'an analysis',
    hint: {
      library: 'Pass the JSON of a debate trace.',
      cli: 'Pass a trace written by agon analyze --json or --report trace.json.',
    },
  });
}
