import type { Question } from '../../../debate/index.ts';
import type { ZeroShot, ZeroShotCaseFile } from '../../../jobs/documents/index.ts';
import { quoted } from '../words.ts';
import { weighClaim } from './weighing/index.ts';

const good =
  /\b(?:gr[eo]w\w*|increas\w+|improv\w+|strong\w*|record|robust|gain\w*|profit\w*|success\w*|exceed\w*|positive|higher|rose|ahead|solid|best)\b/giu;
const bad =
  /\b(?:declin\w+|decreas\w+|loss\w*|weak\w*|fell|fall\w*|impair\w*|risk\w*|fail\w*|negative|lower|default\w*|adverse\w*|deficit\w*|worst|doubt\w*)\b/giu;

function measureTone(text: string): number {
  const [up, down] = [good, bad].map((words) => (text.match(words) ?? []).length) as [number, number];
  return (up - down) / (up + down + 1);
}

/** The baseline: how the whole sounds, and whether a claim sounds the same. No number is read. */
export async function answerZeroShot({ caseFile }: Question): Promise<ZeroShot> {
  const { dossier, claims } = caseFile as ZeroShotCaseFile;
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
