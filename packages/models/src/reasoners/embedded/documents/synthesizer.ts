import type { Question } from '@agonhq/engine/debate';
import { explainUnshown, type Synthesis, type DocumentCaseFile } from '@agonhq/documents';
import { toOneLine } from '@agonhq/engine/text';
import { quoted } from '../phrase-arguments.ts';
import { decideOutcome, readClaimCase } from './read-case.ts';
import { listDissent } from './dissenting.ts';
import type { Weighed } from './weighing/signal.ts';

const findings: Record<Weighed['side'], string> = {
  support: 'The document bears the claim out.',
  contradiction: 'The document says otherwise.',
  unknown: 'The document does not bear the claim out.',
};

/** The synthesizer and the single examiner: what the document says to the claim, as findings that code decides from. */
export async function answerSynthesizer(question: Question<DocumentCaseFile>): Promise<Synthesis> {
  const reading = readClaimCase(question);
  const { side, score, partial } = decideOutcome(reading);
  const { support, against, signals, conflicts, confirmed } = reading;
  const attacks = listDissent(question.transcript);
  const standing = attacks.flatMap(({ evidence, kind }, index) => {
    const numeric = conflicts.some(({ statement }) => evidence.includes(statement));
    // Nothing in the document can say which of two causes weighed more.
    return numeric || kind === 'alternative-explanation' || (side !== 'support' && kind !== 'fallacy')
      ? [index + 1]
      : [];
  });
  const quotes = Array.from(new Set(against.flatMap((signal) => signal.quotes))).slice(0, 3);
  const reasons = (side === 'support' ? signals.filter(({ weight }) => weight >= 0) : against)
    .map(({ why }) => why)
    .slice(0, 3)
    .join(' ');
  const agreed = confirmed[0]
    ? `The numbers agree: ${confirmed[0].arithmetic}.`
    : `The nearest passage says so: ${quoted(support[0] ?? '')}.`;
  const supportWhy =
    side === 'support'
      ? reasons || agreed
      : `${explainUnshown(question.caseFile.claim, question.caseFile.dossier)} ${reasons}`.trim();
  return {
    statement: [findings[side], reasons, ...tellCorrections(question.caseFile)].join(' ').replaceAll('  ', ' ').trim(),
    support: {
      why: supportWhy,
      evidence: side === 'support' ? [...support] : [],
      holds: side === 'support',
      strength: side === 'support' ? (partial ? 'partial' : 'full') : 'none',
    },
    contradiction: {
      why: side === 'contradiction' ? reasons : '',
      evidence: side === 'contradiction' ? quotes : [],
      holds: side === 'contradiction',
    },
    standing,
    confidence: Math.min(1, Math.abs(score - 0.5) * 2),
    score: conflicts.length > 0 && side === 'support' ? 0.5 : score,
  };
}

/** What people said of the same claim or of ones alike; code decides what it counts for. */
function tellCorrections({ corrections = [] }: DocumentCaseFile): string[] {
  return corrections.map(({ by, label, alike }) => `${toOneLine(by)} said ${label} of ${alike}.`);
}
