import { memo } from 'react';
import { describeFailure, formatSeconds, nameClauses, readStance } from '@agonhq/engine/view';
import { Badge, ClauseText, LabelBadge } from '../components/badge.tsx';
import { Paragraph, PlainText } from '../components/text.tsx';
import { DistributionBar, showScore, RiskMeter, Score } from '../components/bars.tsx';
import { classes, topEdges } from '../components/tones.ts';
import type { TrialJob } from '../jobs/console-job.ts';
import { useReport } from '../report/report-context.ts';
import { findTurnTone } from './quotations.ts';
import { QuoteList } from './quote-list.tsx';
import { findSeatRole, type TrialTurn } from './trial-view.ts';
import { TurnCallsButton } from './turn-calls-button.tsx';

interface TurnCardProps {
  job: TrialJob;
  turn: TrialTurn;
  /** What the seat said a round ago. */
  before?: TrialTurn | undefined;
}

/** One turn: who speaks, what they say, on what evidence, what went wrong. Drawn again only when the turn changes. */
export const TurnCard = memo(function TurnCard({ job, turn, before }: TurnCardProps) {
  const speaking = turn.state === 'speaking';
  const tone = findTurnTone(job, turn);
  const look = findSeatRole(job, turn.role);
  const { TurnDetails } = job;
  const stance = readStance(turn);
  const report = useReport();
  const name = job.terms.describeSeat({ seat: turn.seat, round: turn.seat === 'control' ? turn.round : null });
  return (
    <article
      id={report?.anchors.get(turn.key)}
      aria-label={turn.round === null ? name : `${name}, round ${turn.round}`}
      aria-busy={speaking}
      data-turn={turn.key}
      className={classes(
        'grid content-start gap-2.5 rounded-xl border border-t-3 bg-surface p-4 arrives',
        topEdges[look.tone ?? (tone && tone !== 'caution' ? tone : 'quiet')],
        turn.fallback && 'border-dashed',
      )}
    >
      <header>
        <div className="flex min-h-7 items-start justify-between gap-x-3">
          <h4 className="min-w-0 font-medium">{name}</h4>
          <Standing turn={turn} label={stance.label} before={before} />
        </div>
        {look.task && <p className="text-sm text-quiet">{look.task}</p>}
      </header>
      {stance.distribution && !turn.fallback && <DistributionBar distribution={stance.distribution} />}
      <Fallback turn={turn} className="rounded-lg bg-caution-ground px-3 py-2 text-sm" />
      {speaking ? (
        <p className="words text-[0.9375rem]">
          {turn.statement === '' ? (
            <span className="animate-pulse text-quiet">Thinking…</span>
          ) : (
            <>
              <PlainText text={turn.statement} />
              <span aria-hidden className="ml-0.5 inline-block h-4 w-1.5 animate-pulse bg-quiet align-text-bottom" />
            </>
          )}
        </p>
      ) : (
        turn.statement !== '' && <Paragraph text={turn.statement} className="text-[0.9375rem]" />
      )}
      {stance.concession && (
        <p className="words text-sm">
          <Badge>Concedes</Badge> <PlainText text={stance.concession} />
        </p>
      )}
      {look.part !== 'closing' && <QuoteList evidence={turn.evidence} tone={tone} label={`Evidence of ${name}`} />}
      {TurnDetails && !turn.fallback && <TurnDetails turn={turn} />}
      {stance.clauses.length > 0 && (
        <ul aria-label="Clauses" className="flex flex-wrap gap-1.5">
          {nameClauses(stance.clauses, report?.extras.policy).map(({ id, title, text }) => (
            <li key={id}>
              <Badge className={classes('whitespace-normal', text === null && 'font-mono')}>
                <PlainText text={title} />
              </Badge>
              <ClauseText text={text} />
            </li>
          ))}
        </ul>
      )}
      {turn.notes.map((note, index) => (
        <Paragraph key={index} text={note} className="text-sm text-quiet" />
      ))}
      <footer className="mt-auto flex flex-wrap items-center gap-x-3 text-xs text-quiet">
        <span className="font-mono">{turn.reasoner}</span>
        {turn.state === 'cut' && <span>interrupted</span>}
        {turn.replayed ? <span>reused</span> : turn.latencyMs !== null && <span>{formatSeconds(turn.latencyMs)}</span>}
        <TurnCallsButton turn={turn} name={name} />
      </footer>
    </article>
  );
});

function Fallback({ turn: { fallback }, className }: { turn: TrialTurn; className?: string }) {
  if (fallback === null) return null;
  return (
    <p className={classes('text-caution', className)}>
      <strong>Fallback used.</strong> This seat gave no answer: {describeFailure(fallback.reason)}.{' '}
      <span className="words">
        <PlainText text={fallback.detail} />
      </span>
    </p>
  );
}

interface StandingProps {
  turn: TrialTurn;
  label: string | null;
  before: TrialTurn | undefined;
}

function Standing({ turn, label, before }: StandingProps) {
  if (turn.fallback) return <Badge>no answer</Badge>;
  if (label !== null) {
    const earlier = before && readStance(before).label;
    return (
      <div className="grid justify-items-end text-sm">
        <LabelBadge label={label} />
        {earlier && earlier !== label && <span className="text-xs text-quiet">was {earlier}</span>}
      </div>
    );
  }
  if (turn.score === null) return null;
  const now = turn.risk?.value ?? turn.score;
  const then = before?.risk?.value ?? before?.score ?? null;
  return (
    <div className="grid justify-items-end text-sm">
      {turn.risk ? <RiskMeter risk={turn.risk} width="w-16" /> : <Score value={turn.score} width="w-16" />}
      {then !== null && showScore(then) !== showScore(now) && (
        <span className="text-xs text-quiet">
          {now > then ? 'up' : 'down'} from {showScore(then)}
        </span>
      )}
    </div>
  );
}

/** Somebody who prepares the debate and takes no side: told in a few lines. */
export const OpeningTurn = memo(function OpeningTurn({ job, turn }: { job: TrialJob; turn: TrialTurn }) {
  const { patterns } = readStance(turn);
  const name = job.terms.describeSeat({ seat: turn.seat, round: null });
  return (
    <article
      id={useReport()?.anchors.get(turn.key)}
      aria-label={turn.scope === null ? name : `${name}, ${turn.scope}`}
      aria-busy={turn.state === 'speaking'}
      data-turn={turn.key}
      className="grid gap-1 rounded-xl border bg-surface px-4 py-3 text-sm arrives"
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-quiet">
        <span>
          <strong className="font-medium text-ink">{name}</strong> · {findSeatRole(job, turn.role).task}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 text-xs">
          <span>
            <span className="font-mono">{turn.reasoner}</span>
            {turn.replayed ? ' · reused' : turn.latencyMs !== null && ` · ${formatSeconds(turn.latencyMs)}`}
          </span>
          <TurnCallsButton turn={turn} name={name} />
        </span>
      </p>
      <Fallback turn={turn} />
      {turn.statement === '' ? (
        turn.state === 'speaking' && <p className="animate-pulse text-quiet">Thinking…</p>
      ) : (
        <Paragraph text={turn.statement} />
      )}
      {patterns.length > 0 && (
        <ul className="list-disc pl-5">
          {patterns.map((pattern, index) => (
            <li key={index} className="words">
              <PlainText text={pattern} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
});
