import type {
  Analysis,
  Block,
  Box,
  Cell,
  ClaimAnswer,
  Grounding,
  NumberFinding,
  Place,
  ReportDocument,
} from '../../../../../src/jobs/documents/index.ts';
import type { Turn } from '../../../../../src/debate/index.ts';
import type { Evidence } from '../../../../../src/evidence/index.ts';
import type { Analysis as Answered } from '../../../api/types.ts';

/* The server hands an analysis out whole, as it was sealed: what the contract leaves open is typed as it was made. Types only; nothing of these rooms is bundled. */

export type {
  Analysis,
  Block,
  Box,
  Cell,
  ClaimAnswer,
  Evidence,
  Grounding,
  NumberFinding,
  Place,
  ReportDocument,
  Turn,
};

export function asTrace(answered: Answered): Analysis {
  return answered as unknown as Analysis;
}
