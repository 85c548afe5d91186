/* Datasets that people label. */

export interface AnnotationProjects {
  id: string;
  version: number;
  name: string;
  labels: string;
  votes: number;
  guidelines: string | null;
  marking: string | null;
  created_by: string | null;
  created_at: string;
}

export interface AnnotationItems {
  project: string;
  position: number;
  version: number;
  key: string;
  content: string;
  /** How many votes there are; like the two below, what its votes and its adjudication come to. */
  voted: number;
  state: 'open' | 'disputed' | 'agreed' | 'adjudicated';
  label: string | null;
}

export interface AnnotationImages {
  project: string;
  position: number;
  number: number;
  name: string;
  attachment: string;
}

export interface AnnotationLeases {
  project: string;
  voter: string;
  position: number;
  until: string;
}

export interface AnnotationVotes {
  project: string;
  position: number;
  voter: string;
  version: number;
  label: string;
  why: string | null;
  viewed: string;
  took_ms: number | null;
  finding: string | null;
  voted_at: string;
}

export interface AnnotationAdjudications {
  project: string;
  position: number;
  version: number;
  label: string;
  why: string;
  finding: string | null;
  decided_by: string;
  decided_at: string;
}
