import { useState } from 'react';
import { writeStored, readStored } from '../../kept.ts';

/** Whether content comes before the machine's opinion: unless somebody turned it off, and that is remembered. */
export function useBlindMode(): [blind: boolean, turn: (blind: boolean) => void] {
  const [blind, setBlind] = useState(() => readStored('queue-blind') !== 'off');
  return [
    blind,
    (next) => {
      writeStored('queue-blind', next ? null : 'off');
      setBlind(next);
    },
  ];
}
