import { PlainText } from '../../components/words.tsx';
import { PartFrame } from './part-frame.tsx';
import { useSeen } from './use-seen.ts';

const readMs = 500;

/** A text; it was viewed when its end was. */
export function TextPart({
  title,
  text,
  viewed,
  onViewed,
}: {
  title: string;
  text: string;
  viewed: boolean;
  onViewed: () => void;
}) {
  const end = useSeen<HTMLSpanElement>({ active: !viewed, ms: readMs, onSeen: onViewed });
  return (
    <PartFrame title={title} viewed={viewed} missing="Read to its end">
      <div
        tabIndex={0}
        role="group"
        aria-label={title}
        className="max-h-[62vh] overflow-y-auto rounded-lg border bg-paper p-4 text-lg leading-relaxed focus-visible:outline-offset-[-3px]"
      >
        <p className="words">
          <PlainText text={text} />
        </p>
        <span ref={end} aria-hidden className="block h-2" />
      </div>
    </PartFrame>
  );
}
