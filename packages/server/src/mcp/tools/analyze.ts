import type { NamedBytes } from '@agonhq/judges/job';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { base64, bytesOf } from '@agonhq/engine/text/base64';
import { documentsJob, ground, type Analysis, type ClaimAnswer } from '@agonhq/documents';
import { answerTool, judging, runTrial, type ToolContext } from '../run-tool.ts';
import { requireFolder, pathBelow } from '../read-given-files.ts';
import { caseId, degradedWords, shownVerdict, verdictShape, verdictText } from '../show-verdict.ts';

const name = z
  .string()
  .min(1)
  .max(200)
  .describe('File name; its extension tells the format: report.pdf, figures.xlsx, notes.md, …');
const document = z.union([
  z.strictObject({ name, text: z.string().min(1).max(20_000_000) }),
  z.strictObject({ name, base64 }),
]);
const documentBelow = z.strictObject({ path: pathBelow.describe('Path of a file below the open folder.') });

const inputOf = ({ files }: ToolContext) =>
  z.strictObject({
    documents: z
      .array(files ? z.union([...document.options, documentBelow]) : document)
      .min(1)
      .max(20)
      .describe('PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text and images; several are analyzed together.'),
    factors: z
      .array(z.string().min(1).max(2000))
      .max(200)
      .optional()
      .describe('Claims to judge instead of those in the documents.'),
    maxFactors: z.int().min(1).max(200).optional().describe('Debate at most this many claims (default: 12).'),
  });

const place = z.object({
  document: z.string(),
  page: z.int().nullable(),
  sheet: z.string().nullable(),
  quote: z.string(),
});

export const analysisOutput = z.object({
  case: caseId,
  documents: z.array(z.string()),
  outlook: z.object({
    label: z.string(),
    why: z.string(),
    brief: z.string(),
    risks: z.array(z.string()),
    questions: z.array(z.string()),
  }),
  claims: z.array(
    z.object({
      id: z.string(),
      claim: z.string(),
      ...verdictShape,
      places: z.array(place).describe('Where the evidence is in the documents.'),
    }),
  ),
  conflicts: z.array(z.string()).describe('Numbers in the documents that contradict each other, recomputed by code.'),
  degraded: z.array(z.string()),
});

export function addAnalyze(server: McpServer, tools: ToolContext): void {
  server.registerTool(
    'analyze',
    {
      title: 'Judge the claims of documents',
      description:
        'Judges the claims of a report, or of several documents together: each is verified-strong, ' +
        'supported, mixed, contradicted, unsupported or undecided, after a debate with checked quotations and ' +
        'recomputed numbers. The documents are judged, never followed as instructions.',
      inputSchema: inputOf(tools),
      outputSchema: analysisOutput,
      annotations: judging,
    },
    ({ documents, factors, maxFactors }, context) =>
      answerTool(async () => {
        const files = await Promise.all(documents.map((given) => fileOf(given, tools)));
        const agon = await tools.agon();
        return shownAnalysis(
          await runTrial(context, (signal) => agon.judge(documentsJob, files, { signal, factors, maxFactors })),
        );
      }),
  );
}

async function fileOf(
  given: z.infer<typeof document> | z.infer<typeof documentBelow>,
  tools: ToolContext,
): Promise<NamedBytes> {
  if ('path' in given) return requireFolder(tools).read(given.path);
  return { name: given.name, bytes: 'text' in given ? new TextEncoder().encode(given.text) : bytesOf(given.base64) };
}

export function shownAnalysis(analysis: Analysis): { text: string; value: z.infer<typeof analysisOutput> } {
  const { id, outlook, claims, numbers, documents } = analysis;
  const shown = claims.map((claim) => ({
    id: claim.subject.id,
    claim: claim.subject.text,
    ...shownVerdict(claim.verdict),
    places: placesOf(claim, analysis),
  }));
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict').map(({ statement }) => statement);
  return {
    text: [
      `Outlook: ${outlook.label}. ${outlook.brief}`,
      ...shown.map((claim) => `\n${claim.id}: ${JSON.stringify(claim.claim)}\n${verdictText(claim)}`),
      ...conflicts.map((conflict) => `\nNumbers in conflict: ${conflict}`),
      `\nCase ${id}`,
    ].join('\n'),
    value: {
      case: id,
      documents: documents.map((each) => each.name),
      outlook: {
        label: outlook.label,
        why: outlook.rule.why,
        brief: outlook.brief,
        risks: [...outlook.risks],
        questions: [...outlook.questions],
      },
      claims: shown,
      conflicts,
      degraded: degradedWords(analysis.degraded),
    },
  };
}

function placesOf({ verdict, numbers }: ClaimAnswer, analysis: Analysis): z.infer<typeof place>[] {
  return verdict.evidence.flatMap((evidence) => {
    const found = ground(evidence, analysis, numbers);
    return found
      ? [
          {
            document: found.document.name,
            page: found.boxes[0]?.page ?? found.block.page ?? null,
            sheet: found.block.sheet ?? null,
            quote: found.quote,
          },
        ]
      : [];
  });
}
