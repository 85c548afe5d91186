import {
  compute,
  findValue,
  conduct,
  listDegradations,
  sealAnswer,
  turn,
  findTurns,
  sumUsage,
  type DebateEvent,
  type Transcript,
} from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { keptContextSchema } from '@agonhq/engine/items/item-context';
import { hashOf } from '@agonhq/engine/hash';
import {
  documentsEdition,
  selectionStep,
  type Analysis,
  type Claim,
  type ClaimAnswer,
  type Outlook,
  type ClaimSelection,
} from './analysis.ts';
import { speakers } from './answers.ts';
import type { OutlookCaseFile } from './case-file.ts';
import { openFactorCases } from './claims/chunk-dossier.ts';
import { numberOwnClaims, selectClaims } from './claims/select-claims.ts';
import { selectCorrections } from './corrections/index.ts';
import { type Dossier, listBlocks, readBlockText } from './document.ts';
import { addNamedRows } from './ingest/index.ts';
import { judgeClaim } from './judge-claim.ts';
import { judgeZeroShot } from './judge-zero-shot.ts';
import { checkNumbersInSteps } from './numbers/index.ts';
import { buildDocumentsProvenance } from './provenance.ts';
import { factorAgent, outlook } from './roles/dossier-roles.ts';
import { runInParallel, runInSteps } from './run-tasks.ts';
import { conductOptions, type AnalysisSession, type ClaimTrial } from './session.ts';
import type { AnalysisEvent, AnalysisSetup, AnalyzeOptions } from './setup.ts';
import { decideOutlook } from './verdicts/decide-outlook.ts';
import { writePlainBrief } from './verdicts/write-brief.ts';

/** Judges the claims of a dossier: yields what happens as it happens, returns the debate trace. */
export async function* analysis(
  read: Dossier,
  given: AnalysisSetup,
  options: AnalyzeOptions = {},
): ClaimTrial<Analysis> {
  const started = performance.now();
  const dossier = addNamedRows(read, options.factors ?? []);
  assertReadable(dossier, given.maxCharacters);
  const setup = { ...given, corrections: findCorrections(given, dossier) };
  const provenance = buildDocumentsProvenance(setup);
  const { method } = setup.plan;
  const maxFactors = options.maxFactors ?? setup.plan.maxFactors;
  const about = [
    dossier.documents.map(({ name, hash }) => [name, hash]),
    provenance.configuration,
    options.factors ?? null,
    maxFactors,
    // The same of another author, or elsewhere, is another case.
    ...(options.context ? [{ context: options.context }] : []),
  ];
  const debate = options.debate ?? `docs-${hashOf(about).slice(7, 23)}`;
  const numbers =
    method === 'zero-shot' ? [] : (given.numbers ?? (await runInSteps(checkNumbersInSteps(dossier), options.signal)));
  const observations = [...listBlocks(dossier).values()].flatMap(
    (standing) => setup.findInjections?.({ id: standing.id, text: readBlockText(standing) }) ?? [],
  );
  const session: AnalysisSession = { dossier, setup, options, debate, provenance, numbers, observations };

  await setup.recorder?.openCase({
    id: debate,
    configuration: provenance.configuration,
    ...(options.context ? { context: options.context } : {}),
    subject: {
      hash: hashOf(about[0]),
      content: { documents: dossier.documents, factors: options.factors ?? null, maxFactors },
      attachments: setup.originals ?? [],
    },
  });
  const cases = options.factors ? [] : openFactorCases(dossier, setup.plan.chunkCharacters);
  yield { type: 'dossier-ready', debate, scope: null, dossier, numbers, chunks: cases.length };
  const chosen = options.factors
    ? { claims: numberOwnClaims(options.factors), coverage: [], transcript: [] }
    : yield* findClaims(session, cases, maxFactors);
  yield { type: 'claims-ready', debate, scope: null, claims: chosen.claims };
  const judged =
    method === 'zero-shot'
      ? yield* judgeZeroShot(session, chosen.claims)
      : yield* judgeEach(session, chosen, options.factors ? chosen.claims.length : maxFactors);
  const transcript = [...chosen.transcript, ...judged.transcript];

  const trace: Analysis = sealAnswer({
    version: 1 as const,
    id: debate,
    job: 'documents' as const,
    ...(options.context ? { context: keptContextSchema.parse(options.context) } : {}),
    documents: dossier.documents,
    claims: judged.claims,
    numbers,
    coverage: chosen.coverage,
    observations,
    outlook: judged.outlook,
    degraded: listDegradations(transcript),
    transcript,
    usage: sumUsage(
      [...transcript, ...judged.claims.flatMap((claim) => claim.transcript)],
      Math.round(performance.now() - started),
    ),
    provenance,
  });
  return (await setup.recorder?.closeCase(trace)) ?? trace;
}

/** The factor agent reads the parts of the dossier side by side; code selects. */
async function* findClaims(
  session: AnalysisSession,
  cases: ReturnType<typeof openFactorCases>,
  maxFactors: number,
): ClaimTrial<Pick<ClaimSelection, 'claims' | 'coverage'> & { transcript: Transcript }> {
  const { dossier, setup, debate } = session;
  const { plan, reasoners, secret } = setup;
  const role = factorAgent({ secret, temperature: plan.temperature.factors });
  const seat = { id: 'factor-agent', role, reasoner: reasoners['factor-agent'] };
  const tasks = cases.map(
    (caseFile, index) => (signal: AbortSignal) =>
      conduct(turn(seat), caseFile, {
        ...conductOptions(session),
        signal,
        scope: `part-${String(index + 1).padStart(2, '0')}`,
      }),
  );
  const said = (yield* runInParallel<DebateEvent, Transcript>(tasks, plan.concurrency, session.options.signal)).flat();
  const parameters = {
    edition: documentsEdition,
    said: findTurns(said).map(({ answer, evidence }) => [answer, evidence]),
    documents: dossier.documents.map(({ hash }) => hash),
    maxFactors,
  };
  const selection = yield* conduct(
    compute(selectionStep, () => selectClaims(said, dossier, maxFactors, plan.method === 'zero-shot'), parameters),
    { sources: [] },
    { ...conductOptions(session), debate },
  );
  const { claims, coverage } = findValue(selection, selectionStep)!;
  return { claims, coverage, transcript: [...said, ...selection] };
}

/** One independent debate, or one check, for each claim; then the outlook. */
async function* judgeEach(
  session: AnalysisSession,
  chosen: { claims: readonly Claim[]; transcript: Transcript },
  maxDebated: number,
): ClaimTrial<Pick<Analysis, 'claims' | 'outlook' | 'transcript'>> {
  const { setup, options } = session;
  const tasks = chosen.claims.map(
    (claim, index) => (signal: AbortSignal) => judgeClaim(session, claim, index < maxDebated, signal),
  );
  const claims = yield* runInParallel<AnalysisEvent, ClaimAnswer>(tasks, setup.plan.concurrency, options.signal);
  return { claims, ...(yield* writeOutlook(session, claims, chosen.transcript)) };
}

/** The zero-shot judge is shown nothing but the dossier. */
function findCorrections({ corrections, plan }: AnalysisSetup, dossier: Dossier): AnalysisSetup['corrections'] {
  return corrections && plan.method !== 'zero-shot' ? selectCorrections(corrections, dossier) : undefined;
}

/** Code decides the label; the synthesizer's seat writes the brief. With nothing to speak of, nobody is asked. */
async function* writeOutlook(
  session: AnalysisSession,
  claims: readonly ClaimAnswer[],
  said: Transcript,
): ClaimTrial<{ outlook: Outlook; transcript: Transcript }> {
  const { dossier, setup, numbers, observations } = session;
  const degraded = listDegradations(said);
  const decided = decideOutlook(claims, numbers);
  if (decided.label === 'undecided' || session.options.outlook === false)
    return {
      outlook: { ...decided, brief: writePlainBrief(claims, numbers, degraded), risks: [], questions: [] },
      transcript: [],
    };
  const caseFile: OutlookCaseFile = {
    dossier,
    claims,
    numbers,
    observations,
    degraded,
    label: decided.label,
    sources: [],
  };
  const role = outlook({ secret: setup.secret, temperature: setup.plan.temperature.synthesis });
  const transcript = yield* conduct(
    turn({ id: 'outlook', role, reasoner: setup.reasoners.synthesizer }),
    caseFile,
    conductOptions(session),
  );
  const { brief, risks, questions } = findTurns(transcript, speakers.outlook)[0]!.answer;
  return { outlook: { ...decided, brief, risks, questions }, transcript };
}

/** Refuses what cannot be judged, before anything is paid for. */
function assertReadable({ documents }: Dossier, maxCharacters: number): void {
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  if (documents.every(({ text }) => text.trim() === '')) {
    throw new AgonError(
      'empty-subject',
      'There is nothing to judge: the files hold no text.',
      'Pass a file with text; for scanned pages, turn OCR on.',
    );
  }
  const names = documents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new AgonError('duplicate-name', `Two files are called ${twice}.`, 'Rename one: citations name their file.');
  if (characters <= maxCharacters) return;
  throw new AgonError(
    'too-long',
    `The files have ${characters.toLocaleString('en')} characters; at most ${maxCharacters.toLocaleString('en')} ` +
      'are judged at once.',
    'Pass fewer files, or raise documents.maxCharacters.',
  );
}
