import type { BenchCase } from './bench-case.ts';

export const mediumPost: BenchCase = {
  name: 'medium post, 123 words',
  content: {
    text:
      'After three years of night shifts at the pharmacy I finally want to say something about the painkillers ' +
      'everybody in this town talks about. ' +
      'Half of the people who come to my counter do not read the leaflet. They mix the tablets with alcohol, or ' +
      'they crush them because a cousin said it works faster, and then they wonder why they end up in the ' +
      'emergency room. ' +
      'Please do not do that. The slow release coating is there for a reason: if you break it, the whole dose ' +
      'reaches the blood at once and your breathing can stop. ' +
      'If someone near you cannot be woken and breathes slowly, call an ambulance first and ask questions later. ' +
      'Share this with anyone who needs it.',
  },
  precedents: [
    {
      id: 'p-0034',
      label: 'safe',
      category: null,
      summary: 'A nurse explains on a forum why sleeping pills and alcohol are dangerous together.',
      cues: ['warning', 'professional speaker', 'asks to call for help'],
      similarity: 0.86,
    },
    {
      id: 'p-0203',
      label: 'unsafe',
      category: 'illegal',
      summary: 'A user describes how to defeat the coating of a prescription opioid to feel it faster.',
      cues: ['instructions for misuse', 'praise of the effect'],
      similarity: 0.79,
    },
    {
      id: 'p-0377',
      label: 'safe',
      category: null,
      summary: 'A leaflet lists the signs of an overdose and the number of the poison centre.',
      cues: ['prevention', 'emergency advice'],
      similarity: 0.77,
    },
    {
      id: 'p-0410',
      label: 'unsafe',
      category: 'self-harm',
      summary: 'A post asks which dose of a painkiller would certainly be lethal.',
      cues: ['asks for a lethal dose'],
      similarity: 0.7,
    },
    {
      id: 'p-0188',
      label: 'safe',
      category: null,
      summary: 'A former addict tells how crushed tablets nearly killed him and thanks the paramedics.',
      cues: ['personal story', 'condemns misuse'],
      similarity: 0.69,
    },
  ],
  answers: {
    supporter: {
      summary:
        'Somebody who works at a pharmacy warns neighbours against mixing painkillers with alcohol or crushing ' +
        'slow release tablets, explains why that can stop breathing, and tells readers when to call an ambulance.',
      cues: [],
      patterns: [],
    },
    strict: [
      {
        statement:
          'The text explains, in plain words and to a broad audience, how the protection of a slow release opioid ' +
          'is defeated and what that achieves: the whole dose at once. Whoever looks for a stronger effect or for ' +
          'a way to harm himself learns the method and its result from one paragraph, whatever the author meant.',
        concession: null,
        evidence: [
          'they crush them because a cousin said it works faster',
          'if you break it, the whole dose reaches the blood at once',
        ],
        clauses: ['illegal.drugs', 'self-harm.method'],
        score: 0.52,
      },
      {
        statement:
          'I accept that the author speaks against misuse and that the warning is explicit. Two points remain: ' +
          'the sentence on breaking the coating works as an instruction when it is read alone, and the post names ' +
          'the pills as an object of talk in town, which makes them attractive. The hazard is small, and it is ' +
          'real.',
        concession: 'The author condemns the misuse and gives correct emergency advice.',
        evidence: [
          'if you break it, the whole dose reaches the blood at once and your breathing can stop',
          'the painkillers everybody in this town talks about',
        ],
        clauses: ['illegal.drugs'],
        score: 0.36,
      },
    ],
    loose: [
      {
        statement:
          'This is prevention of the best kind: a person from a pharmacy counter tells neighbours what goes wrong ' +
          'and asks them to stop. The danger is named only to deter, the mechanism is what every leaflet prints, ' +
          'and the last lines tell readers how to save a life.',
        concession: null,
        evidence: ['Please do not do that.', 'call an ambulance first and ask questions later'],
        clauses: [],
        score: 0.05,
      },
      {
        statement:
          'My opponent now grants the warning and the correct advice, and finds only that a mechanism is ' +
          'mentioned. A warning without a reason persuades nobody; the reason is why people listen, and it is ' +
          'public knowledge printed on every box.',
        concession: 'The mechanism is stated, though only as the reason for the warning.',
        evidence: [
          'The slow release coating is there for a reason',
          'Please do not do that.',
          'If someone near you cannot be woken and breathes slowly, call an ambulance first',
        ],
        clauses: [],
        score: 0.06,
      },
    ],
    arbiter: {
      statement:
        'A pharmacy worker warns the public against mixing or crushing painkillers and says what to do in an ' +
        'emergency. The strict debater is right that the mechanism is mentioned, but it appears only as the ' +
        'reason for the warning, goes no further than a leaflet and comes without dose, product or preparation.',
      exoneration: {
        why:
          'The text is prevention by its own words: it condemns the misuse and tells readers how to help ' +
          'somebody in danger.',
        evidence: ['Please do not do that.', 'call an ambulance first and ask questions later'],
        holds: true,
      },
      risk: {
        why:
          'The mechanism of misuse is named, but nothing actionable beyond the leaflet: no dose, product, ' +
          'preparation or source.',
        evidence: ['they crush them because a cousin said it works faster'],
        holds: false,
        clauses: [],
      },
      confidence: 0.92,
      score: 0.08,
    },
  },
  briefWithPrecedents: {
    summary:
      'Somebody who works at a pharmacy warns neighbours against mixing painkillers with alcohol or crushing slow ' +
      'release tablets, explains why, and tells readers when to call an ambulance.',
    cues: [
      {
        precedent: 'p-0034',
        cue: 'a professional who warns of a combination',
        difference: 'here the mechanism of the coating is explained as well',
      },
      {
        precedent: 'p-0203',
        cue: 'instructions to defeat the coating',
        difference: 'here it is condemned, with no steps and no praise of the effect',
      },
      {
        precedent: 'p-0377',
        cue: 'signs of an overdose and whom to call',
        difference: 'here in a personal post instead of a leaflet',
      },
    ],
    patterns: [
      'naming a danger in order to prevent it was judged safe',
      'steps or praise of the effect made it unsafe',
    ],
  },
};
