import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { formatPercent } from '@agonhq/engine/view';
import { BlurredImage, type Outline } from '../components/blurred-image.tsx';
import type { Viewing } from '../components/care.ts';
import { HighlightedText, type TextMark, PlainText } from '../components/text.tsx';
import { classes, type MarkTone, panels } from '../components/tones.ts';
import type { JobTerms } from '../jobs/console-job.ts';
import { markPassages, TextWindows } from '../report/passages.tsx';
import { FileFacts } from '../report/file-facts.tsx';
import { useReport } from '../report/report-context.ts';
import { collectQuotations, type ShownQuotation } from './quotations.ts';
import { type PointedQuote, usePointed } from './pointing.tsx';
import { RecordingView } from './recording-view.tsx';
import { listSubjectParts, type SubjectPart } from './subject-parts.ts';
import type { JudgedFile, TrialSource, TrialView } from './trial-view.ts';

export interface SubjectViewProps {
  view: Pick<TrialView, 'job' | 'sources' | 'images' | 'recordings' | 'turns' | 'verdict'>;
  /** Where an image or a recording can be had; null where it cannot. */
  fileUrl?: (file: JudgedFile) => string | null;
  /** Where the page keeps whether images are shown and sound is on; by default each does so itself. */
  viewing?: Viewing;
}

/** What was judged, lit up where it is quoted. What somebody points at is outlined, and brought into view. */
export function SubjectView({ view, fileUrl = () => null, viewing = {} }: SubjectViewProps) {
  const { job, sources, images, recordings: given, turns, verdict } = view;
  const { parts, recordings, loose } = useMemo(
    () => listSubjectParts({ sources, images, recordings: given }),
    [sources, images, given],
  );
  const report = useReport();
  const quotations = useMemo(
    () =>
      report
        ? Map.groupBy(markPassages(report.citations.passages), ({ source }) => source)
        : collectQuotations({ job, turns, verdict }),
    [report, job, turns, verdict],
  );
  const pointed = usePointed();
  const root = useRef<HTMLDivElement>(null);
  useScrollIntoView(root, pointed);
  const write = (source: TrialSource, range?: { start: number; end: number }) => (
    <Source source={source} range={range} quotations={quotations.get(source.id)} pointed={pointed.place} />
  );
  const text = (source: TrialSource, range?: { start: number; end: number }) =>
    report && !range ? (
      <TextWindows
        text={source.text}
        passages={quotations.get(source.id) ?? []}
        write={(window) => write(source, window)}
      />
    ) : (
      write(source, range)
    );
  const observe = (observation: TrialSource) => (
    <Observation key={observation.id} observation={observation}>
      {text(observation)}
    </Observation>
  );
  return (
    <div ref={root} className="grid gap-4">
      {parts.map((part) => (
        <Part
          key={part.id}
          part={part}
          alone={parts.length + recordings.length === 1}
          url={part.image && fileUrl(part.image)}
          viewing={viewing}
        >
          {part.source && text(part.source)}
          {rankObservations(part.observations, verdict, quotations).filter(isShown).map(observe)}
        </Part>
      ))}
      {recordings.map((part) => (
        <RecordingView
          key={part.recording.id}
          part={part}
          cue={pointed.cue?.of === part.recording.id ? pointed.cue : null}
          fileUrl={fileUrl}
          viewing={viewing}
          write={text}
          observe={observe}
        />
      ))}
      {loose.map(observe)}
      <Legend quotations={quotations} titles={job.terms.quotedFor} />
    </div>
  );
}

/** What decided comes first, then what was quoted, then words that were read or heard: the rest is read by few. */
function rankObservations(
  observations: readonly TrialSource[],
  verdict: TrialView['verdict'],
  quotations: ReadonlyMap<string, unknown>,
): TrialSource[] {
  const decided = new Set(verdict?.evidence.flatMap((piece) => (piece.verified ? [piece.source] : [])));
  const rank = ({ id, tool }: TrialSource) =>
    decided.has(id) ? 0 : quotations.has(id) ? 1 : tool === 'ocr' || tool === 'transcript' ? 2 : 3;
  return observations.toSorted((one, other) => rank(one) - rank(other));
}

/** That an image is withheld is said in its place. */
function isShown({ tool }: TrialSource): boolean {
  return tool !== 'withheld';
}

interface PartProps {
  part: SubjectPart;
  alone: boolean;
  url: string | null;
  viewing: Viewing;
  children: ReactNode;
}

function Part({ part: { id, source, image, observations }, alone, url, viewing, children }: PartProps) {
  const outlines = useMemo(() => listOutlines(observations), [observations]);
  const report = useReport();
  const title = image
    ? id.replace('image-', 'Image ')
    : `${source?.speaker ?? 'Text'}${source?.isAnswer ? ', the answer' : ''}`;
  return (
    <section aria-label={report ? `${title}, ${id}` : title} className="grid gap-2">
      {(!alone || image || report) && (
        <h3 className="text-sm font-medium text-quiet">
          {title}
          {report && <code className="ml-2 font-mono text-xs font-normal">{id}</code>}
        </h3>
      )}
      {image &&
        (!observations.every(isShown) ? (
          <p className="rounded-lg border border-dashed p-4 text-sm text-quiet">
            The image is withheld: it is on a list of known images, or came with one that is. Nobody looked at it, and
            it was not kept.
          </p>
        ) : url === null ? (
          <p className="rounded-lg border border-dashed p-4 text-sm text-quiet">
            The image is not available. What was observed in it is listed below.
          </p>
        ) : (
          <BlurredImage
            src={url}
            alt={`${title}, as it was judged`}
            className="max-h-72"
            outlines={outlines}
            revealed={viewing.revealed}
            onReveal={viewing.onReveal}
          />
        ))}
      {image && <FileFacts file={image} />}
      <div className={classes('grid gap-2', source?.speaker && 'border-l-3 pl-3', source?.isAnswer && 'border-link')}>
        {children}
      </div>
    </section>
  );
}

function listOutlines(observations: readonly TrialSource[]): Outline[] {
  return observations.flatMap(({ tool, marks }) =>
    marks.map(({ label, sure, box }) => ({
      kind: tool === 'ocr' ? ('text' as const) : ('object' as const),
      title: `${label}, ${formatPercent(sure)} sure`,
      box: { x: box.x, y: box.y, width: box.width, height: box.height },
    })),
  );
}

interface SourceProps {
  source: TrialSource;
  /** The part of it that is shown; absent for all. */
  range?: { start: number; end: number } | undefined;
  quotations: readonly ShownQuotation[] | undefined;
  pointed: string | null;
}

function Source({ source: { text }, range, quotations = [], pointed }: SourceProps) {
  const { start: from, end: to } = range ?? { start: 0, end: text.length };
  const marks = useMemo(
    () =>
      quotations.map(({ place, start, end, tone, speaker, reference }): TextMark => ({
        start: start - from,
        end: end - from,
        tone,
        id: markId(place),
        title: `Quoted by ${speaker}`,
        active: place === pointed,
        // A passage may end in another part of the text.
        reference: end > from && end <= to ? reference : undefined,
      })),
    [quotations, pointed, from, to],
  );
  return <HighlightedText text={text.slice(from, to)} marks={marks} />;
}

/** Ids are told apart by spaces. */
const markId = (place: string) => place.replaceAll(/\s/g, '_');

const tools: Record<string, string> = {
  vision: 'Description by a model',
  given: 'Provided description',
  'image-models': 'Description by the embedded image models',
  objects: 'Things in the image',
  nudity: 'Nudity',
  ocr: 'Text in the image',
  transcript: 'What is said',
  silence: 'What is heard',
  placeholder: 'Not judged',
  statement: 'Statement by the affected person',
  injection: 'Attempted instruction',
  unreadable: 'Not readable',
};

function Observation({ observation: { id, tool, note }, children }: { observation: TrialSource; children: ReactNode }) {
  const report = useReport();
  return (
    <div className="grid gap-1 rounded-lg border bg-paper px-3 py-2 text-sm">
      <p className="text-quiet">
        <strong className="font-medium">
          {(tool !== null && Object.hasOwn(tools, tool) && tools[tool]) || `Decoded: ${tool}`}
        </strong>
        {report && <code className="ml-2 font-mono text-xs">{id}</code>}
        {note && (
          <span className="words">
            {' '}
            · <PlainText text={note} />
          </span>
        )}
      </p>
      {children}
    </div>
  );
}

interface LegendProps {
  quotations: ReadonlyMap<string, readonly ShownQuotation[]>;
  titles: JobTerms['quotedFor'];
}

function Legend({ quotations, titles }: LegendProps) {
  const tones = new Set([...quotations.values()].flat().map(({ tone }) => tone));
  if ([...quotations.values()].some(isQuotedByBoth)) tones.add('both');
  if (tones.size === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      {legendOrder
        .filter((tone) => tones.has(tone) && titles[tone] !== undefined)
        .map((tone) => (
          <span key={tone}>
            <span aria-hidden className={classes('mr-1.5 inline-block h-2.5 w-4 border-b-2', panels[tone])} />
            {titles[tone]}
          </span>
        ))}
    </p>
  );
}

const legendOrder: readonly MarkTone[] = ['risk', 'implicit', 'exoneration', 'both', 'caution'];

function isQuotedByBoth(quotations: readonly ShownQuotation[]): boolean {
  const against = quotations.filter(({ tone }) => tone === 'risk');
  return quotations.some(
    ({ tone, start, end }) => tone === 'exoneration' && against.some((other) => other.start < end && start < other.end),
  );
}

/**
 * What is pointed at is scrolled to within the content's own pane; the page itself moves only for those who asked for
 * it.
 */
function useScrollIntoView(root: React.RefObject<HTMLDivElement | null>, { place, shown }: PointedQuote): void {
  const seen = useRef(shown);
  useEffect(() => {
    const asked = seen.current !== shown;
    seen.current = shown;
    if (place === null) return;
    const mark = root.current?.querySelector<HTMLElement>(`[data-marks~=${CSS.escape(markId(place))}]`);
    if (!mark) return;
    mark.closest('details')?.setAttribute('open', '');
    const pane = mark.closest<HTMLElement>('[data-pane]');
    if (pane && pane.scrollHeight > pane.clientHeight) {
      const [inner, outer] = [mark.getBoundingClientRect(), pane.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom)
        pane.scrollTo({ top: pane.scrollTop + inner.top - outer.top - outer.height / 3, behavior: 'smooth' });
    }
    if (asked) mark.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [root, place, shown]);
}
