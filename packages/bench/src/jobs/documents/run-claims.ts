import { z } from 'zod';
import type { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { claimLabels } from '@agonhq/documents';
import { isMistake, runItems } from '@agonhq/core/runs';
import type { Dataset } from '../../datasets/read-dataset.ts';
import { debateSchema, readJudgedResults, usageSchema, type RecordStore, type Results } from '../../systems/results.ts';
import { inTurn, type RunOptions, type RunOutcome, type SystemRun } from '../../systems/run-system.ts';
import { type LabelledClaim, openClaimSource } from './labelled-claim.ts';

const count = z.number().min(0);

const judgedClaimSchema = debateSchema.omit({ rule: true }).extend({
  /** The item's key in the data. */
  key: z.string(),
  label: z.enum(claimLabels),
  score: z.number().nullable(),
  rule: z.string(),
  /** The numbers of the parts it cites, where the document counts its parts; null where it does not. */
  cited: z.array(z.number()).nullable(),
  usage: usageSchema,
  /** What the opening alone would have concluded. */
  opening: z.enum(claimLabels).nullable().default(null),
  /** Null where somebody else took it, and does not say. */
  latencyMs: count.nullable(),
});
export const claimRecordSchema = z.object({ claims: z.array(judgedClaimSchema) });

/** What became of one claim, as it is kept. */
export type JudgedClaim = z.infer<typeof judgedClaimSchema>;

/** Judgements by the key of their document, those of earlier runs included. */
export type ClaimResults = Results<readonly JudgedClaim[]>;

export async function readClaimResults(store: RecordStore | null): Promise<ClaimResults> {
  return readJudgedResults(
    claimRecordSchema.transform(({ claims }) => claims),
    store,
  );
}

/** What is measured: a debate, or one of the judges it is held against. */
export interface ClaimSystem {
  name: string;
  /** Changes when a judgement may change. */
  configuration: string;
  /** Judges claims against one document; one that is left out has failed. */
  examine(group: ClaimGroup, signal: AbortSignal): Promise<JudgedClaim[]>;
}

/** The claims of one document. */
export interface ClaimGroup {
  claims: readonly PlacedClaim[];
  open(): Promise<{ name: string; bytes: Uint8Array }>;
}

export interface PlacedClaim {
  /** Under which its judgement is found again. */
  key: string;
  line: number;
  item: LabelledClaim;
  /** What a control may spend on it. */
  tokens: number | null;
}

export type ClaimOutcome = RunOutcome<LabelledClaim, JudgedClaim>;

/** One system over one set of claims. */
export type ClaimRun = SystemRun<LabelledClaim, JudgedClaim>;

/** Judges every claim of the data; a document is read once for all its claims. */
export async function runClaims(
  system: ClaimSystem,
  data: Pick<Dataset<LabelledClaim>, 'lines' | 'root'>,
  options: RunOptions & { results: ClaimResults },
): Promise<ClaimRun> {
  const { results, repeat = 1, tokens, ...conditions } = options;
  const groups = groupsOf(system, data, repeat);
  const problems = new Map<number, AgonError>();
  const noted = (error: AgonError, line: number) => {
    problems.set(line, error);
    conditions.onError?.(error, line);
  };
  for (const line of data.lines) if ('error' in line) noted(line.error, line.line);
  const started = performance.now();
  const summary = await runItems<PlacedClaim[], { claims: JudgedClaim[] }>({
    ...conditions,
    onError: noted,
    items: inTurn(groups),
    judge: async (claims, signal) => ({
      claims: await system.examine(
        {
          claims: claims.map((claim) => ({ ...claim, tokens: tokens?.get(claim.key) ?? null })),
          open: () => openClaimSource(claims[0]!.item.source, data.root),
        },
        signal,
      ),
    }),
    write: results.write,
    done: new Set(results.judged.keys()),
    total: groups.length,
    isFatal: isMistake,
  });
  const seconds = (performance.now() - started) / 1000;
  const documentOf = new Map(groups.flatMap(({ key, item }) => item.map((claim) => [claim.key, key] as const)));
  const judged = new Map(
    groups.flatMap(({ key }) => (results.judged.get(key) ?? []).map((one) => [one.key, one] as const)),
  );
  const outcomes = data.lines.map((line): ClaimOutcome =>
    'item' in line
      ? { line: line.line, item: line.item, judged: judged.get(line.key) ?? null }
      : { line: line.line, item: null, judged: null },
  );
  return {
    system,
    outcomes,
    keys: data.lines.map(({ key }) => (documentOf.has(key) ? { key: documentOf.get(key)!, claim: key } : null)),
    problems: spread(problems, groups),
    judged: outcomes.flatMap((outcome) => outcome.judged ?? []),
    itemsPerSecond: summary.judged === 0 ? null : outcomes.filter((outcome) => outcome.judged).length / seconds,
    summary,
  };
}

type Grouped = { line: number; key: string; item: PlacedClaim[] };

function groupsOf(system: ClaimSystem, { lines }: Pick<Dataset<LabelledClaim>, 'lines'>, repeat: number): Grouped[] {
  const read = lines.flatMap((line) => ('item' in line ? [line] : []));
  return [...Map.groupBy(read, ({ item }) => hashOf(item.source))].map(([source, lines]) => {
    const claims = lines.map(({ key, line, item }) => ({ key, line, item, tokens: null }));
    const made = hashOf([system.configuration, source, claims.map(({ key, item }) => [key, item.claim])]).slice(7, 23);
    return {
      line: lines[0]!.line,
      key: `${system.name}/${repeat === 1 ? '' : `repeat-${repeat}/`}${made}`,
      item: claims,
    };
  });
}

/** What befell a document befell all its claims. */
function spread(problems: ReadonlyMap<number, AgonError>, groups: readonly Grouped[]): Map<number, AgonError> {
  const ofGroups = groups.flatMap(({ line, item }) =>
    problems.has(line) ? item.map((claim) => [claim.line, problems.get(line)!] as const) : [],
  );
  return new Map([...problems, ...ofGroups]);
}
