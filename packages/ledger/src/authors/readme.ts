const withFiles = 'files/              images and documents that were judged, by the SHA-256 of their bytes';
const withoutFiles = 'files               images and documents were left out of this archive';

/** What an archive is and how to read it, for the person who gets it. */
export function writeExportReadme(author: string, madeAt: Date, files: boolean): string {
  return `Everything on record of ${author}
Made by Agon on ${madeAt.toISOString()}.

This archive holds what an automated review of content keeps about what ${author} wrote. Texts are in UTF-8; a file
whose name ends in .jsonl has one JSON object per line.

cases-*.jsonl       one line per case: what was judged and its context, the verdict and the whole answer with every
                    turn of the debate, what people decided, corrected or marked, where the case stands with its
                    reviewers, what was sent to which model on which host (disclosures), word for word (prompts)
${files ? withFiles : withoutFiles}
items-*.jsonl       what waits to be judged
learnt-*.jsonl      precedents that were learnt from what ${author} wrote
audit-*.jsonl       who did what with these cases: decisions, exports, holds
deliveries-*.jsonl  what was told about these cases to other systems, and to which host
manifest.json       the files of this archive with their lengths and hashes

People who reviewed are called "reviewer 1", "reviewer 2", …: each has one name throughout. What other authors wrote is
not in this archive, even where it says the same.

Not in it: cached answers of models, of which nobody knows what they were about; entries of the restricted queue of known
images, about which the law may forbid to tell; copies of exports and backups, which the operator keeps elsewhere.
`;
}
