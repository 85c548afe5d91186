import { createAgon, type Curator } from '../../app/index.ts';
import { withoutLedger, type BenchSystem, type Learner, type SafetyJudgement } from '../../bench/index.ts';
import { addUsage, memoryJournal, type Usage } from '../../debate/index.ts';
import { curate, openAdmission, postMortemOf, precedentOf, readLesson, worked } from '../../learning/index.ts';
import { moderationJob, type Content, type ModerationAnswer } from '../../jobs/moderation/index.ts';
import { memoryPrecedentStore, openLibrary, type KeptPrecedent } from '../../precedents/index.ts';
import type { Settings } from '../../settings/index.ts';
import { assertAffordable } from '../../runs/index.ts';

/** Both conditions of the learning experiment, and what they have cost. */
export interface LearningPair {
  control: BenchSystem<Content, SafetyJudgement>;
  learner: Learner;
  models: Record<string, string>;
  spent(): Usage;
  close(): Promise<void>;
}

export interface LearnerOptions {
  /** Name of the data: its items are never shown to their own batch. */
  dataset: string;
  mode: 'failures' | 'all';
  curator: Curator;
  /** Cases studied at once. */
  concurrency: number;
}

/** A learner that starts with an empty library in memory (no seeds), and its control, whose library stays empty. */
export async function openLearningPair(
  settings: Settings,
  { dataset, mode, curator, concurrency }: LearnerOptions,
): Promise<LearningPair> {
  // A calibration belongs to a library, and this one grows.
  const plain = { ...withoutLedger(settings), calibration: false as const };
  const store = memoryPrecedentStore();
  const library = await openLibrary({ seeds: [], store, embedder: curator.embedder });
  const empty = await openLibrary({ seeds: [], store: null, embedder: curator.embedder });
  const [without, withMemory] = await Promise.all(
    [empty, library].map((precedents) => createAgon(plain, { jobs: ['moderation'], precedents })),
  );
  const answers = new Map<Content, ModerationAnswer>();

  return {
    control: {
      name: 'zero-shot',
      configuration: without!.provenanceOf(moderationJob).configuration,
      judge: async (content, signal) => toJudgement(assertAffordable(await without!.moderate(content, { signal }))),
    },
    learner: {
      during: (batch) => ({
        name: `learning, batch ${batch}`,
        configuration: withMemory!.provenanceOf(moderationJob).configuration,
        async judge(content, signal) {
          const answer = assertAffordable(
            await withMemory!.moderate(content, { signal, unseen: { datasets: [dataset], beforeBatch: batch } }),
          );
          answers.set(content, answer);
          return toJudgement(answer);
        },
      }),
      async after(batch, items) {
        const admission = openAdmission({ seeds: [], store, library });
        const failed = ({ label, answer }: Judged) => answer.verdict.label !== label;
        const judged = items.flatMap(({ subject, label }): Judged[] => {
          const answer = answers.get(subject as Content);
          return answer ? [{ answer, label }] : [];
        });
        let learnt = 0;
        const taken = mode === 'all' ? judged : judged.filter(failed);
        for await (const precedent of worked(taken, concurrency, (one) =>
          studyAnswer(one, { batch, dataset, curator }),
        )) {
          if (precedent && (await admission.admit(precedent)).outcome === 'learnt') learnt += 1;
        }
        answers.clear();
        await library.refresh();
        return { library: (await library.health()).size, learnt, leftOut: taken.length - learnt };
      },
    },
    models: without!.provenanceOf(moderationJob).models,
    spent: () => [without!.spent(), withMemory!.spent(), curator.spent()].reduce(addUsage),
    async close() {
      await Promise.all([without!.close(), withMemory!.close()]);
    },
  };
}

interface Judged {
  answer: ModerationAnswer;
  label: 'safe' | 'unsafe';
}

/** What an item teaches; null if the lesson is not valid. */
async function studyAnswer(
  { answer, label }: Judged,
  { batch, dataset, curator: { curator, policy, secret } }: { batch: number; dataset: string; curator: Curator },
): Promise<KeptPrecedent | null> {
  const studied = postMortemOf(answer, { label, why: null, clause: null, by: `dataset:${dataset}` });
  const { turn } = await curate(studied, {
    debate: answer.id,
    policy,
    reasoner: curator.under(policy),
    journal: memoryJournal(),
    secret,
  });
  const read = readLesson(turn, studied);
  return 'problem' in read
    ? null
    : precedentOf(read, studied, {
        case: answer.id,
        subject: answer.subject.hash,
        policy,
        curator: turn.reasoner,
        dataset,
        batch,
        at: new Date(),
      });
}

function toJudgement({
  verdict,
  usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
}: ModerationAnswer) {
  return {
    label: verdict.label,
    score: verdict.score,
    probability: verdict.probability,
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
  };
}
