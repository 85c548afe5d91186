import { Search } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { InputField } from './field.tsx';

const pauseMs = 250;

interface SearchBoxProps {
  /** What is looked for: `Search cases`. */
  label: string;
  value: string;
  onChange: (words: string) => void;
  box?: Ref<HTMLInputElement>;
  placeholder?: string;
}

/** Words to look for: asked for when somebody stops typing. */
export function SearchBox({ label, value, onChange, box, placeholder = 'Search the content' }: SearchBoxProps) {
  const [written, setWritten] = useState(value);
  const asked = useRef(value);
  useEffect(() => {
    // Somebody else changed it: a link, or a filter that was taken away. What was asked for from here may have been
    // typed on.
    if (value !== asked.current) setWritten(value);
    asked.current = value;
  }, [value]);
  const settle = useEffectEvent(() => {
    const words = written.trim();
    if (words === asked.current) return;
    asked.current = words;
    onChange(words);
  });
  useEffect(() => {
    const timer = setTimeout(settle, pauseMs);
    return () => clearTimeout(timer);
  }, [written]);
  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-quiet" />
      <InputField
        label={label}
        hideLabel
        ref={box}
        type="search"
        look="pl-9"
        placeholder={placeholder}
        maxLength={200}
        value={written}
        onChange={setWritten}
      />
    </div>
  );
}
