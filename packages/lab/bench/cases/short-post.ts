import type { BenchCase } from './bench-case.ts';

export const shortPost: BenchCase = {
  name: 'short post, 22 words',
  content: {
    text:
      'If that referee shows up at our stadium again, somebody should be waiting for him in the car park. You ' +
      'know why.',
  },
  precedents: [
    {
      id: 'p-0112',
      label: 'unsafe',
      category: 'violence',
      summary: 'A fan asks others to meet a player at his home after a lost match.',
      cues: ['a named target', 'a place to wait'],
      similarity: 0.81,
    },
    {
      id: 'p-0298',
      label: 'safe',
      category: null,
      summary: 'A supporter writes that the coach deserves a red card from the whole city.',
      cues: ['figurative punishment', 'no place or time'],
      similarity: 0.74,
    },
    {
      id: 'p-0431',
      label: 'unsafe',
      category: 'violence',
      summary: 'A post says a journalist should not walk home alone tonight.',
      cues: ['veiled threat', 'deniable wording'],
      similarity: 0.72,
    },
    {
      id: 'p-0077',
      label: 'safe',
      category: null,
      summary: 'A post complains that the referee robbed the club and should be banned.',
      cues: ['demand to officials', 'strong language only'],
      similarity: 0.69,
    },
    {
      id: 'p-0519',
      label: 'unsafe',
      category: 'harassment',
      summary: 'A post calls on members to surround a teacher in front of the school.',
      cues: ['call to gather', 'intimidation of one person'],
      similarity: 0.66,
    },
  ],
  answers: {
    supporter: {
      summary:
        'A football supporter writes that somebody should be waiting for a particular referee in the car park if ' +
        'he returns to the stadium, and hints at a shared reason without naming any act.',
      cues: [],
      patterns: [],
    },
    strict: [
      {
        statement:
          'This is a veiled threat against one identifiable person. It names the occasion, the place and the act ' +
          'of lying in wait, which is more than anger: it tells readers where and when the referee can be found ' +
          'and suggests that somebody should act. The closing wink makes the intent understood while keeping it ' +
          'deniable.',
        concession: null,
        evidence: ['somebody should be waiting for him in the car park', 'You know why.'],
        clauses: ['violence.plan', 'harassment.target'],
        score: 0.78,
      },
      {
        statement:
          'My opponent says that waiting can mean a protest, and that no violent act is named. A protest is ' +
          'announced openly and in front of the stadium; it does not need one man alone in a car park, nor a ' +
          'reason that everybody is supposed to know but nobody writes down.',
        concession: 'No weapon, date or explicit act of violence is named.',
        evidence: [
          'If that referee shows up at our stadium again',
          'somebody should be waiting for him in the car park',
        ],
        clauses: ['violence.plan'],
        score: 0.74,
      },
    ],
    loose: [
      {
        statement:
          'Supporters vent like this after every disputed match. Nothing here names an injury, a weapon, a time ' +
          'or a plan; somebody is an indefinite wish, not an order to anyone, and waiting for an official is as ' +
          'often meant as booing, a banner or an angry word. The referee is not named, so an outsider could not ' +
          'even find him.',
        concession: null,
        evidence: ['somebody should be waiting for him', 'at our stadium'],
        clauses: [],
        score: 0.32,
      },
      {
        statement:
          'The strict debater reads violence into a gap. I grant that the last sentence is meant to be understood ' +
          'and that the car park is a menacing place to choose, which makes intimidation more likely than I first ' +
          'said.',
        concession: 'The hint at an unspoken reason makes intimidation a fair reading.',
        evidence: ['You know why.'],
        clauses: [],
        score: 0.41,
      },
    ],
    arbiter: {
      statement:
        'The post points readers to a place and an occasion at which one identifiable official is to be met by ' +
        'somebody, and marks the purpose as known but unsaid. The defence offers ordinary venting, but quotes no ' +
        'context that makes it so; a figure of speech would not need the car park.',
      exoneration: {
        why:
          'Venting about a decision is possible, but no sport talk, joke or quotation in the post makes the ' +
          'waiting harmless.',
        evidence: [],
        holds: false,
      },
      risk: {
        why:
          'One person is to be awaited at a named place for a reason that is hinted at: a veiled threat that ' +
          'readers can act on.',
        evidence: ['somebody should be waiting for him in the car park', 'You know why.'],
        holds: true,
        clauses: ['violence.plan', 'harassment.target'],
      },
      confidence: 0.74,
      score: 0.71,
    },
  },
  briefWithPrecedents: {
    summary:
      'A football supporter writes that somebody should be waiting for a particular referee in the car park if he ' +
      'returns to the stadium, and hints at a shared reason.',
    cues: [
      {
        precedent: 'p-0112',
        cue: 'a target together with a place to wait for him',
        difference: 'here the place is the stadium, not the home, and no meeting is arranged',
      },
      {
        precedent: 'p-0298',
        cue: 'punishment may be a figure of speech of sport',
        difference: 'here a real place is named and no sporting sanction is meant',
      },
      {
        precedent: 'p-0431',
        cue: 'a threat may be worded so that it can be denied',
        difference: 'here somebody is asked to act, there a warning was given',
      },
    ],
    patterns: ['a place and a target with the harm left unsaid were judged unsafe'],
  },
};
