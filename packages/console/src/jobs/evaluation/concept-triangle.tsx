import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import type { SentAnswer } from '../../api/client.ts';
import { showScore } from '../../components/bars.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { classes, fills, type SeriesTone, strokes } from '../../components/tones.ts';
import { useReport } from '../../report/report-context.ts';
import { RoundEquations } from './round-equations.tsx';
import {
  corners,
  formatRounds,
  frame,
  isMovedAside,
  listGridLines,
  type ConceptMark,
  outlineMark,
  type ConceptPlace,
  placeMarks,
  radius,
} from '@agonhq/judges/evaluation/concept-space';
import { describeStanding, viewEvaluation, type Speaker } from '@agonhq/judges/evaluation/view';

const tones: Record<Speaker['tone'], SeriesTone> = {
  auditor: 'risk',
  detector: 'implicit',
  critic: 'both',
  judge: 'quiet',
  mixture: 'ink',
};
const dashes: Partial<Record<Speaker['tone'], string>> = { detector: '7 4', critic: '2 4' };

/**
 * The risk-concept space of an evaluation: each role's path over the rounds, its legend and its numbers. Nothing
 * where nobody stated a distribution.
 */
export function ConceptTriangle({ answer }: { answer: SentAnswer }) {
  const { speakers, rounds } = useMemo(
    () => (answer.job === 'evaluation' ? viewEvaluation(answer) : { speakers: [], rounds: [] }),
    [answer],
  );
  const marks = useMemo(() => placeMarks(speakers), [speakers]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const title = useId();
  const isReport = useReport() !== null;
  if (marks.length === 0) return null;
  const isDim = (speaker: Speaker) => chosen !== null && chosen !== speaker.name;
  return (
    <figure className="grid grid-cols-1 gap-4 md:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <div className="grid content-start gap-2">
        <svg
          viewBox={`0 0 ${frame.width} ${frame.height}`}
          role={isReport ? 'img' : 'group'}
          aria-labelledby={title}
          aria-describedby={isReport ? `${title}-marks` : undefined}
          className="w-full max-w-md"
        >
          <title id={title}>
            {`Where each role sees the risk, round by round.${isReport ? '' : ' Use the arrow keys to move between marks.'}`}
          </title>
          {isReport && <desc id={`${title}-marks`}>{marks.map(describeMark).join('; ')}</desc>}
          <path
            d={drawPath([corners.none, corners.explicit, corners.implicit])}
            className="fill-surface stroke-quiet"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
          {listGridLines().map(([from, to]) => (
            <line
              key={`${from.x} ${from.y} ${to.x}`}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              className="stroke-line"
            />
          ))}
          <g aria-hidden className="fill-ink text-[14px] font-semibold">
            <text x="200" y="16" textAnchor="middle">
              No risk
            </text>
            <text x="2" y="406">
              Explicit risk
            </text>
            <text x="398" y="406" textAnchor="end">
              Implicit risk
            </text>
          </g>
          <g aria-hidden className="fill-quiet text-[12px]">
            <text x="2" y="423">
              breaks a rule outright
            </text>
            <text x="398" y="423" textAnchor="end">
              shows only in context
            </text>
          </g>
          {speakers
            .filter(({ joined }) => joined)
            .map((speaker) => (
              <polyline
                key={speaker.name}
                points={marks
                  .filter((mark) => mark.speaker === speaker)
                  .map(({ x, y }) => `${x},${y}`)
                  .join(' ')}
                className={classes('fill-none', strokes[tones[speaker.tone]], isDim(speaker) && 'opacity-15')}
                strokeWidth={speaker.tone === 'mixture' ? 4 : 2}
                strokeOpacity={speaker.tone === 'mixture' ? 0.55 : 1}
                strokeDasharray={dashes[speaker.tone]}
              />
            ))}
          {marks.filter(isMovedAside).map((mark) => (
            <line
              key={markKey(mark)}
              x1={mark.x}
              y1={mark.y}
              x2={mark.true.x}
              y2={mark.true.y}
              className={classes(strokes[tones[mark.speaker.tone]], isDim(mark.speaker) && 'opacity-15')}
            />
          ))}
          <Marks marks={marks} active={active} onActive={setActive} isDim={isDim} />
        </svg>
        <p aria-live="polite" className="min-h-12 text-sm text-quiet">
          {active === null ? (
            'The number in a mark is its round. Marks that would overlap are moved aside, with a line to their ' +
            'exact position.'
          ) : (
            <span className="text-ink">{describeMark(marks[active]!)}</span>
          )}
        </p>
      </div>
      <figcaption className="grid grid-cols-1 content-start gap-3">
        <ul aria-label="Roles" className="flex flex-wrap gap-2">
          {speakers.map((speaker) => (
            <li key={speaker.name}>
              {isReport ? (
                <span className="inline-flex min-h-8 items-center gap-1.5 pr-2 text-sm">
                  <SpeakerName speaker={speaker} />
                </span>
              ) : (
                <button
                  type="button"
                  aria-pressed={chosen === speaker.name}
                  onClick={() => setChosen(chosen === speaker.name ? null : speaker.name)}
                  className={classes(
                    'inline-flex min-h-8 items-center gap-1.5 rounded-full border bg-surface px-3 text-sm',
                    'hover:border-quiet aria-pressed:border-link aria-pressed:bg-implicit-ground',
                  )}
                >
                  <SpeakerName speaker={speaker} />
                </button>
              )}
            </li>
          ))}
        </ul>
        <details className="min-w-0" open={isReport}>
          <summary className="text-link underline">Show the numbers</summary>
          <div className="mt-2">
            <ConceptTable speakers={speakers} />
          </div>
        </details>
      </figcaption>
      {answer.job === 'evaluation' && rounds.some(({ mixing }) => mixing) && (
        <details className="min-w-0 md:col-span-2" open={isReport}>
          <summary className="text-link underline">Show what was computed</summary>
          <div className="mt-2 grid items-start gap-4 md:grid-cols-2">
            <RoundEquations rounds={rounds} delta={answer.provenance.plan.delta} />
          </div>
        </details>
      )}
    </figure>
  );
}

function SpeakerName({ speaker }: { speaker: Speaker }) {
  return (
    <>
      <svg aria-hidden viewBox="0 0 24 24" className="size-5">
        <ShapeAt speaker={speaker} x={12} y={12} isStandIn={false} />
      </svg>{' '}
      {speaker.name}
    </>
  );
}

/** One tab stop for all marks; arrows go through them in the order of the speakers. */
function Marks({
  marks,
  active,
  onActive,
  isDim,
}: {
  marks: readonly ConceptMark[];
  active: number | null;
  onActive: (index: number | null) => void;
  isDim: (speaker: Speaker) => boolean;
}) {
  const isReport = useReport() !== null;
  const group = useRef<SVGGElement>(null);
  const reachable = active ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowRight: reachable + 1,
      ArrowDown: reachable + 1,
      ArrowLeft: reachable - 1,
      ArrowUp: reachable - 1,
      Home: 0,
      End: marks.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    group.current?.querySelectorAll<SVGGElement>('[data-mark]')[(to + marks.length) % marks.length]?.focus();
  };
  return (
    <g ref={group} onKeyDown={onKeyDown} onBlur={() => onActive(null)}>
      {marks.map((mark, index) => (
        <g
          key={markKey(mark)}
          data-mark
          role={isReport ? undefined : 'img'}
          aria-label={isReport ? undefined : describeMark(mark)}
          tabIndex={isReport ? undefined : index === reachable ? 0 : -1}
          onFocus={() => onActive(index)}
          onMouseEnter={() => onActive(index)}
          onMouseLeave={() => onActive(null)}
          className={classes('outline-none', isDim(mark.speaker) && 'opacity-15')}
        >
          {active === index && (
            <circle cx={mark.x} cy={mark.y} r={radius + 6} className="fill-none stroke-link" strokeWidth="3" />
          )}
          <ShapeAt speaker={mark.speaker} x={mark.x} y={mark.y} isStandIn={mark.points[0]!.isStandIn} />
          <text
            x={mark.x}
            y={mark.y + 3.8}
            textAnchor="middle"
            className={classes(
              'font-bold',
              formatRounds(mark).length > 1 ? 'text-[8.5px]' : 'text-[11px]',
              mark.speaker.variant === 1 && !mark.points[0]!.isStandIn
                ? 'fill-surface'
                : fills[tones[mark.speaker.tone]],
            )}
          >
            {formatRounds(mark)}
          </text>
        </g>
      ))}
    </g>
  );
}

function ShapeAt({ speaker, x, y, isStandIn }: ConceptPlace & { speaker: Speaker; isStandIn: boolean }) {
  const look = {
    className: classes(
      strokes[tones[speaker.tone]],
      speaker.variant === 1 && !isStandIn ? fills[tones[speaker.tone]] : 'fill-surface',
    ),
    strokeWidth: 2,
    strokeLinejoin: 'round' as const,
    strokeDasharray: isStandIn ? '3 3' : undefined,
  };
  const outline = outlineMark(speaker, { x, y });
  return outline ? <path d={drawPath(outline)} {...look} /> : <circle cx={x} cy={y} r={radius} {...look} />;
}

/** What the drawing shows, as a table. */
function ConceptTable({ speakers }: { speakers: readonly Speaker[] }) {
  return (
    <Table label="Risk concepts, round by round" head={['Role', 'Round', 'Explicit', 'Implicit', 'None', 'Label']}>
      {speakers.flatMap((speaker) =>
        speaker.points.map((point, index) => (
          <tr key={`${speaker.name} ${index}`} className="text-sm">
            <Cell>{speaker.name}</Cell>
            <Cell>{point.round ?? `Vote ${index + 1}`}</Cell>
            {(['explicit', 'implicit', 'none'] as const).map((concept) => (
              <Cell key={concept} className="tabular-nums">
                {point.distribution && showScore(point.distribution[concept])}
              </Cell>
            ))}
            <Cell>{describeStanding(point)}</Cell>
          </tr>
        )),
      )}
    </Table>
  );
}

function describeMark(mark: ConceptMark): string {
  const { explicit, implicit, none } = mark.points[0]!.distribution!;
  const rounds = formatRounds(mark);
  return (
    `${mark.speaker.name}${rounds && `, round ${rounds}`}: explicit ${showScore(explicit)}, implicit ` +
    `${showScore(implicit)}, none ${showScore(none)} (${describeStanding(mark.points.at(-1)!)})`
  );
}

const markKey = ({ speaker, points }: ConceptMark) =>
  `${speaker.name} ${points[0]!.round} ${speaker.points.indexOf(points[0]!)}`;

function drawPath(places: readonly ConceptPlace[]): string {
  return `M${places.map(({ x, y }) => `${x} ${y}`).join(' L')} Z`;
}
