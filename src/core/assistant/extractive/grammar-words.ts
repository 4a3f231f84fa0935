import { scanWords, stopWords } from '../../search/words/tokenize.ts';

/** Function words and question words in languages other than English, which the search itself covers. */
const languages: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    de: `aber alle als am an auf aus bei beim bin bis da damit dann das dass dem den der des die dies diese diesem diesen dieser dieses doch du durch
  ein eine einem einen einer eines er es für gibt hat habe haben ich ihr im in ins ist ja kann kannst können könnte man mein meine meinem meinen
  meiner mich mir mit muss müssen nach nicht noch nur oder ohne sein sich sie sind so soll sollte über um und uns unser unsere vom von vor wann
  warum was weil welche welchem welchen welcher welches wenn wer werden wie wieso will wird wo wohin woher wozu wurde zu zum zur`,
    fr: `à au aux avec ce ces cette comment comme dans de des du elle en est et être fait faire faut il ils j je l la le les leur lequel laquelle ma mais
  me mes mon n ne nos notre nous on où ou par pas peut peux pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se ses si
  son sont sur ta te tu un une vos votre vous y c d s est-ce`,
    es: `a al ante como cómo con cual cuál cuáles cuando cuándo cuanto cuánto de del desde donde dónde el él ella ellos en entre es esta está están este
  esto hay hacer hago la las le les lo los me mi mis muy no nos o para pero por porque puede puedo que qué quién se si sí sin sobre son su sus te
  tengo tu un una unas unos y ya yo`,
    pt: `ao aos as com como da das de do dos e é ela ele em entre essa esse esta está este eu faço fazer foi há isso isto já mais mas me meu minha na nas
  não no nos o onde os ou para pela pelo por porque posso qual quais quando que quem se sem ser seu sua são também tem tenho um uma você`,
    it: `ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è gli ha ho i il in io la le lo ma mi mia mio nel
  nella non o per perché più posso può qual quale quali quando quanto se si sono su sul sulla tra un una uno vi`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Pairs of characters that only mark a question: “how”, “what”, “can”, polite endings. */
export const unspacedGrammar: ReadonlySet<string> = new Set(
  `如何 怎么 怎樣 怎样 么样 什么 什麼 为什 為什 哪里 哪裡 哪些 哪个 是否 可以 能否 我们 我們 请问 請問 这个 這個 吗？
  です ます すか でき きま きる する には では とは どう どの どこ なに 何で です うす うや やっ って して ください くだ ださ さい
  어떻 떻게 무엇 어디 합니 니까 나요 있나 있습 습니 하나 하는`.split(/\s+/),
);

/** Other languages share words with English (`die`, `comment`), so one word proves nothing. */
const MIN_TO_TRUST = 2;
const MAX_READ_LENGTH = 2000;

/** Returns the language of a question's function words; undefined if it is English or unknown. */
function languageByGrammar(question: string): string | undefined {
  const words = new Set<string>();
  scanWords(question.slice(0, MAX_READ_LENGTH), (word) => words.add(word.toLowerCase()));
  const counts = [...languages].map(([language, grammar]) => ({
    language,
    count: [...words].filter((word) => grammar.has(word)).length,
  }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  // “How do I … in CI” has three Italian words and four English ones.
  const english = [...words].filter((word) => stopWords.has(word)).length;
  const isForeign = best.count >= MIN_TO_TRUST && best.count >= words.size * 0.3 && best.count > english;
  return isForeign ? best.language : undefined;
}

/** Returns the function words of the question's language; none if it is English or unknown. */
export function grammarWordsOf(question: string): ReadonlySet<string> {
  return languages.get(languageByGrammar(question) ?? '') ?? new Set();
}

/** Scripts that identify a language. Japanese and Korean come before Chinese, whose characters they share. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['uk', /[\u0456\u0457\u0454\u0491]/iu],
  ['ru', /\p{Script=Cyrillic}/u],
];

/**
 * Detects the language of a question from its script or its function words.
 * @returns a code such as `fr`; undefined if it is unknown
 */
export function questionLanguage(question: string): string | undefined {
  const text = question.slice(0, MAX_READ_LENGTH);
  const byScript = SCRIPTS.find(([, letters]) => letters.test(text))?.[0];
  if (byScript !== undefined) return byScript;
  const foreign = languageByGrammar(text);
  if (foreign !== undefined) return foreign;
  let english = 0;
  scanWords(text, (word) => {
    if (stopWords.has(word.toLowerCase())) english++;
  });
  return english >= MIN_TO_TRUST ? 'en' : undefined;
}
