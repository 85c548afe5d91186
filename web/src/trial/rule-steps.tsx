import { Check, Minus, X, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import { classes } from '../class-names.ts';
import { PlainText } from '../components/plain-text.tsx';
import { listRuleSteps, type TrialStep } from './list-rule-steps.ts';
import { QuoteList } from './quote-list.tsx';
import type { TrialView } from './trial-view.ts';

const states: Record<TrialStep['state'], { words: string; icon: LucideIcon | null; rung: string }> = {
  decided: { words: 'Decided', icon: Check, rung: 'border-link bg-link text-surface' },
  passed: { words: 'Checked, did not apply', icon: X, rung: 'border-quiet text-quiet' },
  'not-reached': { words: 'Not reached', icon: Minus, rung: 'border-line text-quiet' },
  'not-checked': { words: 'Not applied', icon: Minus, rung: 'border-line text-quiet' },
  waiting: { words: '', icon: null, rung: 'border-line text-quiet' },
};

/* One rule after the other is seen to tick. */
const delays = ['', 'motion-safe:delay-150', 'motion-safe:delay-300'];

/**
 * The rules in the order of their priority: which were checked, which decided, on what findings. Nothing where votes
 * decide.
 */
export function RuleSteps({ view }: { view: Pick<TrialView, 'job' | 'method' | 'turns' | 'verdict'> }) {
  const ladder = useMemo(() => listRuleSteps(view), [view]);
  if (ladder === null) return null;
  return (
    <div className="grid gap-3">
      <ol className="grid">
        {ladder.steps.map((step, index) => (
          <RuleStep
            key={step.number}
            step={step}
            delay={delays[index] ?? ''}
            last={index === ladder.steps.length - 1}
          />
        ))}
      </ol>
      {ladder.outcome !== null && (
        <p className="rounded-lg bg-caution-ground px-3 py-2 text-caution">
          <strong>None of these rules decided.</strong> {ladder.outcome}
        </p>
      )}
    </div>
  );
}

function RuleStep({ step, delay, last }: { step: TrialStep; delay: string; last: boolean }) {
  const { words, icon: Icon, rung } = states[step.state];
  const settled = step.state !== 'waiting';
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3">
      <div aria-hidden className="grid justify-items-center grid-rows-[auto_1fr]">
        <span
          className={classes(
            'grid size-7 place-items-center rounded-full border-2 text-sm transition-colors duration-200',
            rung,
            delay,
          )}
        >
          {Icon ? <Icon className="size-4" /> : step.number}
        </span>
        {!last && <span className="w-0.5 bg-line" />}
      </div>
      <div className={classes('grid gap-1.5 pt-0.5', !last && 'pb-4', step.state === 'not-reached' && 'text-quiet')}>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong className="font-medium">
            Rule {step.number}, {step.title.toLowerCase()}
          </strong>{' '}
          <span className={classes('text-sm', step.state === 'decided' ? 'font-medium text-link' : 'text-quiet')}>
            {words}
          </span>
        </p>
        {settled && step.explanation !== '' ? (
          <p className="text-sm">{step.explanation}</p>
        ) : (
          <p className="text-sm text-quiet">{step.question}</p>
        )}
        {step.why && step.state !== 'not-reached' && (
          <p className="words border-l-2 pl-2.5 text-sm text-quiet">
            <span className="sr-only">The arbiter’s finding: </span>
            <PlainText text={step.why} />
          </p>
        )}
        {step.state !== 'not-reached' && (
          <QuoteList evidence={step.evidence} label={`Evidence under rule ${step.number}`} />
        )}
      </div>
    </li>
  );
}
