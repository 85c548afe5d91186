import { Link } from '@tanstack/react-router';
import { describePictureMatch } from '@agonhq/engine/fingerprint';
import { viewPrecedents, type PrecedentsView } from '@agonhq/judges/moderation/view';
import type { SentAnswer } from '../../api/client.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Card } from '../../components/page.tsx';
import { PlainText } from '../../components/text.tsx';
import { useReport } from '../../report/report-context.ts';
import { formatWholePercent } from '../../components/bars.tsx';

/** So many are shown at once, and those that the brief draws on. */
const shownAtOnce = 6;

type Shown = PrecedentsView['shown'][number];

/** The decided cases that were before the panel: what is alike, and what differs. */
export function PrecedentsTab({ answer }: { answer: SentAnswer }) {
  const report = useReport();
  if (answer.job !== 'moderation') return null;
  const { problem, shown, rest, further, exclusions, furtherExcluded } = viewPrecedents(
    answer,
    report ? undefined : shownAtOnce,
  );
  const cards = (precedents: readonly Shown[]) => (
    <ul className="grid gap-4 lg:grid-cols-2">
      {precedents.map((view) => (
        <li key={view.precedent.id}>
          <PrecedentCard {...view} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="grid gap-4">
      {problem !== null && (
        <p className="rounded-lg bg-caution-ground px-3 py-2 text-caution">
          <strong>The precedent library has a problem.</strong> <PlainText text={problem} />
        </p>
      )}
      {answer.precedents.length === 0 && (
        <p className="text-quiet">No precedents were found, so the case was argued on its own.</p>
      )}
      {cards(shown)}
      {report && further !== null && <p className="text-sm text-quiet">{further}</p>}
      {!report && rest.length > 0 && (
        <details className="grid gap-4">
          <summary className="w-fit text-link">
            {rest.length} more similar {rest.length === 1 ? 'case was' : 'cases were'} shown to the panel
          </summary>
          <div className="mt-4">{cards(rest.map((precedent) => ({ precedent, cues: [] })))}</div>
        </details>
      )}
      <ul className="grid gap-1 text-sm text-quiet">
        {exclusions.map(({ reason, ids }) => (
          <li key={reason} className="words">
            Not shown, {reason}: {ids.join(', ')}
          </li>
        ))}
        {furtherExcluded !== null && <li>{furtherExcluded}</li>}
      </ul>
    </div>
  );
}

function PrecedentCard({ precedent, cues: compared }: Shown) {
  const { id, label, category, summary, cues, similarity, why, picture } = precedent;
  const isReport = useReport() !== null;
  return (
    <Card className="grid h-full content-start gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <LabelBadge label={label} />
        {category !== null && <Badge>{category}</Badge>}
        <span className="ml-auto text-sm text-quiet">
          <b className="text-ink">{formatWholePercent(similarity)}</b> similar
        </span>
      </div>
      {picture && <p className="text-sm text-quiet">Found by its pixels: {describePictureMatch(picture)}.</p>}
      <p className="words">
        <PlainText text={summary} />
      </p>
      {why && (
        <p className="words text-sm text-quiet">
          Reason: <PlainText text={why} />
        </p>
      )}
      {cues.length > 0 && (
        <p className="words text-sm text-quiet">
          Cues: <PlainText text={cues.join('; ')} />
        </p>
      )}
      {compared.map(({ cue, difference }, index) => (
        <dl key={index} className="grid gap-x-4 gap-y-2 border-t pt-3 text-sm sm:grid-cols-2">
          <div>
            <dt className="font-medium text-both">Similarity</dt>
            <dd className="words">
              <PlainText text={cue} />
            </dd>
          </div>
          <div>
            <dt className="font-medium text-implicit">Difference</dt>
            <dd className="words">
              <PlainText text={difference} />
            </dd>
          </div>
        </dl>
      ))}
      {isReport ? (
        <code className="mt-auto font-mono text-sm text-quiet">{id}</code>
      ) : (
        <Link to="/precedents" search={{ id } as never} className="mt-auto w-fit font-mono text-sm text-link underline">
          {id}
        </Link>
      )}
    </Card>
  );
}
