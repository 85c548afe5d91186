import {
  answerVersion,
  compute,
  findValue,
  conduct,
  listDegradations,
  sealAnswer,
  turn,
  findTurns,
  sumUsage,
  type DebateEvent,
  type Observation,
  type Transcript,
} from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { keptContextSchema } from '../../item-context.ts';
import { hashOf } from '../../hash.ts';
import { adjudicateZeroShot } from './verdicts/adjudicate-claim.ts';
import {
  absencesStep,
  adjudicationStep,
  correctionsStep,
  documentsEdition,
  selectionStep,
  type Analysis,
  type Claim,
  type ClaimAnswer,
  type ClaimSubject,
  type DocumentsProvenance,
  type Outlook,
  type Selection,
} from './analysis.ts';
import { speakers } from './answers.ts';
import { findHeardTurn } from './grounding/list-attacks.ts';
import type { DocumentCaseFile, OutlookCaseFile, ZeroShotCaseFile } from './case-file.ts';
import { findClaimNumbers } from './claims/find-claim-numbers.ts';
import { type Dossier, listBlocks, readBlockText } from './document.ts';
import { addNamedRows } from './ingest/index.ts';
import { describeMatter, recallCorrections, selectCorrections } from './corrections/index.ts';
import { openFactorCases } from './claims/chunk-dossier.ts';
import { runInParallel, runInSteps } from './run-tasks.ts';
import type { NumberFinding } from './numbers/finding.ts';
import { checkNumbersInSteps } from './numbers/index.ts';
import { isShownWhole, openClaim, buildWholeSources } from './claims/open-claim.ts';
import { decideOutlook } from './verdicts/decide-outlook.ts';
import { writePlainBrief } from './verdicts/write-brief.ts';
import { claimProtocol } from './protocol.ts';
import { buildDocumentsProvenance } from './provenance.ts';
import { retrieveBlocks } from './claims/retrieve-blocks.ts';
import { factorAgent, outlook, zeroShot } from './roles/dossier-roles.ts';
import { numberOwnClaims, selectClaims } from './claims/select-claims.ts';
import type { AnalysisEvent, AnalysisSetup, AnalyzeOptions } from './setup.ts';

/** One analysis under way. */
interface Session {
  dossier: Dossier;
  setup: AnalysisSetup;
  options: AnalyzeOptions;
  debate: string;
  provenance: DocumentsProvenance;
  /** Every number finding of the dossier. */
  numbers: readonly NumberFinding[];
  /** Passages of the dossier that speak to the judges. */
  observations: readonly Observation[];
}

type Trial<Result> = AsyncGenerator<AnalysisEvent, Result, void>;

/** Judges the claims of a dossier: yields what happens as it happens, returns the debate trace. */
export async function* analysis(read: Dossier, given: AnalysisSetup, options: AnalyzeOptions = {}): Trial<Analysis> {
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
  const numbers = method === 'zero-shot' ? [] : await runInSteps(checkNumbersInSteps(dossier));
  const observations = [...listBlocks(dossier).values()].flatMap(
    (standing) => setup.findInjections?.({ id: standing.id, text: readBlockText(standing) }) ?? [],
  );
  const session: Session = { dossier, setup, options, debate, provenance, numbers, observations };

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
      ? yield* judgeAllAtOnce(session, chosen.claims)
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
  session: Session,
  cases: ReturnType<typeof openFactorCases>,
  maxFactors: number,
): Trial<Pick<Selection, 'claims' | 'coverage'> & { transcript: Transcript }> {
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
  session: Session,
  chosen: { claims: readonly Claim[]; transcript: Transcript },
  maxDebated: number,
): Trial<Pick<Analysis, 'claims' | 'outlook' | 'transcript'>> {
  const { setup, options } = session;
  const tasks = chosen.claims.map(
    (claim, index) => (signal: AbortSignal) => judgeClaim(session, claim, index < maxDebated, signal),
  );
  const claims = yield* runInParallel<AnalysisEvent, ClaimAnswer>(tasks, setup.plan.concurrency, options.signal);
  return { claims, ...(yield* writeOutlook(session, claims, chosen.transcript)) };
}

async function* judgeClaim(
  session: Session,
  claim: Claim,
  isDebated: boolean,
  signal: AbortSignal,
): Trial<ClaimAnswer> {
  const started = performance.now();
  const { dossier, setup, debate, numbers: all } = session;
  yield { type: 'claim-start', debate, scope: claim.id, claim };
  const { findings, own, cover } = findClaimNumbers(claim, dossier, all);
  const ranked =
    !isDebated || isShownWhole(dossier, setup.plan.retrieval)
      ? []
      : await retrieveBlocks(claim, dossier, { embed: setup.embed, signal });
  const caseFile = recall(
    openClaim(claim, dossier, findings, ranked, setup.plan.retrieval, session.observations),
    session,
  );
  const transcript = yield* conduct(
    claimProtocol(setup, caseFile, { own, cover, isDebated, tokens: tokenLimitFor(claim, session.options) }),
    caseFile,
    { ...conductOptions(session), signal, scope: claim.id },
  );
  const answer = buildClaimAnswer(session, caseFile, transcript, performance.now() - started);
  yield { type: 'claim-end', debate, scope: claim.id, answer };
  return answer;
}

/** The zero-shot judge is shown nothing but the dossier. */
function findCorrections({ corrections, plan }: AnalysisSetup, dossier: Dossier): AnalysisSetup['corrections'] {
  return corrections && plan.method !== 'zero-shot' ? selectCorrections(corrections, dossier) : undefined;
}

/** The case of a claim with what people corrected on it, or on claims alike. */
function recall(caseFile: DocumentCaseFile, { setup, dossier, numbers: all }: Session): DocumentCaseFile {
  const { corrections = [] } = setup.corrections ?? {};
  if (corrections.length === 0) return caseFile;
  const { claim, sources, numbers } = caseFile;
  const recalled = recallCorrections(claim, describeMatter(claim, { dossier, sources, numbers, all }), corrections);
  return recalled.length === 0 ? caseFile : { ...caseFile, corrections: recalled };
}

function tokenLimitFor({ text }: Claim, { tokens }: AnalyzeOptions): number | null {
  return (typeof tokens === 'function' ? tokens(text) : tokens) ?? null;
}

/** The zero-shot judge: all claims in one answer, without number tools; code only checks its quotes. */
async function* judgeAllAtOnce(
  session: Session,
  chosen: readonly Claim[],
): Trial<Pick<Analysis, 'claims' | 'outlook' | 'transcript'>> {
  const { dossier, setup, debate } = session;
  if (chosen.length === 0)
    return {
      claims: [],
      transcript: [],
      outlook: { ...decideOutlook([], []), brief: writePlainBrief([], []), risks: [], questions: [] },
    };
  for (const claim of chosen) yield { type: 'claim-start', debate, scope: claim.id, claim };
  const caseFile: ZeroShotCaseFile = { dossier, claims: chosen, sources: buildWholeSources(dossier) };
  const role = zeroShot({ secret: setup.secret, temperature: setup.plan.temperature.synthesis });
  const heardOnce = yield* conduct(
    turn({ id: 'zero-shot', role, reasoner: setup.reasoners.synthesizer }),
    caseFile,
    conductOptions(session),
  );
  const claims: ClaimAnswer[] = [];
  for (const [index, claim] of chosen.entries()) {
    const adjudication = compute(adjudicationStep, () => adjudicateZeroShot(heardOnce, index, caseFile.sources), {
      answer: findTurns(heardOnce)[0]?.answer,
      index,
    });
    // What was read is the whole dossier: a claim keeps the blocks that its verdict quotes.
    const transcript = yield* conduct(adjudication, { sources: [] }, { ...conductOptions(session), scope: claim.id });
    const cited = new Set(findValue(transcript, adjudicationStep)!.evidence.map(({ source }) => source));
    const sources = caseFile.sources.filter(({ id }) => cited.has(id));
    const answer = buildClaimAnswer(session, { claim, dossier, numbers: [], sources }, transcript, 0);
    claims.push(answer);
    yield { type: 'claim-end', debate, scope: claim.id, answer };
  }
  const { statement, risks, questions } = findTurns(heardOnce, speakers.zeroShot)[0]!.answer;
  return {
    claims,
    transcript: heardOnce,
    outlook: { ...decideOutlook(claims, []), brief: statement, risks, questions },
  };
}

function buildClaimAnswer(
  { dossier, provenance, debate }: Session,
  caseFile: DocumentCaseFile,
  transcript: Transcript,
  latencyMs: number,
): ClaimAnswer {
  const { claim, sources, numbers } = caseFile;
  const dissent = findHeardTurn(transcript, speakers.dissenting);
  const corrections = findValue(transcript, correctionsStep);
  const subject: ClaimSubject = { ...claim, hash: hashClaim(claim, dossier) };
  return sealAnswer({
    version: answerVersion,
    id: `${debate}/${claim.id}`,
    job: 'documents',
    subject,
    sources,
    verdict: findValue(transcript, adjudicationStep)!,
    numbers,
    absences: findValue(transcript, absencesStep) ?? [],
    ...(corrections ? { corrections } : {}),
    roleCollapse: dissent !== null && dissent.answer.attacks.length === 0,
    transcript,
    precedents: [],
    usage: sumUsage(transcript, Math.round(latencyMs)),
    provenance,
  });
}

/** What stands for a claim and the files it is judged against. */
export function hashClaim({ text, origin }: Claim, { documents }: Dossier): string {
  return hashOf([text, origin, documents.map(({ hash }) => hash)]);
}

/** Code decides the label; the synthesizer's seat writes the brief. With nothing to speak of, nobody is asked. */
async function* writeOutlook(
  session: Session,
  claims: readonly ClaimAnswer[],
  said: Transcript,
): Trial<{ outlook: Outlook; transcript: Transcript }> {
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

function conductOptions({ debate, setup, options }: Session) {
  return { debate, journal: setup.journal, signal: options.signal, stream: options.stream };
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
