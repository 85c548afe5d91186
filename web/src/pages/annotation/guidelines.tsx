import { writeStored, readStored } from '../../kept.ts';
import { PlainText } from '../../components/words.tsx';

/** What annotators are told. Whoever knows it by heart folds it away. */
export function Guidelines({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <details
      className="rounded-xl border bg-surface p-4"
      open={readStored('guidelines') !== 'folded'}
      onToggle={({ currentTarget }) => writeStored('guidelines', currentTarget.open ? null : 'folded')}
    >
      <summary className="font-medium">Guidelines</summary>
      <p className="words mt-2 text-sm">
        <PlainText text={text} />
      </p>
    </details>
  );
}
