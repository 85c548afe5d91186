import { createContext, use } from 'react';
import type { Citations } from '@agonhq/engine/view';
import type { ReportExtras } from '@agonhq/judges/job/job-report';

/** A page that is read on its own: it is drawn once, and nothing on it can be pressed but links and boxes. */
export interface ReportPage {
  /** Its quoted passages, by their numbers. */
  citations: Citations;
  /** Where each turn stands, by its key. */
  anchors: ReadonlyMap<string, string>;
  extras: ReportExtras;
}

export const ReportContext = createContext<ReportPage | null>(null);

/** The report that something is drawn in; null on the pages of the console. */
export function useReport(): ReportPage | null {
  return use(ReportContext);
}
