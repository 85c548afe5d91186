import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { formatPercent } from '../../../src/view/index.ts';
import { BlurredImage, type BlurredImageProps, type Outline } from '../components/blurred-image.tsx';
import { HighlightedText, type Mark, PlainText } from '../components/text.tsx';
import { classes, type MarkTone, panels } from '../components/tones.ts';
import type { JobTerms } from '../jobs/console-job.ts';
import { collectQuotations, type Quotation } from './quotations.ts';
import { type Pointed, usePointed } from './quote-list.tsx';
import type { JudgedImage, TrialSource, TrialView } from './trial-view.ts';

export interface SubjectViewProps {
  view: Pick<TrialView, 'job' | 'sources' | 'images' | 'turns' | 'verdict'>;
  /** Where an image can be seen; null where it cannot. */
  imageUrl?: (image: JudgedImage) => string | null;
  /** Where the page keeps whether images are shown; by default each does so itself. */
  reveal?: Pick<BlurredImageProps, 'revealed' | 'onReveal'>;
}

/** What was judged, lit up where it is quoted. What somebody points at is outlined, and brought into view. */
export function SubjectView({ view, imageUrl = () => null, reveal }: SubjectViewProps) {
  const { job, sources, images, turns, verdict } = view;
  const { parts, loose } = useMemo(() => listSubjectParts({ sources, images }), [sources, images]);
  const quotations = useMemo(() => collectQuotations({ job, turns, verdict }), [job, turns, verdict]);
  const pointed = usePointed();
  const root = useRef<HTMLDivElement>(null);
  useScrollIntoView(root, pointed);
  const text = (source: TrialSource) => (
    <Source source={source} quotations={quotations.get(source.id)} pointed={pointed.place} />
  );
  return (
    <div ref={root} className="grid gap-4">
      {parts.map((part) => (
        <Part
          key={part.id}
          part={part}
          alone={parts.length === 1}
          url={part.image && imageUrl(part.image)}
          reveal={reveal}
        >
          {part.source && text(part.source)}
          {part.observations.filter(isShown).map((observation) => (
            <Observation key={observation.id} observation={observation}>
              {text(observation)}
            </Observation>
          ))}
        </Part>
      ))}
      {loose.map((observation) => (
        <Observation key={observation.id} observation={observation}>
          {text(observation)}
        </Observation>
      ))}
      <Legend quotations={quotations} titles={job.terms.quotedFor} />
    </div>
  );
}

/** That an image is withheld is said in its place. */
function isShown({ tool }: TrialSource): boolean {
  return tool !== 'withheld';
}

interface PartProps {
  part: SubjectPart;
  alone: boolean;
  url: string | null;
  reveal: SubjectViewProps['reveal'];
  children: ReactNode;
}

function Part({ part: { id, source, image, observations }, alone, url, reveal, children }: PartProps) {
  const outlines = useMemo(() => listOutlines(observations), [observations]);
  const title = image
    ? id.replace('image-', 'Image ')
    : `${source?.speaker ?? 'Text'}${source?.isAnswer ? ', the answer' : ''}`;
  return (
    <section aria-label={title} className="grid gap-2">
      {(!alone || image) && <h3 className="text-sm font-medium text-quiet">{title}</h3>}
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
            {...reveal}
          />
        ))}
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
  quotations: readonly Quotation[] | undefined;
  pointed: string | null;
}

function Source({ source: { text }, quotations = [], pointed }: SourceProps) {
  const marks = useMemo(
    () =>
      quotations.map(({ place, start, end, tone, speaker }): Mark => ({
        start,
        end,
        tone,
        id: markId(place),
        title: `Quoted by ${speaker}`,
        active: place === pointed,
      })),
    [quotations, pointed],
  );
  return <HighlightedText text={text} marks={marks} />;
}

/** Ids are told apart by spaces. */
const markId = (place: string) => place.replaceAll(/\s/g, '_');

const tools: Record<string, string> = {
  vision: 'Description by a model',
  given: 'Provided description',
  eyes: 'Description by the embedded eyes',
  objects: 'Things in the image',
  nudity: 'Nudity',
  ocr: 'Text in the image',
  placeholder: 'Not seen',
  statement: 'Statement by the affected person',
  injection: 'Attempted instruction',
};

function Observation({ observation: { tool, note }, children }: { observation: TrialSource; children: ReactNode }) {
  return (
    <div className="grid gap-1 rounded-lg border bg-paper px-3 py-2 text-sm">
      <p className="text-quiet">
        <strong className="font-medium">
          {(tool !== null && Object.hasOwn(tools, tool) && tools[tool]) || `Decoded: ${tool}`}
        </strong>
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
  quotations: ReadonlyMap<string, readonly Quotation[]>;
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

function isQuotedByBoth(quotations: readonly Quotation[]): boolean {
  const against = quotations.filter(({ tone }) => tone === 'risk');
  return quotations.some(
    ({ tone, start, end }) => tone === 'exoneration' && against.some((other) => other.start < end && start < other.end),
  );
}

/**
 * What is pointed at is scrolled to within the content's own pane; the page itself moves only for those who asked for
 * it.
 */
function useScrollIntoView(root: React.RefObject<HTMLDivElement | null>, { place, shown }: Pointed): void {
  const seen = useRef(shown);
  useEffect(() => {
    const asked = seen.current !== shown;
    seen.current = shown;
    if (place === null) return;
    const mark = root.current?.querySelector<HTMLElement>(`[data-marks~=${CSS.escape(markId(place))}]`);
    if (!mark) return;
    const pane = mark.closest<HTMLElement>('[data-pane]');
    if (pane && pane.scrollHeight > pane.clientHeight) {
      const [inner, outer] = [mark.getBoundingClientRect(), pane.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom)
        pane.scrollTo({ top: pane.scrollTop + inner.top - outer.top - outer.height / 3, behavior: 'smooth' });
    }
    if (asked) mark.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [root, place, shown]);
}

/** A text that was judged with what tools drew from it; or an image with what was observed in it. */
interface SubjectPart {
  id: string;
  source: TrialSource | null;
  image: JudgedImage | null;
  observations: readonly TrialSource[];
}

/** What was judged, in the order in which a reader meets it; what belongs to nothing comes last. */
export function listSubjectParts({ sources, images }: Pick<TrialView, 'sources' | 'images'>): {
  parts: SubjectPart[];
  loose: TrialSource[];
} {
  const texts = sources.filter(({ tool }) => tool === null);
  const observations = sources.filter(({ tool }) => tool !== null);
  const findObservations = (id: string) =>
    observations.filter(({ of }) => of === id || (of?.startsWith(`${id}/`) ?? false));
  // Before the record is there, images are known by what was observed in them.
  const seen =
    images.length > 0
      ? images
      : [...new Set(observations.flatMap(({ of }) => /^image-\d+/.exec(of ?? '')?.[0] ?? []))].map((id) => ({
          id,
          hash: null,
        }));
  const parts: SubjectPart[] = [
    ...texts.map((source) => ({ id: source.id, source, image: null, observations: findObservations(source.id) })),
    ...seen.map((image) => ({ id: image.id, source: null, image, observations: findObservations(image.id) })),
  ];
  const placed = new Set(parts.flatMap((part) => part.observations));
  return { parts, loose: observations.filter((observation) => !placed.has(observation)) };
}
