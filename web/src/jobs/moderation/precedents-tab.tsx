import { Link } from '@tanstack/react-router';
import { exclusionLines, libraryProblem } from '../../../../src/jobs/moderation/report/exclusion-words.ts';
import type { Answer, ModerationAnswer } from '../../api/types.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Card } from '../../components/page.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { formatWholePercent } from '../../components/bars.tsx';
import { toRecord, toText } from '../../trial/trial-view.ts';

type ShownPrecedent = ModerationAnswer['precedents'][number];

/** So many are shown at once, and those that the brief draws on. */
const shownAtOnce = 6;

interface Comparison {
  precedent: string;
  alike: string;
  differs: string;
}

/** The decided cases that were before the panel: what is alike, and what differs. */
export function PrecedentsTab({ answer }: { answer: Answer }) {
  if (answer.job !== 'moderation') return null;
  const retrieved = answer as unknown as Parameters<typeof exclusionLines>[0];
  const problem = libraryProblem(retrieved);
  const comparisons = readComparisons(answer);
  const isCited = ({ id }: ShownPrecedent) => comparisons.some(({ precedent }) => precedent === id);
  const first = answer.precedents.filter((precedent, rank) => rank < shownAtOnce || isCited(precedent));
  const rest = answer.precedents.filter((precedent) => !first.includes(precedent));
  const cards = (precedents: readonly ShownPrecedent[]) => (
    <ul className="grid gap-4 lg:grid-cols-2">
      {precedents.map((precedent) => (
        <li key={precedent.id}>
          <PrecedentCard
            precedent={precedent}
            comparisons={comparisons.filter((comparison) => comparison.precedent === precedent.id)}
          />
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
      {cards(first)}
      {rest.length > 0 && (
        <details className="grid gap-4">
          <summary className="w-fit text-link">
            {rest.length} more similar {rest.length === 1 ? 'case was' : 'cases were'} shown to the panel
          </summary>
          <div className="mt-4">{cards(rest)}</div>
        </details>
      )}
      <ul className="grid gap-1 text-sm text-quiet">
        {exclusionLines(retrieved, (id) => id).map((line) => (
          <li key={line} className="words">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PrecedentCard({ precedent, comparisons }: { precedent: ShownPrecedent; comparisons: readonly Comparison[] }) {
  const { id, label, category, summary, cues, similarity } = precedent;
  const why = toText(precedent['why']);
  return (
    <Card className="grid h-full content-start gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <LabelBadge label={label} />
        {category !== null && <Badge>{category}</Badge>}
        <span className="ml-auto text-sm text-quiet">
          <b className="text-ink">{formatWholePercent(similarity)}</b> similar
        </span>
      </div>
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
      {comparisons.map(({ alike, differs }, index) => (
        <dl key={index} className="grid gap-x-4 gap-y-2 border-t pt-3 text-sm sm:grid-cols-2">
          <div>
            <dt className="font-medium text-both">Similarity</dt>
            <dd className="words">
              <PlainText text={alike} />
            </dd>
          </div>
          <div>
            <dt className="font-medium text-implicit">Difference</dt>
            <dd className="words">
              <PlainText text={differs} />
            </dd>
          </div>
        </dl>
      ))}
      <Link to="/precedents" search={{ id } as never} className="mt-auto w-fit font-mono text-sm text-link underline">
        {id}
      </Link>
    </Card>
  );
}

/** What the supporter's brief holds against each precedent. */
function readComparisons({ transcript }: ModerationAnswer): Comparison[] {
  const brief = transcript.findLast((entry) => entry.kind === 'turn' && entry.role === 'supporter');
  const cues = brief?.kind === 'turn' && !brief['fallback'] ? toRecord(brief.answer)['cues'] : null;
  return (Array.isArray(cues) ? cues : []).map((value) => {
    const { precedent, cue, difference } = toRecord(value);
    return {
      precedent: toText(precedent) ?? '',
      alike: toText(cue) ?? '',
      differs: toText(difference) ?? '',
    };
  });
}
