import { plainText } from '@docent/search/index/stored-document.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';

const PARTS_OF_SPEECH = {
  subject:
    'webhook endpoint account subscription invoice deployment token session workspace organization cluster pipeline wallet transaction repository container certificate notification schedule policy'.split(
      ' ',
    ),
  verb: 'configure install rotate delete authenticate upload stream migrate monitor cancel validate encrypt deploy retry throttle export'.split(
    ' ',
  ),
  thing:
    'API key|rate limit|access token|environment variable|config file|error message|single sign-on|billing portal|audit log|sub folder|time zone|maxRetries|user_id|--dry-run|v1.2.3|café'.split(
      '|',
    ),
  chinese: ['如何配置身份验证', '速率限制', '部署到生产环境', '轮换密钥'],
};
const SYLLABLES = 'ka lo mi ren tas vor el qui zan dro be sti um fla gor ith ne pul sha wex'.split(
  ' ',
);

/** A deterministic random number generator. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function madeWord(roll: (sides: number) => number): string {
  return Array.from({ length: 2 + roll(3) }, () => SYLLABLES[roll(SYLLABLES.length)]).join('');
}

function sentence(roll: (sides: number) => number): string {
  const { subject, verb, thing, chinese } = PARTS_OF_SPEECH;
  const pick = (words: readonly string[]) => words[roll(words.length)] as string;
  if (roll(12) === 0) return `${pick(chinese)}，${pick(chinese)}。`;
  return `To ${pick(verb)} the ${pick(subject)}, set its ${pick(thing)} near the ${madeWord(roll)} of your ${pick(subject)}s, and bring it back while it is being read.`;
}

/**
 * A site with this many pages in two versions and two languages, some of them restricted to a
 * group.
 */
export function generateSite(pageCount: number): SearchDocument[] {
  const roll = dice(5);
  return Array.from({ length: pageCount }, (_, number) => madePage(roll, number)).flat();
}

function madePage(roll: (sides: number) => number, number: number): SearchDocument[] {
  const { subject, verb } = PARTS_OF_SPEECH;
  const title = `${verb[roll(verb.length)]} ${subject[roll(subject.length)]} ${madeWord(roll)}`;
  const language = number % 5 === 0 ? 'fr' : 'en';
  const folder = `${language}/${number % 3 === 0 ? 'guides' : 'reference'}/part-${Math.floor(number / 40)}`;
  const path = `${folder}/${title.replaceAll(' ', '-')}-${number}`;
  const page = {
    path,
    href: `/${path}`,
    pageTitle: title,
    description: roll(2) === 0 ? sentence(roll) : '',
    keywords: roll(4) === 0 ? [madeWord(roll)] : [],
    boost: roll(10) === 0 ? 2 : 1,
    language,
    ...(number % 4 === 0 ? {} : { version: number % 4 === 1 ? 'v1' : 'v2' }),
    ...(roll(6) === 0 ? { tag: 'beta' } : {}),
    ...(roll(15) === 0 ? { groups: ['staff'] } : {}),
  };
  return Array.from({ length: 1 + roll(7) }, (_, at) => {
    const heading = `${verb[roll(verb.length)]} the ${madeWord(roll)}`;
    const prose = Array.from({ length: 1 + roll(12) }, () => sentence(roll)).join(' ');
    const code =
      roll(3) === 0
        ? `\n\n\`\`\`js\nconst ${madeWord(roll)} = await client.${madeWord(roll)}("${madeWord(roll)}");\n\`\`\`\n`
        : '';
    const markdown = prose + code;
    return {
      ...page,
      anchor: `s${at}`,
      headings: at === 0 ? [] : [heading],
      markdown,
      ...plainText(markdown),
    };
  });
}

/** Typical input of readers of such a site. */
export function queriesFor(documents: readonly SearchDocument[], count: number): string[] {
  const roll = dice(11);
  const queries = [
    'what is being deployed',
    ...PARTS_OF_SPEECH.chinese.map((text) => text.slice(0, 3)),
  ];
  while (queries.length < count)
    queries.push(madeQuery(documents[roll(documents.length)] as SearchDocument, roll));
  return queries;
}

function madeQuery(
  { pageTitle, markdown, headings }: SearchDocument,
  roll: (sides: number) => number,
): string {
  const from = roll(Math.max(1, markdown.length - 60));
  switch (roll(7)) {
    case 0:
      return pageTitle;
    case 1:
      return pageTitle.slice(0, 3 + roll(pageTitle.length));
    case 2:
      return `how do I ${headings[0] ?? pageTitle}?`;
    case 3:
      return markdown.slice(from, from + 50);
    case 4:
      return swapped(pageTitle, 1 + roll(pageTitle.length - 2));
    case 5:
      return `${swapped(madeWord(roll), 2)} sign in subfolder ratelimit`;
    default:
      return `${markdown.slice(from, from + 12).trim()} zzqx${madeWord(roll)}`;
  }
}

function swapped(text: string, at: number): string {
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
}
