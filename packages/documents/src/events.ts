import type { RecalledEvents } from '@agonhq/judges/job/job-trial';
import type { Analysis } from './analysis.ts';
import type { AnalysisEvent } from './setup.ts';

/** Without what was sent before, or is in the answer. */
export function trimEvent(event: AnalysisEvent): object {
  if (event.type === 'dossier-ready') {
    const { dossier, numbers, ...rest } = event;
    return { ...rest, documents: dossier.documents.map(describeDocument), numbers: numbers.length };
  }
  if (event.type === 'claim-end') {
    const { transcript: _, ...answer } = event.answer;
    return { ...event, answer };
  }
  return event;
}

/** What was told while documents were judged, from their analysis. */
export function recallEvents({ documents, numbers, claims, transcript }: Analysis): RecalledEvents[] {
  const scope = null;
  return [
    {
      type: 'dossier-ready',
      scope,
      data: { documents: documents.map(describeDocument), numbers: numbers.length },
    },
    { type: 'claims-ready', scope, data: { claims: claims.map(({ subject }) => subject) } },
    ...claims.flatMap(({ transcript: argued, ...answer }): RecalledEvents[] => {
      const { subject } = answer;
      return [
        { type: 'claim-start', scope: subject.id, data: { claim: subject } },
        { scope: subject.id, transcript: argued },
        { type: 'claim-end', scope: subject.id, data: { answer } },
      ];
    }),
    { scope, transcript },
  ];
}

function describeDocument({ name, kind, hash, blocks }: Analysis['documents'][number]) {
  return { name, kind, hash, blocks: blocks.length };
}
