import type { ClaimTrace, NumberedFinding } from '@agonhq/documents/trace';
import {
  describePersonVerdict,
  findPersonVerdict,
  isSameFinding,
  listAlike,
  nameCheck,
  type GivenCorrection,
} from '@agonhq/documents/view';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import { Paragraph, PlainText } from '../../../components/text.tsx';
import type { Going } from '../analysis-types.ts';
import { EditWords } from '../findings/edit-words.tsx';
import { ClaimDetails, ClaimHead, Part } from './claim-card.tsx';
import { OutcomeBadge } from './number-check.tsx';

interface ReportedClaimProps extends Going {
  trace: ClaimTrace;
  findings: readonly NumberedFinding[];
  corrections: readonly GivenCorrection[];
  edits: readonly GivenEdit[];
}

/** A claim of a report: all that was said about it is there, its debate folded. */
export function ReportedClaim({ trace, findings, corrections, edits, ...going }: ReportedClaimProps) {
  const { number, anchor, answer } = trace;
  const person = findPersonVerdict(answer, corrections);
  const said = [...(person ? [describePersonVerdict(person)] : []), ...listAlike(answer)];
  const edit = edits.find(({ finding }) => finding === answer.subject.id);
  return (
    <article id={anchor} className="rounded-xl border bg-surface">
      <header className="grid gap-1.5 p-4">
        <ClaimHead number={number} answer={answer} corrections={corrections} headingLevel="h3" />
      </header>
      <ClaimDetails
        trace={trace}
        people={
          <>
            {said.length > 0 && (
              <Part title="Corrected by people">
                {said.map((words) => (
                  <Paragraph key={words} text={words} />
                ))}
              </Part>
            )}
            {edit && (
              <Part title="For the report">
                <EditWords edit={edit} />
              </Part>
            )}
          </>
        }
        checks={<ClaimChecks trace={trace} findings={findings} />}
        {...going}
      />
    </article>
  );
}

/** Its number checks in a line each: they stand in full among all others. */
function ClaimChecks({ trace: { checks }, findings }: Pick<ReportedClaimProps, 'trace' | 'findings'>) {
  return (
    <ul className="grid gap-2 text-sm">
      {checks.map(({ finding }) => {
        const numbered = findings.find((other) => isSameFinding(other.finding, finding));
        return (
          <li key={finding.id} className="words">
            <OutcomeBadge outcome={finding.outcome} /> <PlainText text={finding.statement} />{' '}
            <span className="font-mono">
              <PlainText text={finding.arithmetic} />
            </span>{' '}
            {numbered && (
              <a href={`#${numbered.anchor}`} className="text-link underline">
                {nameCheck(finding.check)}, check {numbered.number}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
