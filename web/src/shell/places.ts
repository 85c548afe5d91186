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
  sign: LucideIcon;
  /** Who may not do this is not shown the way. */
  scope: Scope;
}

/** The pages, in the order of the day's work. */
export const places: readonly Place[] = [
  { to: '/', title: 'Judge', sign: Scale, scope: 'read' },
  { to: '/cases', title: 'Cases', sign: BookOpenCheck, scope: 'read' },
  { to: '/queue', title: 'Queue', sign: Inbox, scope: 'review' },
  { to: '/annotation', title: 'Annotation', sign: Tags, scope: 'review' },
  { to: '/documents', title: 'Documents', sign: FileSearch, scope: 'read' },
  { to: '/evaluations', title: 'Evaluations', sign: FlaskConical, scope: 'read' },
  { to: '/precedents', title: 'Precedents', sign: LibraryBig, scope: 'read' },
  { to: '/policy', title: 'Policy', sign: ScrollText, scope: 'read' },
  { to: '/overview', title: 'Overview', sign: ChartNoAxesCombined, scope: 'read' },
];
