import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { LabelBadge } from '../../components/badge.tsx';
import { Loading, ProblemNotice, Skeleton } from '../../components/page.tsx';
import { classes } from '../../components/tones.ts';
import { useSearchState } from '../../routing/search.ts';
import { About, Brief } from './claims/brief.tsx';
import { CaseIdContext } from '../../trial/turn-calls-button.tsx';
import { ClaimCard } from './claims/claim-card.tsx';
import { ClaimFilters, filterClaims } from './claims/claim-filter.tsx';
import { Corrections } from './claims/corrections.tsx';
import { NumbersList } from './claims/number-checks.tsx';
import { FindingDetails } from './findings/finding-details.tsx';
import { FindingsPart } from './findings/findings-part.tsx';
import { useFindings } from './findings/use-findings.ts';
import { ExportMenu } from './export-menu.tsx';
import { correctionsQuery } from './live-store.ts';
import { parts, type ReadingPlace, readReadingPlace } from './reading-place.ts';
import type { Analysis, Citation } from './analysis-types.ts';
import { useCited } from './use-cited.ts';
import { DocumentPane, type ShownFile } from './viewer/document-pane.tsx';
import { groundingKey } from './viewer/highlights.ts';

interface KeptFile {
  hash: string;
  mediaType: string;
}

/** The documents on the left, what is claimed of them on the right: each leads to the other. */
export function AnalysisView({
  id,
  analysis,
  files,
}: {
  id: string;
  analysis: Analysis | null;
  files: readonly KeptFile[] | null;
}) {
  const { data: corrections = [] } = useQuery({ ...correctionsQuery(id), enabled: analysis !== null });
  const [place, change] = useSearchState(readReadingPlace);
  const [moment, setMoment] = useState(0);
  const column = useRef<HTMLDivElement>(null);
  const shownFiles = useMemo(() => listFiles(id, analysis, files), [id, analysis, files]);
  const { citations, highlights, trace, checks, total } = useCited(analysis, place);
  const {
    all: findings,
    shown,
    opened,
    isReady,
    error: editsError,
    refetch,
  } = useFindings(id, analysis, corrections, place);
  const cited = place.cite === undefined ? citations.find(({ grounding }) => grounding) : citations[place.cite];
  const target =
    cited?.grounding && (place.claim !== undefined || opened !== null || place.cite !== undefined)
      ? highlights.find(({ grounding }) => groundingKey(grounding) === groundingKey(cited.grounding!))
      : undefined;
  const fileOf = (grounding: Citation['grounding']) =>
    grounding && analysis ? analysis.documents.indexOf(grounding.document) : -1;
  const file = place.file ?? Math.max(0, target ? fileOf(target.grounding) : 0);
  const numbers = analysis ? filterClaims(analysis.claims, place) : [];

  useTitle(analysis ? analysis.documents.map(({ name }) => name).join(', ') : 'Analysis');
  useEffect(() => {
    if (place.claim !== undefined)
      column.current?.querySelector(`[data-claim="${place.claim}"]`)?.scrollIntoView({ block: 'start' });
  }, [place.claim, analysis]);
  useEffect(() => {
    column.current?.scrollTo({ top: 0 });
  }, [place.part, place.finding]);
  useEffect(() => {
    if (place.cite !== undefined)
      column.current?.querySelector(`[data-citation="${place.cite}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [place.cite, place.claim, moment]);

  const open = (claim: number | undefined) => {
    change({ claim, cite: undefined, file: undefined, part: undefined, pane: undefined });
    setMoment((before) => before + 1);
  };
  const openFinding = (finding: string | undefined) => {
    change({ finding, cite: undefined, file: undefined, pane: undefined });
    setMoment((before) => before + 1);
  };
  const stepFinding = (by: 1 | -1) => {
    const at = shown.findIndex((finding) => finding === opened);
    const next = shown[at < 0 ? (by === 1 ? 0 : shown.length - 1) : at + by];
    if (next) openFinding(next.id);
  };
  const go = ({ index, grounding }: Citation, pane: ReadingPlace['pane'] = 'document') => {
    change({ cite: index, file: Math.max(0, fileOf(grounding)), pane });
    setMoment((before) => before + 1);
  };
  const pick = (highlight: string) => {
    if (place.claim === undefined && place.part === 'claims') return open(Number(highlight));
    const citation = citations[Number(highlight)];
    return citation ? go(citation, 'claims') : undefined;
  };
  const step = (by: 1 | -1) => {
    if (place.part === 'findings') return stepFinding(by);
    const at = place.claim === undefined ? -1 : numbers.indexOf(place.claim);
    const next = numbers[at < 0 ? (by === 1 ? 0 : numbers.length - 1) : at + by];
    if (next !== undefined) open(next);
  };
  const stepCitation = (by: 1 | -1) => {
    const shown = [...(column.current?.querySelectorAll('[data-citation]') ?? [])].map((element) =>
      Number(element.getAttribute('data-citation')),
    );
    const at = cited ? shown.indexOf(cited.index) : -1;
    const next = shown[place.cite === undefined ? 0 : at + by];
    const citation = next === undefined ? undefined : citations[next];
    if (citation) go(citation);
  };
  useHotkeys(
    {
      j: () => step(1),
      k: () => step(-1),
      n: () => stepCitation(1),
      p: () => stepCitation(-1),
      Enter: () => cited?.grounding && go(cited),
      Escape: () => (place.part === 'findings' ? openFinding(undefined) : open(undefined)),
    },
    analysis !== null,
  );

  // A table needs the room: the page comes beside it when a finding is open.
  const isWide = place.part === 'findings' && opened === null;

  return (
    <div className="flex h-[calc(100dvh-3.4rem)] flex-col gap-3 p-3 sm:p-4 lg:h-dvh">
      <header className="flex min-h-15 items-center justify-between gap-4 sm:min-h-10">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="max-w-full truncate text-xl sm:text-2xl">
            {analysis ? analysis.documents.map(({ name }) => name).join(', ') : 'Analysis'}
          </h1>
          {analysis ? <LabelBadge label={analysis.outlook.label} /> : <Skeleton className="h-6 w-24" />}
        </div>
        <div className="flex flex-none items-center gap-3">
          <p className="hidden items-center gap-1.5 text-sm text-quiet 2xl:flex">
            <KeyHint>j</KeyHint>
            <KeyHint>k</KeyHint> claims <KeyHint>n</KeyHint>
            <KeyHint>p</KeyHint> citations <KeyHint>↵</KeyHint> show
          </p>
          {analysis && (
            <ExportMenu
              id={id}
              originals={shownFiles.flatMap(({ name, url }) => (url === null ? [] : [{ name, url }]))}
            />
          )}
        </div>
      </header>
      <div role="group" aria-label="What to show" className="flex gap-1 lg:hidden">
        {(
          [
            ['claims', place.part === 'findings' ? 'Findings' : 'Claims'],
            ['document', 'Document'],
          ] as const
        ).map(([pane, words]) => (
          <button
            key={pane}
            type="button"
            aria-pressed={place.pane === pane}
            onClick={() => change({ pane })}
            className={classes(
              'flex-1 rounded-lg border px-3 py-1.5 font-medium',
              place.pane === pane ? 'border-link bg-link text-surface' : 'bg-surface',
            )}
          >
            {words}
          </button>
        ))}
      </div>
      <div
        className={classes(
          'grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] gap-4',
          isWide ? '' : 'lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]',
        )}
      >
        <div className={classes('min-h-0', place.pane === 'document' ? '' : 'hidden lg:block', isWide && 'lg:hidden')}>
          <DocumentPane
            files={shownFiles}
            chosen={Math.min(file, Math.max(0, shownFiles.length - 1))}
            onChoose={(index) => change({ file: index })}
            highlights={highlights}
            pointed={target ? { id: target.id, moment } : null}
            onPick={pick}
          />
        </div>
        <section
          aria-label="The claims"
          className={classes('flex min-h-0 flex-col gap-3', place.pane === 'claims' ? '' : 'hidden lg:flex')}
        >
          <Parts
            place={place}
            analysis={analysis}
            onChange={(part) =>
              change({
                part: part === 'claims' ? undefined : part,
                claim: undefined,
                finding: undefined,
                cite: undefined,
                file: undefined,
              })
            }
          />
          <div
            ref={column}
            tabIndex={0}
            role="region"
            aria-label={partTitles[place.part]}
            className="min-h-0 flex-1 overflow-y-auto pr-1 outline-offset-0"
          >
            {!analysis && <Loading lines={10} what="Opening analysis" />}
            {analysis && place.part === 'claims' && (
              <CaseIdContext value={id}>
                <div className="grid gap-3">
                  <ClaimFilters
                    claims={analysis.claims}
                    filter={place}
                    onChange={(filter) => change({ ...filter, claim: undefined, cite: undefined })}
                  />
                  {analysis.claims.length === 0 && (
                    <p className="text-quiet">No claims were found in the dossier. Its numbers were still checked.</p>
                  )}
                  {analysis.claims.length > 0 && numbers.length === 0 && (
                    <p className="text-quiet">No claims match the filters.</p>
                  )}
                  {numbers.map((number) => (
                    <ClaimCard
                      key={number}
                      corrections={corrections}
                      number={number}
                      answer={analysis.claims[number - 1]!}
                      trace={number === place.claim ? trace : null}
                      people={<Corrections id={id} answer={analysis.claims[number - 1]!} />}
                      active={place.cite ?? null}
                      onToggle={() => open(number === place.claim ? undefined : number)}
                      onGo={go}
                    />
                  ))}
                </div>
              </CaseIdContext>
            )}
            {analysis && isWide && editsError && <ProblemNotice error={editsError} retry={() => void refetch()} />}
            {analysis && isWide && isReady && (
              <FindingsPart
                {...{ id, analysis, findings, shown, place }}
                onChange={(changed) => change(changed)}
                onOpen={openFinding}
              />
            )}
            {opened && (
              <FindingDetails
                id={id}
                finding={opened}
                trace={trace}
                checks={checks}
                active={place.cite ?? null}
                onGo={go}
                onStep={stepFinding}
                onBack={() => openFinding(undefined)}
                onClaim={(number) => change({ part: undefined, finding: undefined, cite: undefined, claim: number })}
              />
            )}
            {analysis && place.part === 'numbers' && (
              <NumbersList checks={checks} total={total} active={place.cite ?? null} onGo={go} onClaim={open} />
            )}
            {analysis && place.part === 'brief' && <Brief analysis={analysis} />}
            {analysis && place.part === 'about' && <About analysis={analysis} />}
          </div>
        </section>
      </div>
    </div>
  );
}

const partTitles: Record<ReadingPlace['part'], string> = {
  claims: 'Claims',
  findings: 'Findings',
  numbers: 'Numbers',
  brief: 'Brief',
  about: 'About',
};

function Parts({
  place,
  analysis,
  onChange,
}: {
  place: ReadingPlace;
  analysis: Analysis | null;
  onChange: (part: ReadingPlace['part']) => void;
}) {
  const counts: Partial<Record<ReadingPlace['part'], number>> = analysis
    ? { claims: analysis.claims.length, numbers: analysis.numbers.length }
    : {};
  return (
    <nav aria-label="Parts of the analysis" className="flex flex-wrap gap-x-1 border-b">
      {parts.map((part) => (
        <button
          key={part}
          type="button"
          aria-current={part === place.part ? 'page' : undefined}
          onClick={() => onChange(part)}
          className={classes(
            '-mb-px border-b-2 px-3 py-1.5 font-medium',
            part === place.part ? 'border-link text-ink' : 'border-transparent text-quiet hover:text-ink',
          )}
        >
          {partTitles[part]}{' '}
          {counts[part] !== undefined && <span className="text-sm text-quiet tabular-nums">{counts[part]}</span>}
        </button>
      ))}
    </nav>
  );
}

function listFiles(id: string, analysis: Analysis | null, files: readonly KeptFile[] | null): ShownFile[] {
  const urlOf = ({ hash }: KeptFile) => `/api/cases/${encodeURIComponent(id)}/attachments/${encodeURIComponent(hash)}`;
  if (!analysis)
    return (files ?? []).map((file, index) => ({
      url: urlOf(file),
      mediaType: file.mediaType,
      name: `File ${index + 1}`,
      document: null,
    }));
  // Until it is known whether a file is kept, nothing is shown in its place.
  if (!files) return [];
  return analysis.documents.map((document) => {
    const file = files.find(({ hash }) => hash === document.hash);
    return { url: file ? urlOf(file) : null, mediaType: file?.mediaType ?? null, name: document.name, document };
  });
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Agon`;
  }, [title]);
}
