import { Fragment, memo } from 'react';
import { showControls } from '../../../src/reports/controls.ts';

/**
 * What somebody wrote, as plain text: characters that cannot be seen, or reorder what is around them, are shown by
 * name.
 */
export const PlainText = memo(function Words({ text }: { text: string }) {
  // A NUL is itself shown by name, so the only ones left are those set around names here.
  const parts = showControls(text, (name) => `\0${name}\0`).split('\0');
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <bdi
        key={index}
        className="mx-0.5 rounded border border-quiet px-1 font-mono text-[0.75em] text-quiet no-underline"
      >
        {part}
      </bdi>
    ),
  );
});
