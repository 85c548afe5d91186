import { z } from 'zod';
import type { Difference } from '@agonhq/judges/job/job-answer';
import type { JobItems, StoredFile } from '@agonhq/judges/job/job-inputs';
import type { Job } from '@agonhq/judges/job/job';
import {
  parseStored,
  assertNoLocalFiles,
  identified,
  namedBy,
  oneOrMore,
  parseItem,
  readStoredBytes,
  storedFileSchema,
} from '@agonhq/judges/job/stored-items';
import type { JobCorrections } from '@agonhq/judges/job/correction';
import { claimLabels, type Analysis } from './analysis.ts';
import { documentsBlock } from './block.ts';
import { describeMatter } from './corrections/index.ts';
import type { Dossier } from './document.ts';
import { listFindings } from './findings/list-findings.ts';
import { openDocuments, type Documents } from './open-documents.ts';
import { documentMethods, documentSeats } from './plan.ts';
import { readAnalysis } from './analysis-schema.ts';
import { writeAnalysisMarkdown, reportFiles, writeAnalysisSummary } from './report/index.ts';
import { documentsRequest } from './request.ts';
import { addNamedRows } from './ingest/index.ts';
import { documentsSettings } from './settings.ts';
import type { AnalysisEvent, AnalyzeOptions } from './setup.ts';
import { verifyAnalysis } from './verify-analysis.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { contextSchema, gatherContext } from '@agonhq/engine/items/item-context';
import { hashContext, knownContext } from '@agonhq/judges/job/shown-context';
import type { RecalledEvents } from '@agonhq/judges/job/job-trial';

/** Without what was sent before, or is in the answer. */
function trimEvent(event: AnalysisEvent): object {
  if (event.type === 'dossier-ready') {
    const { dossier, numbers, ...rest } = event;
    return { ...rest, documents: dossier.documents.map(describeDocument), numbers: numbers.length };
  }
  if (event.type === 'claim-end') {
    const { transcript: _, ...answer } = event.answer;
    return { ...event, answer };
  }
  return event;
}

/** What was told while documents were judged, from their analysis. */
function recallEvents({ documents, numbers, claims, transcript }: Analysis): RecalledEvents[] {
  const scope = null;
  return [
    {
      type: 'dossier-ready',
      scope,
      data: { documents: documents.map(describeDocument), numbers: numbers.length },
    },
    { type: 'claims-ready', scope, data: { claims: claims.map(({ subject }) => subject) } },
    ...claims.flatMap(({ transcript: argued, ...answer }): RecalledEvents[] => {
      const { subject } = answer;
      return [
        { type: 'claim-start', scope: subject.id, data: { claim: subject } },
        { scope: subject.id, transcript: argued },
        { type: 'claim-end', scope: subject.id, data: { answer } },
      ];
    }),
    { scope, transcript },
  ];
}

function describeDocument({ name, kind, hash, blocks }: Analysis['documents'][number]) {
  return { name, kind, hash, blocks: blocks.length };
}

const itemSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { file: value } : value),
  identified.extend({ file: oneOrMore, files: oneOrMore, claims: oneOrMore, context: contextSchema.nullish() }),
);

const storedSchema = z.strictObject({
  id: z.string().optional(),
  files: z.array(storedFileSchema).min(1),
  /** The user's own claims, instead of those that the documents make. */
  claims: z.array(z.string()).optional(),
  context: contextSchema.optional(),
});

const hint = 'An item has a "file" or "files" that belong together, and may have an "id", "claims" and a "context".';

/** How files that are analysed together are written in files of items. */
const documentItems: JobItems<Documents, AnalyzeOptions> = {
  fields: ['id', 'label', 'file', 'files', 'claims', 'context'],
  families: ['context'],
  parts: [['file'], ['files']],
  lists: ['files', 'claims'],
  example: '{"id":"1","file":"report.pdf"}',
  files: 'document',
  bareText: true,
  readLabel: (label) => label,

  async readItem(value, keepFile) {
    const item = parseItem(itemSchema, gatherContext(value), hint);
    const { id, file, files: more, claims } = item;
    const paths = [...(file ?? []), ...(more ?? [])].filter((one) => one.trim() !== '');
    if (paths.length === 0) throw new AgonError('broken-line', 'The item names no file.', hint);
    const stored: StoredFile[] = [];
    for (const one of paths) stored.push(await keepFile(one));
    const dossier = { files: stored, ...(claims && claims.length > 0 ? { claims } : {}) };
    const context = knownContext(item);
    const input = { ...namedBy(id), ...dossier, ...context };
    return { ...namedBy(id), input, hash: hashOf(dossier) + hashContext(context) };
  },

  async openItem(stored, files) {
    const { files: named, claims, context } = parseStored(storedSchema, stored);
    assertNoLocalFiles(named, files);
    const opened = named.map(async (file) =>
      'file' in file ? file.file : { name: file.name, bytes: await readStoredBytes(file.attachment, file.name, files) },
    );
    const options = { ...(claims ? { factors: claims } : {}), ...knownContext({ context }) };
    return { input: await Promise.all(opened), options };
  },
};

/** How the verdicts on claims are corrected, and what is kept of a claim that was. */
const documentCorrections: JobCorrections<Analysis> = {
  labels: claimLabels,
  listClaims: (analysis) =>
    analysis.claims.map(({ subject, verdict, sources, numbers }) => ({
      id: subject.id,
      text: subject.text,
      label: verdict.label,
      describeMatter: () => describeMatter(subject, { dossier: analysis, sources, numbers, all: analysis.numbers }),
    })),
  listFindings: (analysis) => listFindings(analysis),
  listRecalled: ({ claims }) => {
    const recalled = claims.flatMap(({ corrections = [] }) => corrections);
    return [...new Map(recalled.map((one) => [one.id, { ...one, at: new Date(one.at), withdrawn: null }])).values()];
  },
};

/** Documents (AETHER): does what these reports claim hold? */
export const documentsJob: Job<Documents, Analysis, AnalysisEvent, AnalyzeOptions> = {
  ...documentsBlock,
  title: 'Documents',
  description: 'Does what these reports claim hold?',
  casePrefix: 'docs',
  subject: 'documents',
  labels: ['positive', 'mixed', 'negative', 'undecided'],
  methods: documentMethods,
  // One model for all.
  paperSeats: {
    'factor-agent': 'openai:gpt-4-turbo',
    affirmative: 'openai:gpt-4-turbo',
    dissenting: 'openai:gpt-4-turbo',
    synthesizer: 'openai:gpt-4-turbo',
  },
  usesPolicy: false,
  corrections: documentCorrections,
  items: documentItems,
  request: documentsRequest,

  needs: () => ({ precedentSeat: null, clauseExamples: false, secondModel: false }),
  open: openDocuments,
  readAnswer: readAnalysis,

  async verify(analysis, { sources, settings, readDocuments }) {
    if (!sources) return verifyAnalysis(analysis);
    const { limits } = documentsSettings.parse(settings);
    // As it was read the first time: OCR only where it read something.
    const ocr = analysis.documents.some(({ pages }) => pages?.some((page) => page.ocr));
    const own = analysis.claims.filter(({ subject }) => subject.origin === null).map(({ subject }) => subject.text);
    return verifyAnalysis(analysis, addNamedRows((await readDocuments(sources, { ocr, limits })) as Dossier, own));
  },

  listFiles: ({ documents }) => documents.map(({ name, hash }) => ({ name, hash })),

  summarize: ({ outlook: { label, rule }, claims }) => ({
    label,
    risk: null,
    bar: null,
    escalate: claims.some(({ verdict }) => verdict.escalate),
    rule,
    categories: [],
  }),
  // Every claim has sides of its own, and none of them speaks for the outlook.
  index: ({ claims, degraded }) => ({
    categories: [],
    degraded: [{ degraded }, ...claims.map(({ verdict }) => verdict)].some((each) => (each.degraded ?? []).length > 0),
    modality: 'documents',
    disagreement: null,
  }),
  debates: ({ claims }) => claims,
  trimEvent,
  recallEvents,
  report: {
    markdown: writeAnalysisMarkdown,
    notice: writeAnalysisSummary,
    files: reportFiles,
  },
  debateSeats: () => documentSeats.debate,
  compare: compareClaims,

  async restore(content) {
    const { documents, factors, maxFactors, context } = parseStored(recordedSchema, content);
    const options = { maxFactors, ...(factors ? { factors } : {}), ...knownContext({ context }) };
    return { input: { documents }, options };
  },
};

/** As it was read: `agon verify` reads every part of it, here its files are only handed on. */
const recordedSchema = z.looseObject({
  documents: z.custom<Dossier['documents']>(Array.isArray),
  factors: z.array(z.string()).nullable(),
  maxFactors: z.number(),
  context: contextSchema.optional(),
});

/** Claims are told apart by their words: a factor agent that is asked again may number them otherwise. */
function compareClaims(before: Analysis, after: Analysis): Difference[] {
  const labels = (analysis: Analysis) =>
    new Map(analysis.claims.map(({ subject, verdict }) => [subject.text, `${verdict.label}, by ${verdict.rule.id}`]));
  const [first, second] = [labels(before), labels(after)];
  const moved = [...new Set([...first.keys(), ...second.keys()])].flatMap((at) => {
    const [earlier = 'not judged', later = 'not judged'] = [first.get(at), second.get(at)];
    return earlier === later ? [] : [{ at, before: earlier, after: later }];
  });
  const outlook = (analysis: Analysis) => `${analysis.outlook.label}, by ${analysis.outlook.rule.id}`;
  return outlook(before) === outlook(after)
    ? moved
    : [...moved, { at: 'outlook', before: outlook(before), after: outlook(after) }];
}
