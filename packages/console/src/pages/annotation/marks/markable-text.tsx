import { Highlighter } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { shorten } from '@agonhq/engine/text';
import { Button } from '../../../components/button.tsx';
import { classes } from '../../../components/tones.ts';
import { MarkedText } from './marked-text.tsx';
import { readSelection, stepFrom, trimStretch } from './text-offsets.ts';
import type { FindingDraft, DraftSpan } from './use-finding.ts';

interface MarkableTextProps {
  title: string;
  text: string;
  part: DraftSpan['part'];
  draft: FindingDraft;
  /** Seen when the text was read to here. */
  end: RefObject<HTMLSpanElement | null>;
}

interface Cursor {
  anchor: number;
  focus: number;
  /** Drawn by us; what a mouse selects the browser shows. */
  byKeyboard: boolean;
}

/**
 * A text whose words can be marked: selected with a mouse or a finger, or with the arrow keys, by words with Ctrl;
 * Shift selects, Enter marks.
 */
export function MarkableText({ title, text, part, draft, end }: MarkableTextProps) {
  const frame = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const help = useId();
  const [cursor, setCursor] = useState<Cursor | null>(null);
  useEffect(() => {
    const look = () => {
      const selected = words.current && readSelection(words.current, text);
      if (selected) setCursor({ ...selected, byKeyboard: false });
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [text]);
  useEffect(() => {
    if (cursor?.byKeyboard)
      frame.current?.querySelector('[data-caret], .outline-link')?.scrollIntoView({ block: 'nearest' });
  }, [cursor]);
  const stretch = cursor && trimStretch(text, cursor.anchor, cursor.focus);
  const mark = () => {
    if (!stretch) return;
    draft.addSpan({ part, ...stretch, quote: text.slice(stretch.start, stretch.end) });
    document.getSelection()?.removeAllRanges();
    setCursor((held) => held && { anchor: stretch.end, focus: stretch.end, byKeyboard: held.byKeyboard });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null;
    if (by !== null) {
      const { anchor, focus } = cursor ?? { anchor: 0, focus: 0 };
      const next = stepFrom(text, focus, by, event.ctrlKey || event.altKey || event.metaKey ? 'word' : 'character');
      document.getSelection()?.removeAllRanges();
      setCursor({ anchor: event.shiftKey ? anchor : next, focus: next, byKeyboard: true });
    } else if (event.key === 'Enter' && stretch) mark();
    else if (event.key === 'Escape' && cursor) setCursor(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const chosen = cursor?.byKeyboard
    ? { start: Math.min(cursor.anchor, cursor.focus), end: Math.max(cursor.anchor, cursor.focus) }
    : null;
  return (
    <div className="grid gap-2">
      <div
        ref={frame}
        tabIndex={0}
        role="group"
        aria-label={title}
        aria-describedby={help}
        onKeyDown={onKeyDown}
        className={classes(
          'max-h-[62vh] overflow-y-auto rounded-lg border bg-paper p-4 text-lg leading-relaxed',
          'focus-visible:outline-offset-[-3px]',
        )}
      >
        <div ref={words}>
          <MarkedText text={text} part={part} finding={draft.finding} chosen={chosen} />
        </div>
        <span ref={end} aria-hidden className="block h-2" />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          icon={Highlighter}
          size="small"
          className="max-w-full"
          disabled={!stretch}
          onMouseDown={(event) => event.preventDefault()}
          onClick={mark}
        >
          <span className="truncate">
            {stretch ? `Mark “${shorten(text.slice(stretch.start, stretch.end), 40)}”` : 'Mark selected words'}
          </span>
        </Button>
        <p id={help} className="text-sm text-quiet">
          Select words with the mouse, or with the arrow keys and Shift: Ctrl goes by words, Enter marks.
        </p>
        <span role="status" className="sr-only">
          {chosen && stretch ? `Selected: ${text.slice(stretch.start, stretch.end)}` : ''}
        </span>
      </div>
    </div>
  );
}
