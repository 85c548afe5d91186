import { stemWithIrregulars, isCommonStem, type WordToken, listWords, wordSet } from '@agonhq/engine/text';

/* Words that say the opposite of each other in reports, letters and talk, side against side. */
const pairs = `
  increase/decrease,decline,reduce,fall,drop rise/fall,drop,decline grow/shrink,decline gain/loss,lose profit/loss
  win/lose up/down higher/lower high/low more/less,fewer most/least,few many/few above/below over/under before/after
  early/late earlier/later first/last begin/end start/stop,finish open/close accept/reject,decline,refuse
  agree/disagree,refuse allow/forbid,prohibit,prevent permit/prohibit,deny approve/reject,deny grant/deny confirm/deny
  admit/deny support/oppose,reject favor/oppose favour/oppose like/dislike love/hate enjoy/hate positive/negative
  good/bad better/worse best/worst strong/weak stronger/weaker strengthen/weaken
  improve/worsen,deteriorate,decline,impair,hinder boost/hinder,impair,reduce enhance/reduce,diminish,hinder
  expand/shrink,contract,reduce extend/shorten long/short longer/shorter large/small larger/smaller big/small
  bigger/smaller wide/narrow broad/narrow deep/shallow thick/thin heavy/light fast/slow faster/slower quick/slow
  hot/cold warm/cold new/old modern/ancient young/old rich/poor cheap/expensive easy/difficult,hard
  simple/complex,complicated safe/dangerous,unsafe sure/unsure certain/uncertain possible/impossible likely/unlikely
  able/unable success/failure succeed/fail pass/fail true/false right/wrong correct/incorrect accurate/inaccurate
  valid/invalid legal/illegal public/private internal/external inside/outside domestic/foreign,international
  local/global national/international include/exclude with/without always/never all/none everyone/nobody
  everything/nothing both/neither full/empty complete/incomplete partial/full minimum/maximum minimize/maximize
  minimise/maximise majority/minority buy/sell purchase/sell lend/borrow pay/receive give/take,receive send/receive
  import/export push/pull enter/exit arrive/leave,depart come/go join/leave remember/forget teach/learn ask/answer
  create/destroy build/destroy hire/fire employ/dismiss appoint/dismiss attack/defend cause/prevent
  encourage/discourage motivate/demotivate help/hinder,hurt benefit/harm protect/harm,expose save/spend,waste,lose
  earn/spend,lose active/passive available/unavailable common/rare frequent/rare frequently/rarely often/rarely,seldom
  usually/rarely constant/variable stable/unstable,volatile steady/volatile flexible/rigid effective/ineffective
  efficient/inefficient sufficient/insufficient adequate/inadequate significant/insignificant,minor major/minor
  substantial/negligible material/immaterial important/unimportant relevant/irrelevant necessary/unnecessary
  favorable/unfavorable favourable/unfavourable optimistic/pessimistic happy/sad,unhappy pleased/disappointed
  satisfied/dissatisfied excited/bored interested/uninterested calm/anxious confident/doubtful friendly/hostile
  polite/rude asset/liability revenue/expense income/expense credit/debit debt/equity surplus/deficit supply/demand
  upstream/downstream buyer/seller lender/borrower employer/employee teacher/student doctor/patient parent/child
  mother/father son/daughter brother/sister husband/wife man/woman male/female boy/girl morning/evening,afternoon,night
  day/night today/tomorrow yesterday/tomorrow summer/winter spring/autumn north/south east/west left/right
  voluntary/involuntary,mandatory optional/mandatory,required temporary/permanent current/former,previous previous/next
  upcoming/past future/past recent/outdated initial/final primary/secondary main/minor direct/indirect
  explicit/implicit formal/informal limited/unlimited,abundant,extensive scarce/abundant diverse/uniform,identical
  similar/different same/different unique/common equal/unequal fair/unfair fixed/variable taxable/exempt senior/junior
  secured/unsecured realized/unrealized audited/unaudited restricted/unrestricted collectively/individually
  together/alone,apart single/multiple one/several individual/group accelerate/slow,delay advance/delay,retreat
  speed/slow raise/lower,cut,reduce add/remove,subtract attach/detach connect/disconnect combine/separate merge/split
  unite/divide gather/scatter maintain/change,abandon keep/discard retain/release preserve/destroy
  continue/stop,discontinue,cease persist/cease remain/change,leave comply/violate follow/violate,ignore obey/disobey
  reveal/hide,conceal disclose/conceal,withhold expose/hide show/hide mitigate/exacerbate
  alleviate/exacerbate,aggravate ease/worsen solve/worsen resolve/worsen offset/compound exceed/miss,lag surpass/miss
  outperform/underperform overestimate/underestimate overvalue/undervalue overweight/underweight`;

const opposites = new Map<string, Set<string>>();
const addOpposite = (word: string, opposite: string): void => {
  opposites.set(word, (opposites.get(word) ?? new Set()).add(opposite));
};
for (const group of pairs.trim().split(/\s+/)) {
  const [word, ...others] = group.split(/[/,]/).map((each) => stemWithIrregulars(each)) as [string, ...string[]];
  for (const other of others) {
    addOpposite(word, other);
    addOpposite(other, word);
  }
}
const denials = /^(?:un|in|im|ir|il|dis|non|mis|de)-?(?=\p{L}{4})/u;

/** Whether two stems say the opposite of each other: by the list, or by a prefix that denies. */
export function areOpposite(a: string, b: string): boolean {
  if (opposites.get(a)?.has(b)) return true;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return (
    short.length >= 4 &&
    long !== short &&
    long.endsWith(short) &&
    denials.test(long) &&
    long.replace(denials, '') === short
  );
}

export const negationWords = wordSet(`
  not no never neither nor none nobody nothing nowhere without cannot can't won't don't doesn't didn't isn't aren't
  wasn't weren't hasn't haven't hadn't couldn't wouldn't shouldn't lack lacks lacked lacking fail fails failed absent
  excluding except unable`);

/** Those that leave no room in a report's own words, too, where "significantly" is a manner of speaking. */
export const plainAbsolutes = wordSet(`
  all always never every entire entirely completely fully totally only solely exclusively guarantee guarantees
  guaranteed certainly undoubtedly definitely impossible perfect perfectly absolute absolutely unlimited eliminate
  eliminates`);

/** Words that leave no room: a claim with them says more than a cautious source. */
export const absoluteWords = wordSet(`
  all always never every entire entirely completely fully totally only solely exclusively guarantee guarantees
  guaranteed guaranteeing ensure ensures ensured ensuring eliminate eliminates eliminating unaffected regardless
  certainly undoubtedly definitely exactly immediately permanently unlimited none no any automatically wholly absolute
  absolutely perfect perfectly must impossible minimal minimize minimizes directly significantly consistently stable
  stability successfully`);

/** A word where it stands. */
interface Said {
  text: string;
  tokens: readonly WordToken[];
  token: WordToken;
}

const movements = new Set(
  listWords(`
  increase decrease decline reduce rise fall drop grow shrink expand contract improve worsen deteriorate strengthen
  weaken up down higher lower`).map((word) => stemWithIrregulars(word)),
);

/** They join what is one subject: "the revenue of the group". */
const joins = new Set(['the', 'a', 'an', 'of', 'in', 'our', 'its', 'from', 'for']);

/** Said of any measure, and so of none. */
const general = new Set(
  'total group company overall consolidated fy also strongly sharply slightly significantly far'
    .split(' ')
    .map((word) => stemWithIrregulars(word)),
);

const most = 4;

/** Whether two words of movement are said of one thing: falling costs say nothing of a rising profit. */
export function isOfSameSubject(one: Said, other: Said): boolean {
  if (!movements.has(one.token.stem) || !movements.has(other.token.stem)) return true;
  const [left, right] = [findSubject(one), findSubject(other)];
  if (
    left.size > 0 &&
    right.size > 0 &&
    !(left.size === right.size && Array.from(left).every((stem) => right.has(stem)))
  )
    return false;
  const [years, others] = [listYears(one.text), listYears(other.text)];
  return years.length === 0 || others.length === 0 || years.some((year) => others.includes(year));
}

/** The words right before a verb, back to where another phrase ends. */
function findSubject({ text, tokens, token }: Said): Set<string> {
  const subject = new Set<string>();
  for (let at = tokens.indexOf(token) - 1; at >= 0 && subject.size < most; at--) {
    const { stem, end, number, text: word } = tokens[at]!;
    if (/[,;:()]/.test(text.slice(end, tokens[at + 1]!.start))) break;
    if (number !== null || general.has(stem) || joins.has(word.toLowerCase())) continue;
    if (isCommonStem(stem)) break;
    subject.add(stem);
  }
  return subject;
}

function listYears(text: string): string[] {
  return text.match(/\b(?:19|20)\d\d\b/g) ?? [];
}
