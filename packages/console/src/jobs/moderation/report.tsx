import { passageWords, viewModeration } from '@agonhq/judges/moderation/view';
import { Section } from '../../components/page.tsx';
import { DebateReport, titleVerdict, type ReportProps, type ReportView } from '../../report/debate-report.tsx';
import { PrecedentsTab } from './precedents-tab.tsx';
import { moderationTrial } from './trial-job.ts';

export const moderationReport: ReportView = {
  name: 'moderation report',
  describe: titleVerdict,
  Body: ModerationReport,
};

/** A moderation, with the precedents that were before the panel. */
function ModerationReport({ answer, extras }: ReportProps) {
  if (answer.job !== 'moderation') return null;
  const debate = viewModeration(answer);
  return (
    <DebateReport
      answer={answer}
      extras={extras}
      job={moderationTrial}
      debate={debate}
      sides={passageWords.names}
      after={
        debate.isDebate && (
          <Section title="Precedents">
            <PrecedentsTab answer={answer} />
          </Section>
        )
      }
      rechecked={debate.isDebate ? 'order of the rules' : 'rules'}
    />
  );
}
