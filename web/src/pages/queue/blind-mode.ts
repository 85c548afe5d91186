import { useState } from 'react';
import { keep, kept } from '../../kept.ts';

/** Whether content comes before the machine's opinion: unless somebody turned it off, and that is remembered. */
export function useBlindMode(): [blind: boolean, turn: (blind: boolean) => void] {
  const [blind, setBlind] = useState(() => kept('queue-blind') !== 'off');
  return [
    blind,
    (next) => {
      keep('queue-blind', next ? null : 'off');
      setBlind(next);
    },
  ];
}
