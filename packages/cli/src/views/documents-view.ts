import type { Analysis, AnalysisEvent, Claim, ClaimLabel, Dossier } from '@agonhq/documents';
import { toOneLine } from '@agonhq/engine/text';
import { printCount } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import type { PrintedBlock } from './debate-parts.ts';
import type { JobView } from './watch-case.ts';
import { colourLabel, renderAnalysis, renderDocument, renderVerdictsAlone } from './render-analysis.ts';

/** How far a claim is: where its debate stands, then its verdict. */
interface ClaimProgress {
  claim: Claim;
  stage: string | null;
  label: ClaimLabel | null;
}

/** What the live view shows of an analysis: a fold over its events. */
interface AnalysisProgress {
  reading: readonly string[];
  dossier: Dossier | null;
  chunks: number;
  chunksRead: number;
  claims: readonly ClaimProgress[] | null;
  concluding: boolean;
}

/** Shows how far each claim is. The answer shows the rest. */
export const documentsView: JobView<Analysis, AnalysisEvent, AnalysisProgress> = {
  isTransient: true,
  start: startProgress,
  advance: advanceProgress,
  draw: renderProgress,
  rebuild: ({ documents }) => startProgress(documents.map(({ name }) => name)),
  renderVerdict: renderAnalysis,
  renderBriefly: renderVerdictsAlone,
};

export function startProgress(files: readonly string[]): AnalysisProgress {
  return { reading: files, dossier: null, chunks: 0, chunksRead: 0, claims: null, concluding: false };
}

export function advanceProgress(progress: AnalysisProgress, event: AnalysisEvent): AnalysisProgress {
  switch (event.type) {
    case 'dossier-ready':
      return { ...progress, dossier: event.dossier, chunks: event.chunks };
    case 'claims-ready':
      return { ...progress, claims: event.claims.map((claim) => ({ claim, stage: null, label: null })) };
    case 'claim-end':
      return updateClaim(progress, event.answer.subject.id, { label: event.answer.verdict.label });
    case 'turn-start':
      if (progress.claims === null) return progress;
      return event.scope === null
        ? { ...progress, concluding: true }
        : updateClaim(progress, event.scope, { stage: readStage(event.key) });
    case 'turn-end':
      return progress.claims === null ? { ...progress, chunksRead: progress.chunksRead + 1 } : progress;
    case 'claim-start':
    case 'turn-delta':
    case 'compute-end':
    case 'round-end':
    case 'debate-end':
      return progress;
  }
}

/** `claim-01/cross-examination` is at `cross-examination`. */
function readStage(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

function updateClaim(progress: AnalysisProgress, id: string, change: Partial<ClaimProgress>): AnalysisProgress {
  return {
    ...progress,
    claims: progress.claims?.map((known) => (known.claim.id === id ? { ...known, ...change } : known)) ?? null,
  };
}

/** The analysis while it goes on: what is decided first, what is argued last, so that it stays in view. */
export function renderProgress(
  { reading, dossier, chunks, chunksRead, claims, concluding }: AnalysisProgress,
  width: number,
): PrintedBlock[] {
  const lines =
    dossier === null
      ? wrapText(`Reading ${sanitize(reading.join(', '))} …`, width)
      : dossier.documents.flatMap((document) => renderDocument(document, width));
  if (dossier !== null && claims === null)
    lines.push(`Finding claims …${chunks > 1 ? ` ${chunksRead} of ${chunks} parts read` : ''}`);
  if (claims !== null) lines.push(...renderClaims(claims, width));
  if (concluding) lines.push('Weighing the results …');
  return [{ lines, done: false }];
}

function renderClaims(claims: readonly ClaimProgress[], width: number): string[] {
  const decided = claims.filter(({ label }) => label !== null);
  const argued = claims.filter(({ label, stage }) => label === null && stage !== null);
  const waiting = claims.length - decided.length - argued.length;
  return [
    style('bold', `${decided.length} of ${printCount(claims.length, 'claim')} judged`),
    ...[...decided, ...argued].map((progress) => renderClaim(progress, width)),
    ...(waiting > 0 ? [style('dim', `  ${printCount(waiting, 'claim')} waiting`)] : []),
  ];
}

/** As wide as the longest label or stage. */
const stateWidth = 'cross-examination …'.length;

function renderClaim({ claim, stage, label }: ClaimProgress, width: number): string {
  const state = (label ?? `${stage} …`).padEnd(stateWidth);
  const text = sanitize(toOneLine(claim.text));
  const [first = '', ...rest] = wrapText(text, width - stateWidth - 8);
  const colour = label === null ? 'cyan' : colourLabel(label);
  return `  ${style(colour, state)} ${first}${rest.length > 0 ? ' …' : ''}`;
}
