import type { Job } from '../../api/types.ts';

/** What somebody asks to be judged. */
export type Order =
  | { job: 'moderation'; text: string; images: readonly File[]; method: string }
  | { job: 'evaluation'; prompt: string; response: string; method: string }
  | { job: 'documents'; files: readonly File[]; method: string };

export const jobs: readonly { name: Job; label: string }[] = [
  { name: 'moderation', label: 'Moderation' },
  { name: 'evaluation', label: 'Evaluation' },
  { name: 'documents', label: 'Documents' },
];

/** How it can be judged, beside the way the server is configured. */
export const methods: Record<Job, readonly (readonly [id: string, words: string])[]> = {
  moderation: [
    ['debate', 'Debate'],
    ['judge', 'One judge'],
    ['vote', 'Independent votes'],
    ['role-free', 'Debate without roles'],
    ['refusal-match', 'Refusal words'],
    ['guard', 'The guard model alone'],
  ],
  evaluation: [
    ['debate', 'Debate'],
    ['judge', 'One judge'],
    ['vote', 'Independent votes'],
    ['role-free', 'Debate without roles'],
    ['pattern-match', 'Refusal patterns'],
    ['guard', 'The guard model alone'],
  ],
  documents: [
    ['debate', 'Debate'],
    ['single', 'One agent'],
    ['vote', 'Independent votes'],
    ['zero-shot', 'One question'],
  ],
};

/** Why it cannot be judged yet; null when it can. */
export function missingIn(order: Order): string | null {
  switch (order.job) {
    case 'moderation':
      return order.text.trim() === '' && order.images.length === 0 ? 'Write or paste a text, or add an image.' : null;
    case 'evaluation':
      if (order.prompt.trim() === '') return 'What was the model asked?';
      return order.response.trim() === '' ? 'What did the model answer?' : null;
    case 'documents':
      return order.files.length === 0 ? 'Add a document.' : null;
  }
}

export const isImage = (file: File): boolean => file.type.startsWith('image/');
/** What is read as the text to be judged when it is dropped on the page. */
export const isPlainText = (file: File): boolean => file.type === 'text/plain' || /\.(?:txt|log)$/i.test(file.name);
