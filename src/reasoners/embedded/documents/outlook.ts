import type { Question } from '../../../debate/index.ts';
import type { OutlookAnswer, OutlookCaseFile, ZeroShot, ZeroShotCaseFile } from '../../../jobs/documents/index.ts';
import { quoted } from '../phrase-arguments.ts';
import { joinWithAnd, pattern } from '../../../text/index.ts';
import { weighClaim } from './weighing/weigh-claim.ts';

/** The brief, from verdicts and number findings alone. */
export async function answerOutlook({ caseFile }: Question<OutlookCaseFile>): Promise<OutlookAnswer> {
  const { claims, numbers, observations, label } = caseFile;
  const labelled = (...labels: string[]) => claims.filter(({ verdict }) => labels.includes(verdict.label));
  const held = labelled('verified-strong', 'supported');
  const fallen = labelled('contradicted');
  const open = labelled('unsupported', 'mixed', 'undecided');
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  const named = (some: typeof claims) =>
    joinWithAnd(some.slice(0, 3).map(({ subject }) => `${subject.id} (${quoted(subject.text)})`));
  const sentences = [
    claims.length === 0
      ? `The outlook is ${label}: no claim was judged.`
      : `The outlook is ${label}: of ${claims.length} ${claims.length === 1 ? 'claim' : 'claims'} ` +
        `${held.length} ${held.length === 1 ? 'is' : 'are'} borne out, ` +
        `${fallen.length} contradicted, ${open.length} open.`,
    held.length > 0 ? `What holds: ${named(held)}.` : '',
    fallen.length > 0 ? `What does not: ${named(fallen)}.` : '',
    open.length > 0 ? `What the document leaves open: ${named(open)}.` : '',
    conflicts.length > 0
      ? `${conflicts.length === 1 ? 'One number conflicts' : `${conflicts.length} numbers conflict`} within the ` +
        'document.'
      : numbers.length > 0
        ? 'The numbers that could be recomputed agree.'
        : 'No number could be recomputed.',
  ];
  return {
    brief: sentences.filter((sentence) => sentence !== '').join(' '),
    risks: [
      ...observations.map(
        ({ of, text }) => `${of} speaks to its judges (${quoted(text)}); it was judged, not followed.`,
      ),
      ...conflicts.map(({ statement }) => statement),
      ...fallen.map(({ subject, verdict }) => `${subject.id} does not hold: ${verdict.rule.why}`),
    ].slice(0, 6),
    questions: open
      .map(({ subject, verdict }) => `${subject.id}: what bears out ${quoted(subject.text)}? ${verdict.rule.why}`)
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
