import type { Question } from '@agonhq/engine/debate';
import {
  writePlainBrief,
  type OutlookAnswer,
  type OutlookCaseFile,
  type ZeroShot,
  type ZeroShotCaseFile,
} from '@agonhq/documents';
import { quoted } from '../phrase-arguments.ts';
import { pattern, toOneLine } from '@agonhq/engine/text';
import { weighClaim } from './weighing/weigh-claim.ts';

/** The brief, from verdicts and number findings alone. */
export async function answerOutlook({ caseFile }: Question<OutlookCaseFile>): Promise<OutlookAnswer> {
  const { claims, numbers, observations, label, degraded } = caseFile;
  const labelled = (...labels: string[]) => claims.filter(({ verdict }) => labels.includes(verdict.label));
  const quoteWhole = (text: string) => `“${toOneLine(text).replace(/(?<![.…,;:])[.…,;:]+$/, '')}”`;
  return {
    brief: writePlainBrief(claims, numbers, degraded),
    risks: [
      ...observations.map(
        ({ of, text }) => `${of} speaks to its judges (${quoted(text)}); it was judged, not followed.`,
      ),
      ...numbers.filter(({ outcome }) => outcome === 'conflict').map(({ statement }) => statement),
      ...labelled('contradicted').map(
        ({ subject, verdict }) => `${quoteWhole(subject.text)} does not hold: ${verdict.rule.why}`,
      ),
    ].slice(0, 6),
    questions: labelled('unsupported', 'mixed', 'undecided')
      .map(({ subject, verdict }) => `What bears out ${quoteWhole(subject.text)}? ${verdict.rule.why}`)
      .slice(0, 6),
    outlook: label === 'undecided' ? 'mixed' : label,
  };
}

const good = pattern('giu')`
  \b(?:gr[eo]w\w*|increas\w+|improv\w+|strong\w*|record|robust|gain\w*|profit\w*|success\w*|exceed\w*|positive
  |higher|rose|ahead|solid|best)\b`;

const bad = pattern('giu')`
  \b(?:declin\w+|decreas\w+|loss\w*|weak\w*|fell|fall\w*|impair\w*|risk\w*|fail\w*|negative|lower|default\w*
  |adverse\w*|deficit\w*|worst|doubt\w*)\b`;

function measureTone(text: string): number {
  const [up, down] = [text.match(good)?.length ?? 0, text.match(bad)?.length ?? 0];
  return (up - down) / (up + down + 1);
}

/** The baseline: how the whole sounds, and whether a claim sounds the same. No number is read. */
export async function answerZeroShot({ caseFile }: Question<ZeroShotCaseFile>): Promise<ZeroShot> {
  const { dossier, claims } = caseFile;
  const tone = measureTone(dossier.documents.map(({ text }) => text).join('\n'));
  const outlook = tone > 0.15 ? 'positive' : tone < -0.15 ? 'negative' : 'mixed';
  const verdicts = claims.map(({ text }, index): ZeroShot['verdicts'][number] => {
    const { nearest, cover } = weighClaim(text, dossier);
    const against = measureTone(text) * tone < -0.05;
    const label = cover < 0.3 || nearest.length === 0 ? 'unsupported' : against ? 'contradicted' : 'supported';
    const why =
      label === 'unsupported'
        ? 'The document hardly speaks of it.'
        : `It sounds ${against ? 'unlike' : 'like'} the document: ${quoted(nearest[0]!)}.`;
    return { claim: index + 1, why, evidence: label === 'unsupported' ? [] : nearest.slice(0, 1), label };
  });
  return { statement: `On the whole the document sounds ${outlook}.`, verdicts, risks: [], questions: [], outlook };
}
