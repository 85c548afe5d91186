import { CircleSlash, Eraser, Hourglass, Radio } from 'lucide-react';
import type { SentCaseRecord } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Card, Section, EmptyState } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { LabelBadge } from '../../components/badge.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { viewVerdictRisk } from '@agonhq/engine/view';
import { RiskMeter } from '../../components/bars.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { Decisions } from './decisions.tsx';

/** A case without a verdict: it is being judged, or its trial was cut off. */
export function OpenCase({ record: { id, live, state, problem, excerpt } }: { record: SentCaseRecord }) {
  return (
    <>
      {live ? (
        <EmptyState
          title="This case is being judged"
          icon={Radio}
          action={
            <ButtonLink to="/" search={{ case: id } as never} variant="primary">
              Watch the debate
            </ButtonLink>
          }
        >
          The verdict will appear here as soon as it is reached.
        </EmptyState>
      ) : state === 'judging' ? (
        <EmptyState title="This case is being judged" icon={Hourglass}>
          Another process works on it. The verdict will appear here as soon as it is reached.
        </EmptyState>
      ) : (
        <EmptyState title="Judging was interrupted" icon={CircleSlash}>
          {problem && (
            <p className="words">
              {problem.message} {problem.hint} <code className="font-mono text-xs">{problem.code}</code>
            </p>
          )}
          <p>Nobody works on it any more. Judge the same content again to continue where it stopped.</p>
        </EmptyState>
      )}
      {excerpt !== null && (
        <Section title="What is judged">
          <Card className="words">
            <PlainText text={excerpt} />
          </Card>
        </Section>
      )}
    </>
  );
}

export function ForgottenCase({ record }: { record: SentCaseRecord }) {
  const { terms } = findConsoleJob(record.job);
  const { label, rule, categories, seal, closedAt, forgottenAt } = record;
  const risk = viewVerdictRisk(record);
  return (
    <>
      <EmptyState title="The content was forgotten" icon={Eraser}>
        The content and everything said about it were deleted on <When moment={forgottenAt!} exact />. This is what
        remains.
      </EmptyState>
      <Section title="The verdict">
        <Card>
          <Facts
            facts={[
              ['Label', <LabelBadge key="label" label={label} />],
              risk && ['Risk', <RiskMeter key="risk" risk={risk} saysBar />],
              rule === null ? null : ['Decided by', terms.describeRule(rule)],
              categories.length > 0 ? ['Categories', categories.join(', ')] : null,
              closedAt === null ? null : ['Decided', <When key="when" moment={closedAt} exact />],
              seal === null
                ? null
                : [
                    'Seal',
                    <code key="seal" className="font-mono text-sm break-all">
                      {seal}
                    </code>,
                  ],
            ]}
          />
        </Card>
      </Section>
      {record.decisions.length > 0 && <Decisions record={record} />}
    </>
  );
}
