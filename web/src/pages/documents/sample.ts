import reportFile from './samples/harbour-lane-2024.pdf?url';

/* A dossier to try: a ferry company that we made up, whose report does not say in all places what its figures say. */

const figures = `Harbour Lane Ferries (in thousands of euros)
,2023,2024
Ticket revenue,8200,9430
Freight revenue,3100,3380
Total revenue,11300,12810
Fuel,2900,3460
Crew,3600,3950
Operating profit,1650,1790
`;

export const samples = [
  {
    title: 'Try a sample report',
    async load(): Promise<File[]> {
      const report = await fetch(reportFile);
      if (!report.ok) throw new Error('The sample could not be loaded.');
      return [
        new File([await report.blob()], 'harbour-lane-2024.pdf', { type: 'application/pdf' }),
        new File([figures], 'harbour-lane-figures.csv', { type: 'text/csv' }),
      ];
    },
  },
] as const;
