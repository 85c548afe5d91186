import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { writeStored, readStored } from '../kept.ts';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const icons = { system: Monitor, light: Sun, dark: Moon };
const names = { system: 'Auto', light: 'Light', dark: 'Dark' };

/** The colours: as the system, light, dark. public/assets/theme-1.js applies them before the first paint. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => themes.find((name) => name === readStored('theme')) ?? 'system');
  const Icon = icons[theme];
  const turn = () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
    writeStored('theme', next === 'system' ? null : next);
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    setTheme(next);
  };
  return (
    <button
      type="button"
      onClick={turn}
      className="inline-flex items-center gap-2 rounded-lg px-2 py-1.5 text-sm text-quiet hover:text-ink"
    >
      <Icon aria-hidden className="size-4" /> <span className="sr-only">Colours: </span>
      {names[theme]}
    </button>
  );
}
