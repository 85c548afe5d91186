import type { Jobs } from '@agonhq/judges/job';
import type { Case, Ledger } from '@agonhq/ledger';

/** The version of the JSON shape of an audit. */
export const auditVersion = 1;

/** A precedent that was shown in decided cases, and what taking it away would do to them. */
export interface AuditedPrecedent {
  id: string;
  /** Cases it was shown in. */
  shown: number;
  /** Wrong with it and right without it. */
  hurt: readonly string[];
  /** Right with it and wrong without it. */
  helped: readonly string[];
}

/** What `agon learn --audit --json` prints. */
export interface Audit {
  version: typeof auditVersion;
  cases: number;
  /** Right verdicts with today's library, and without all that is proposed to be retired. */
  right: number;
  rightWithout: number;
  /** Precedents that were shown. */
  audited: number;
  /** Those whose removal raises the number of right verdicts, the most harmful first. */
  harmful: readonly AuditedPrecedent[];
}

/** Judges a case with today's library, less some precedents; says what it was shown. */
export type JudgeWithout = (
  record: Case,
  without: readonly string[],
) => Promise<{ label: string; shown: readonly string[] }>;

/** A decided case that can be judged again. */
export interface AuditedCase {
  record: Case;
  truth: 'safe' | 'unsafe';
}

/** The cases that were decided last, one for each content. */
export async function recentlyDecided(jobs: Jobs, ledger: Ledger, limit: number): Promise<AuditedCase[]> {
  const ids: { id: string; truth: 'safe' | 'unsafe' }[] = [];
  for await (const { case: id, label } of ledger.decisions.readStandingDecisions()) ids.push({ id, truth: label });
  const bySubject = new Map<string, AuditedCase>();
  for (const { id, truth } of ids.toReversed()) {
    if (bySubject.size === limit) break;
    const record = await ledger.cases.findCase(id);
    if (
      record &&
      jobs.find(record.job)?.learning &&
      record.forgottenAt === null &&
      record.content !== null &&
      !bySubject.has(record.subject)
    )
      bySubject.set(record.subject, { record, truth });
  }
  return [...bySubject.values()];
}

/** Holds every case with all precedents and with each of those it is shown left out, and names those that do harm. */
export async function audit(
  cases: readonly AuditedCase[],
  judge: JudgeWithout,
  onProgress?: (done: number) => void,
): Promise<Audit> {
  const tallies = new Map<string, { shown: number; hurt: string[]; helped: string[] }>();
  const right = new Set<string>();
  for (const [index, { record, truth }] of cases.entries()) {
    const before = await judge(record, []);
    if (before.label === truth) right.add(record.id);
    for (const id of before.shown) {
      const tally = tallies.get(id) ?? { shown: 0, hurt: [], helped: [] };
      tallies.set(id, tally);
      tally.shown += 1;
      const after = await judge(record, [id]);
      if ((after.label === truth) === (before.label === truth)) continue;
      (after.label === truth ? tally.hurt : tally.helped).push(record.id);
    }
    onProgress?.(index + 1);
  }
  const net = ({ hurt, helped }: AuditedPrecedent) => hurt.length - helped.length;
  const suspects = [...tallies]
    .map(([id, tally]): AuditedPrecedent => ({ id, ...tally }))
    .filter((precedent) => net(precedent) > 0)
    .sort((a, b) => net(b) - net(a) || (a.id < b.id ? -1 : 1));
  const { harmful, rightWithout } = await together(suspects, cases, judge, right.size);
  return {
    version: auditVersion,
    cases: cases.length,
    right: right.size,
    rightWithout,
    audited: tallies.size,
    harmful,
  };
}

/** Each for itself does harm; all of them gone may do more. Then only the worst is named. */
async function together(
  suspects: readonly AuditedPrecedent[],
  cases: readonly AuditedCase[],
  judge: JudgeWithout,
  right: number,
) {
  const [worst] = suspects;
  if (!worst) return { harmful: suspects, rightWithout: right };
  const gain = worst.hurt.length - worst.helped.length;
  if (suspects.length === 1) return { harmful: suspects, rightWithout: right + gain };
  const ids = suspects.map(({ id }) => id);
  let rightWithout = 0;
  for (const { record, truth } of cases) if ((await judge(record, ids)).label === truth) rightWithout += 1;
  return rightWithout >= right + gain
    ? { harmful: suspects, rightWithout }
    : { harmful: [worst], rightWithout: right + gain };
}
