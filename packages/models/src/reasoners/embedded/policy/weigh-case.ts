import type { CaseReading, ReadPart } from '../case-reading.ts';
import type { NearClause } from '../clauses.ts';
import { weighUnderPolicy, type PolicyFinding, type PolicyReader, type PolicyRisk } from './policy-reader.ts';

/** A case as the guard read it, weighed by what the policy forbids. */
export interface WeighedCase {
  /** The reading, whose worst part and passages are those that break the policy most. */
  reading: CaseReading;
  /** The logit of the worst part, and of the subject alone. */
  worst: number;
  subject: number;
  /** The clause that the worst part falls under, where the policy is not the default one. */
  named: NearClause | null;
  /** The kind of harm that the guard sees and the policy does not forbid. */
  beyond: NearClause | null;
  /** What the policy makes of the worst part. */
  finding: PolicyFinding;
}

interface WeighingParts {
  policy: PolicyReader;
  /** The calibrated logit from which a part is unsafe. */
  bar: number;
  /** The embedding that tells which clause a part is near to. */
  landmarkOf(part: ReadPart, isRisky: boolean): Promise<Float32Array>;
  signal: AbortSignal;
}

/** Weighs the subject and what was hidden in it: what the policy does not forbid does not count. */
export async function weighCase(reading: CaseReading, parts: WeighingParts): Promise<WeighedCase> {
  const [subject, hidden] = await Promise.all([
    weighPart(reading.subject, parts),
    reading.worst === reading.subject ? null : weighPart(reading.worst, parts),
  ]);
  const worst = hidden ?? subject;
  const isOutweighed = subject.logit > worst.logit && (subject.own !== null || worst.finding.reach.share < 1);
  const { part, logit, own, finding } = isOutweighed ? subject : worst;
  const { reach } = finding;
  return {
    reading: {
      ...reading,
      subject: subject.part,
      worst: own ? { ...part, risky: [own.passage] } : part,
    },
    worst: logit,
    subject: subject.logit,
    named: own ? own.clause : reach.under,
    beyond: part.logit >= parts.bar ? reach.beyond : null,
    finding,
  };
}

interface WeighedPart extends PolicyRisk {
  part: ReadPart;
  finding: PolicyFinding;
}

async function weighPart(part: ReadPart, parts: WeighingParts): Promise<WeighedPart> {
  const { policy, bar, landmarkOf, signal } = parts;
  const read = {
    text: part.source.text,
    embed: async () => part.embedding,
    embedLandmark: () => landmarkOf(part, part.logit >= bar),
  };
  const finding = await policy.judge(read, signal);
  return { part, finding, ...weighUnderPolicy(part.logit, bar, finding) };
}
