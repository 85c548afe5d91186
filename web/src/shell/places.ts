import {
  BookOpenCheck,
  ChartNoAxesCombined,
  FileSearch,
  FlaskConical,
  Inbox,
  LibraryBig,
  Scale,
  ScrollText,
  Tags,
  type LucideIcon,
} from 'lucide-react';
import type { Scope } from '../api/types.ts';

export interface Place {
  to: string;
  title: string;
  icon: LucideIcon;
  /** Who may not do this is not shown the way. */
  scope: Scope;
}

/** The pages, in the order of the day's work. */
export const places: readonly Place[] = [
  { to: '/', title: 'Judge', icon: Scale, scope: 'read' },
  { to: '/cases', title: 'Cases', icon: BookOpenCheck, scope: 'read' },
  { to: '/queue', title: 'Queue', icon: Inbox, scope: 'review' },
  { to: '/annotation', title: 'Annotation', icon: Tags, scope: 'review' },
  { to: '/documents', title: 'Documents', icon: FileSearch, scope: 'read' },
  { to: '/evaluations', title: 'Evaluations', icon: FlaskConical, scope: 'read' },
  { to: '/precedents', title: 'Precedents', icon: LibraryBig, scope: 'read' },
  { to: '/policy', title: 'Policy', icon: ScrollText, scope: 'read' },
  { to: '/overview', title: 'Overview', icon: ChartNoAxesCombined, scope: 'read' },
];
