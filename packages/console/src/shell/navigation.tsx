import {
  Activity,
  BookOpenCheck,
  ChartNoAxesCombined,
  Eye,
  EyeOff,
  FlaskConical,
  Inbox,
  LibraryBig,
  Monitor,
  Moon,
  Scale,
  ScrollText,
  Settings,
  ShieldAlert,
  Sun,
  Tags,
} from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { SentJob, KeyScope, Self } from '../api/client.ts';
import { readStored, writeStored } from '../browser-storage.ts';
import { setCovers, useCovers } from '../components/care.ts';
import { consoleJobs } from '../jobs/index.ts';

interface PageLink {
  to: string;
  title: string;
  icon: ComponentType<{ className?: string; 'aria-hidden'?: true }>;
  /** Who may not do this is not shown the way. */
  scope: KeyScope;
  /** The job that it belongs to; shown where the server does it. */
  job?: SentJob;
}

const pages: readonly PageLink[] = [
  { to: '/', title: 'Judge', icon: Scale, scope: 'read' },
  { to: '/cases', title: 'Cases', icon: BookOpenCheck, scope: 'read' },
  { to: '/queue', title: 'Queue', icon: Inbox, scope: 'review' },
  { to: '/known-images', title: 'Known images', icon: ShieldAlert, scope: 'care' },
  { to: '/annotation', title: 'Annotation', icon: Tags, scope: 'review' },
  ...consoleJobs.flatMap(({ id, page }): PageLink[] => (page ? [{ ...page, scope: 'read', job: id }] : [])),
  { to: '/evaluations', title: 'Evaluations', icon: FlaskConical, scope: 'read' },
  { to: '/precedents', title: 'Precedents', icon: LibraryBig, scope: 'read' },
  { to: '/policy', title: 'Policy', icon: ScrollText, scope: 'read' },
  { to: '/overview', title: 'Overview', icon: ChartNoAxesCombined, scope: 'read' },
  { to: '/watching', title: 'Watching', icon: Activity, scope: 'read' },
  { to: '/settings', title: 'Settings', icon: Settings, scope: 'admin' },
];

/** The pages that this server has for whoever is signed in. */
export function listPages({ scopes, models }: Self): readonly PageLink[] {
  return pages.filter(
    ({ scope, job }) =>
      (scopes.includes(scope) || scopes.includes('admin')) && (job === undefined || Object.hasOwn(models, job)),
  );
}

/** Scales: two sides and a judge. */
export function Mark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-link" />
      <path
        d="M16 7v18M10 25h12M7 12h18M7 12l-3 7h6zM25 12l-3 7h6z"
        fill="none"
        className="stroke-surface"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Whether images and films are blurred, and sound is off, until asked for. */
export function CareSwitch() {
  const covers = useCovers();
  const Icon = covers ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-pressed={covers}
      title={covers ? 'Images and films are blurred and muted until you ask' : 'Images and films are shown at once'}
      onClick={() => setCovers(!covers)}
      className="inline-flex items-center gap-2 rounded-lg px-2 py-1.5 text-sm text-quiet hover:text-ink"
    >
      <Icon aria-hidden className="size-4" /> {covers ? 'Media covered' : 'Media shown'}
    </button>
  );
}

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
