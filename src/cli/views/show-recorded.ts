import { findTurns, type Answer, type CaseFile, type Computed } from '../../debate/index.ts';
import type { Analysis } from '../../jobs/documents/index.ts';
import type { EvaluationAnswer } from '../../jobs/evaluation/index.ts';
import type { ModerationAnswer } from '../../jobs/moderation/index.ts';
import { renderAnalysis } from './show-analysis.ts';
import type { DebateState } from './debate-state.ts';
import { renderEvaluation } from './show-evaluation.ts';
import { renderEvaluationVerdict, renderVerdict } from './show-verdict.ts';
import { renderModeration } from './show-moderation.ts';

/** An answer of any job, as it stands in the ledger. */
export type RecordedAnswer = ModerationAnswer | EvaluationAnswer | Analysis;

/** A trial from its record, as it was shown when it was held; `quiet`, the verdict alone. */
export function renderRecorded(answer: RecordedAnswer, width: number, quiet = false): string[] {
  if (isAnalysis(answer)) return renderAnalysis(answer, width);
  if (isEvaluation(answer)) {
    const { turns, model } = answer.subject;
    return [
      ...(quiet ? [] : linesOf(renderEvaluation(stateOf(answer, { sources: answer.sources, turns, model }), width))),
      ...renderEvaluationVerdict(answer, width),
    ];
  }
  const { modality, images } = answer.subject;
  return [
    ...(quiet ? [] : linesOf(renderModeration(stateOf(answer, { sources: answer.sources, modality, images }), width))),
    ...renderVerdict(answer, width),
  ];
}

const isAnalysis = (answer: RecordedAnswer): answer is Analysis => answer.job === 'documents';
const isEvaluation = (answer: ModerationAnswer | EvaluationAnswer): answer is EvaluationAnswer =>
  answer.job === 'evaluation';
const linesOf = (blocks: readonly { lines: string[] }[]) => blocks.flatMap(({ lines }) => lines);

function stateOf<File extends CaseFile>({ transcript }: Pick<Answer, 'transcript'>, caseFile: File): DebateState<File> {
  const turns = findTurns(transcript);
  const stops = new Map(
    transcript.flatMap((entry) => (entry.kind === 'stop' ? [[entry.round, entry.reason] as const] : [])),
  );
  const rounds = new Set(turns.flatMap(({ round }) => (round === null ? [] : [round])));
  return {
    caseFile,
    turns: turns.map((turn) => ({
      seat: turn.seat,
      key: turn.key,
      round: turn.round,
      reasoner: turn.reasoner,
      statement: turn.statement,
      turn,
      replayed: false,
    })),
    computed: transcript.filter((entry): entry is Computed => entry.kind === 'computed'),
    rounds: [...rounds].map((round) => ({ round, stop: stops.get(round) ?? null })),
  };
}
