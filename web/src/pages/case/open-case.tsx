import { Link } from '@tanstack/react-router';
import { Hourglass, Radio } from 'lucide-react';
import type { CaseRecord } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { Card, Section } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PlainText } from '../../components/words.tsx';

/** A case without a verdict: it is being judged, or its trial was cut off. */
export function OpenCase({ record: { id, live, excerpt } }: { record: CaseRecord }) {
  return (
    <>
      {live ? (
        <EmptyState
          title="It is being judged"
          icon={Radio}
          action={
            <Link to="/" search={{ case: id } as never} className={buttonClass('primary')}>
              Watch the debate
            </Link>
          }
        >
          The verdict will stand here as soon as it is reached.
        </EmptyState>
      ) : (
        <EmptyState title="It has no verdict" icon={Hourglass}>
          Its trial was cut off, or another server is holding it. Judged again, the same content goes on where it
          stopped.
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
