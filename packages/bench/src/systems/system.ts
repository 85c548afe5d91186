import {
  findTurns,
  type Answer,
  type Calibration,
  type Transcript,
  type Usage,
  type Verdict,
} from '@agonhq/engine/debate';
import type { Settings } from '@agonhq/core/settings';
import { readScore } from '@agonhq/engine/statistics';
import { shortenWithin } from '@agonhq/engine/text';
import type { BenchItemResult, ResultTurn, SystemKind } from '../result.ts';

/** What a system says of one item. */
export interface SystemJudgement<Label extends string = string> {
  label: Label;
  score: number | null;
  probability: number | null;
  usage?: Usage;
  /** Its own time, where it is not how long it took to ask: null where nobody knows. */
  latencyMs?: number | null;
  byModel?: Readonly<Record<string, Usage>>;
  /** What its seats said before anyone had heard anyone. */
  opening?: { label: Label; score: number | null } | null;
  rule?: string;
  turns?: BenchItemResult['turns'];
  /** What a system of somebody else answered, in its own words. */
  said?: string;
  /** The whole verdict, for whoever reads the results file. */
  verdict?: Verdict<string>;
}

/**
 * What an answer says in numbers: the score that calibrations are fitted on, and the risk where it is a probability.
 */
export function readFigures({
  verdict: { risk },
  provenance: { calibration },
}: Pick<Answer, 'verdict' | 'provenance'>): Pick<SystemJudgement, 'score' | 'probability'> {
  return { score: risk === null ? null : readScore(risk, calibration ?? null), probability: calibration ? risk : null };
}

/** Which item is judged, for those who know more of it than its subject. */
export interface ItemPlace {
  line: number;
  id?: string;
  /** What a control may spend on it: the tokens of the debate it is held against. */
  tokens?: number | null;
}

/** A system that is ready to judge, until it is closed. */
export interface ReadySystem {
  name: string;
  /** Changes when a judgement may change: results of another configuration are not taken up again. */
  configuration: string;
  spent(): Usage;
  close(): Promise<void>;
}

/** What is measured: a full debate, one without a part, the bare guard model, anything that judges a subject. */
export interface BenchSystem<Subject, Said extends SystemJudgement = SystemJudgement> extends Pick<
  ReadySystem,
  'name' | 'configuration'
> {
  /** What a calibration is fitted for, where that is less than the configuration. */
  setup?: string;
  /** By id, which files of the models that run in Agon itself. */
  digests?: Readonly<Record<string, string>> | undefined;
  /** What makes its probabilities, where it is calibrated. */
  calibration?: Calibration;
  judge(subject: Subject, signal: AbortSignal, place: ItemPlace): Promise<Said>;
}

/** The same until it is closed. */
export interface OpenSystem<Subject, Said extends SystemJudgement = SystemJudgement>
  extends BenchSystem<Subject, Said>, ReadySystem {}

/** What tables tell systems apart by. */
export interface SystemDescription {
  name: string;
  kind: SystemKind;
  /** Each once; none where no model is asked. */
  models: readonly string[];
  /** For an ablation or a control: the debate it belongs to. */
  of: string | null;
  rounds: number | null;
  /** What it judges by, as a run would be told; absent where no debate or method of ours is held. */
  settings?: Settings;
}

/** One who is measured: for each repeat a system, whose answers are its own. */
export interface MeasuredSystem<System extends ReadySystem = ReadySystem> extends SystemDescription {
  repeats: readonly System[];
  /** What a reader must know, given the items it is measured on. */
  notesOn?(items: readonly { id?: string | null; line: number }[]): string[];
}

const mostCharacters = 700;
const mostQuotes = 6;

/** What a bench keeps of an answer beside its label and score. */
export function condenseAnswer({
  usage,
  verdict,
  transcript,
}: Pick<Answer, 'usage' | 'transcript'> & { verdict: { rule: { id: string } } }): {
  usage: Usage;
  byModel: Record<string, Usage>;
  rule: string;
  turns: ResultTurn[];
} {
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd, byModel } = usage;
  return {
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
    byModel,
    rule: verdict.rule.id,
    turns: condenseTurns(transcript),
  };
}

function condenseTurns(transcript: Transcript): ResultTurn[] {
  return findTurns(transcript).map(({ key, seat, round, statement, score, evidence, answer, fallback }) => ({
    key,
    seat,
    round,
    statement: shortenWithin(statement, mostCharacters),
    score,
    label: labelIn(answer),
    quotes: evidence
      .slice(0, mostQuotes)
      .map(({ quote, verified }) => ({ text: shortenWithin(quote, mostCharacters), verified })),
    fallback: fallback?.reason ?? null,
  }));
}

function labelIn(answer: unknown): string | null {
  const label = typeof answer === 'object' && answer !== null ? (answer as { label?: unknown }).label : null;
  return typeof label === 'string' ? label : null;
}
