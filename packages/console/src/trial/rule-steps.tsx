import { Check, type LucideIcon, Minus, X } from 'lucide-react';
import { useMemo } from 'react';
import { PlainText } from '../components/text.tsx';
import { classes } from '../components/tones.ts';
import { useReport } from '../report/report-context.ts';
import { QuoteList } from './quote-list.tsx';
import { type TrialView, findSeatRole } from './trial-view.ts';
import { readRuleFindings, viewRules, type Ladder, type LadderStep } from '@agonhq/engine/view';

const states: Record<TrialStep['state'], { title: string; icon: LucideIcon | null; badge: string }> = {
  decided: { title: 'Decided', icon: Check, badge: 'border-link bg-link text-surface' },
  passed: { title: 'Checked, did not apply', icon: X, badge: 'border-quiet text-quiet' },
  'not-reached': { title: 'Not reached', icon: Minus, badge: 'border-line text-quiet' },
  'not-checked': { title: 'Not applied', icon: Minus, badge: 'border-line text-quiet' },
  waiting: { title: '', icon: null, badge: 'border-line text-quiet' },
};

/* One rule after the other is seen to tick. */
const delays = ['', 'motion-safe:delay-150', 'motion-safe:delay-300'];

/**
 * The rules in the order of their priority: which were checked, which decided, on what findings. Nothing where votes
 * decide.
 */
export function RuleSteps({ view }: { view: Pick<TrialView, 'job' | 'method' | 'turns' | 'verdict'> }) {
  const list = useMemo(() => listRuleSteps(view), [view]);
  if (list === null) return null;
  return (
    <div className="grid gap-3">
      <ol className="grid">
        {list.steps.map((step, index) => (
          <RuleStep key={step.number} step={step} delay={delays[index] ?? ''} last={index === list.steps.length - 1} />
        ))}
      </ol>
      {list.outcome !== null && (
        <p className="rounded-lg bg-caution-ground px-3 py-2 text-caution">
          <strong>None of these rules decided.</strong> {list.outcome}
        </p>
      )}
    </div>
  );
}

function RuleStep({ step, delay, last }: { step: TrialStep; delay: string; last: boolean }) {
  const { title, icon: Icon, badge } = states[step.state];
  const settled = step.state !== 'waiting';
  const isReport = useReport() !== null;
  // A report has all that was said.
  const isTold = isReport || step.state !== 'not-reached';
  return (
    <li id={isReport ? `rule-${step.number}` : undefined} className="grid grid-cols-[auto_1fr] gap-x-3">
      <div aria-hidden className="grid justify-items-center grid-rows-[auto_1fr]">
        <span
          className={classes(
            'grid size-7 place-items-center rounded-full border-2 text-sm transition-colors duration-200',
            badge,
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
            {title}
          </span>
        </p>
        {settled && step.explanation !== '' ? (
          <p className="text-sm">{step.explanation}</p>
        ) : (
          <p className="text-sm text-quiet">{step.question}</p>
        )}
        {step.why && isTold && (
          <p className="words border-l-2 pl-2.5 text-sm text-quiet">
            <span className="sr-only">The arbiter’s finding: </span>
            <PlainText text={step.why} />
          </p>
        )}
        {isTold && <QuoteList evidence={step.evidence} label={`Evidence under rule ${step.number}`} />}
      </div>
    </li>
  );
}

/** A rule on its way: `waiting` until the arbiter has spoken. */
type TrialStep = Omit<LadderStep, 'state'> & { state: LadderStep['state'] | 'waiting' };

/** `outcome`: what was decided instead when none of the rules could. */
type RuleStepList = Omit<Ladder, 'steps'> & { steps: readonly TrialStep[] };

/**
 * The rules in the order of their priority, as far as the trial has come; null where no rules are applied: votes
 * decide.
 */
export function listRuleSteps(view: Pick<TrialView, 'job' | 'method' | 'turns' | 'verdict'>): RuleStepList | null {
  const { job, method, verdict } = view;
  const turns = [...view.turns.values()];
  const { rules } = job.terms;
  const isDebate = (method === null || method === 'debate') && !turns.some(({ role }) => role === 'judge');
  if (rules.length === 0 || !isDebate) return null;
  const arbiter = turns.findLast(({ role }) => findSeatRole(job, role).part === 'closing');
  const findings = readRuleFindings(job.terms, arbiter?.state === 'said' ? arbiter : undefined);
  if (verdict !== null) return viewRules(verdict, job.terms, findings);
  return {
    steps: rules.map(({ title, question, finding }, index) => {
      const found = finding && findings?.get(finding.name);
      return {
        number: index + 1,
        title,
        question,
        state: 'waiting',
        explanation: '',
        why: found?.why || null,
        evidence: found?.evidence ?? [],
      };
    }),
    outcome: null,
  };
}
