import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAssistantRequest } from '@docent/assistant/chat/read-assistant-request.ts';
import { extractiveAnswer } from '@docent/assistant/extractive/extractive-answer.ts';
import { quotedAnswer } from '@docent/assistant/quoted-answer.ts';
import { foreignWords } from '@docent/assistant/retrieve/foreign-words.ts';
import { retrieve } from '@docent/assistant/retrieve/retrieve.ts';
import { testQuestion } from '@docent/assistant/test-question.ts';
import { parseQuestions } from '@docent/format/questions/question-file.ts';
import { checkRules, countResults } from '@docent/format/questions/question-results.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { SearchIndex } from '@docent/search/search-index.ts';
import { cutIndex } from '@docent/search/shards/cut-index.ts';
import type { Shard, ShardHead } from '@docent/search/shards/shard-format.ts';
import { openShardedIndex, type ShardedIndex } from '@docent/search/shards/sharded-index.ts';
import { beforeAll, expect, test } from 'vitest';
import { buildSite } from './build-site.ts';
import { describeFile } from './files/file-sink.ts';

const { questions, rules } = parseQuestions(
  readFileSync(new URL('../../../docs/questions.yaml', import.meta.url), 'utf8'),
);
let index: SearchIndex;
let sharded: ShardedIndex;

beforeAll(async () => {
  const files = new Map<string, Uint8Array>();
  const add = async (bytes: Uint8Array, type: string) => {
    const file = describeFile(bytes, type);
    files.set(file.sha256, bytes);
    return file;
  };
  const build = await buildSite(
    fileURLToPath(new URL('../../../docs', import.meta.url)),
    { add },
    { threads: 1 },
  );
  const bytes = files.get(build.searchIndex.sha256) as Uint8Array;
  index = loadSearchIndex(bytes);
  const { head, shards } = cutIndex(new IndexData(bytes));
  const scripts = JSON.parse(JSON.stringify({ head, shards: [...shards] })) as {
    head: ShardHead;
    shards: Shard[];
  };
  sharded = openShardedIndex(scripts.head, async (number) => scripts.shards[number] as Shard);
});

test.each(questions)(
  'our documentation answers a newcomer without a language model: $question',
  async (question) => {
    const { rank, quoted, missingWords } = await testQuestion({ index }, question);
    expect(rank).not.toBeNull();
    expect(question.pages).toContain(quoted[0]);
    expect(missingWords).toEqual([]);
  },
);

/** Questions in other languages, the language's name in them, and the pages that answer. */
test.each([
  ['Wie installiere ich Docent mit Docker?', 'Englisch', ['self-hosting/docker']],
  [
    '¿Cómo configuro el inicio de sesión con Okta?',
    'inglés',
    ['guides/sign-in/okta', 'guides/readers', 'self-hosting/single-sign-on'],
  ],
  [
    'Comment exporter les métriques vers Prometheus ?',
    'anglais',
    ['self-hosting/operations', 'guides/questions'],
  ],
  ['如何用 Docker 部署？', '英文', ['self-hosting/docker']],
  [
    'Как настроить метрики Prometheus?',
    'английском',
    ['self-hosting/kubernetes', 'guides/questions', 'self-hosting/operations'],
  ],
])(
  'our English documentation answers in other languages by names and a dictionary: %s',
  async (question, language, pages) => {
    const read = readAssistantRequest({
      fp: 'anonymous',
      messages: [{ role: 'user', content: question }],
    });
    const { text, sources } = await quotedAnswer(index, read, { publicUrl: '', foreignWords });
    expect(text.split('\n')[0]).toContain(language);
    expect(
      sources.map(({ url }) => url.replace(/^\/|#.*$/g, '')).filter((path) => pages.includes(path)),
    ).not.toEqual([]);
  },
);

test.each([
  'Comment cuire un gâteau avec un webhook ?',
  '¿Cómo horneo un pastel de chocolate con una clave de API?',
  'Как экспортировать фотографии котов?',
  '¿Cuánto cuesta una contraseña para mi gato?',
])(
  'what the dictionary does not know of a question may be its subject, so no quote is called the answer: %s',
  async (question) => {
    const { status } = await testQuestion({ index }, { question, pages: [], words: [] });
    expect(status).toBe('partly');
  },
);

test('a browser answers from the shards of a bundle what a server answers from the whole index', async () => {
  const sample = [
    ...questions.filter((_, at) => at % 6 === 0).map(({ question }) => question),
    'What is this page about?',
  ];
  for (const question of sample) {
    const body = {
      fp: 'anonymous',
      messages: [{ role: 'user', content: question }],
      currentPath: '/guides/publish',
    };
    const read = readAssistantRequest(body);
    const whole = await quotedAnswer(index, read, { publicUrl: '', foreignWords });
    expect(
      await sharded.compute((each) => quotedAnswer(each, read, { publicUrl: '', foreignWords })),
      question,
    ).toEqual(whole);
    expect(whole.text).not.toBe('');
  }
});

test('the rules of our file of questions hold', async () => {
  const results = await Promise.all(questions.map((question) => testQuestion({ index }, question)));
  expect(checkRules(rules, countResults(results)).filter(({ holds }) => !holds)).toEqual([]);
});

/**
 * Conversations of three turns, and the pages that answer each; the page of questions and answers
 * has a part of most.
 */
const FAQ = 'guides/questions';
const conversations: (readonly [question: string, pages: readonly string[]])[][] = [
  [
    ['How do I set up single sign-on?', ['self-hosting/single-sign-on']],
    ['what about Google?', ['self-hosting/single-sign-on']],
    [
      'and how do I stop strangers from signing up with it?',
      ['self-hosting/single-sign-on', 'self-hosting/accounts'],
    ],
  ],
  [
    ['How do I export a site as a bundle?', ['guides/bundles', 'api/export']],
    ['can it be signed?', ['guides/bundles', 'self-hosting/serve-bundle']],
    ['and how do I check that?', ['guides/bundles', 'self-hosting/serve-bundle']],
  ],
  [
    ['How do I back up my data?', ['self-hosting/backup']],
    ['how do I restore it?', ['self-hosting/backup']],
    ['does that work while it is running?', ['self-hosting/backup']],
  ],
  [
    ['How do I use Ollama for the answers?', ['self-hosting/language-models']],
    ['what about embeddings?', ['self-hosting/embeddings', 'self-hosting/language-models']],
    ['how much memory does it take?', ['self-hosting/embeddings', 'self-hosting/memory']],
  ],
  [
    ['How do I publish from GitHub Actions?', ['guides/publish', 'guides/previews']],
    ['what about previews of pull requests?', ['guides/previews']],
    ['who can see them?', ['guides/previews']],
  ],
  [
    ['How do I create an API key?', ['api/keys']],
    ['how long is it valid?', ['api/keys']],
    ['can I revoke it?', ['api/keys']],
  ],
  [
    [
      'How do I put my docs on my own hostname?',
      ['self-hosting/hostnames', 'self-hosting/subpath'],
    ],
    [
      'what about certificates?',
      ['self-hosting/hostnames', 'self-hosting/overview', 'self-hosting/sites-domain'],
    ],
    ['and why does the check fail?', ['self-hosting/hostnames']],
  ],
  [
    ['How do I write my own React component?', ['guides/react-components']],
    ['can it fetch data?', ['guides/react-components']],
    ['what happens if it throws an error?', ['guides/react-components']],
  ],
  [
    ['Where are readers of my docs from?', ['guides/analytics', 'api/analytics']],
    ['does that need cookies?', ['guides/privacy', 'guides/analytics', 'security']],
    ['how do I turn it off?', ['guides/analytics', 'guides/privacy']],
  ],
  [
    ['How do I run several servers for high availability?', ['self-hosting/storage']],
    ['does it need Redis?', ['self-hosting/storage']],
    [
      'what happens when that is down?',
      ['self-hosting/operations', 'self-hosting/storage', 'self-hosting/runbooks'],
    ],
  ],
];

test('the third turn of a conversation finds its page first in at least four of five, without a language model', async () => {
  let right = 0;
  for (const conversation of conversations) {
    const messages: { role: string; content: string }[] = [];
    let [found, expected]: [string | undefined, readonly string[]] = [undefined, []];
    for (const [content, pages] of conversation) {
      messages.push({ role: 'user', content });
      const question = readAssistantRequest({ fp: 'anonymous', messages });
      const { pages: results, passages } = await retrieve(index, question, {
        publicUrl: 'https://docs.example.com',
        foreignWords,
      });
      const { turns } = question;
      const { pieces } = extractiveAnswer({
        instructions: '',
        steps: [],
        mayUseTools: false,
        turns,
        passages,
      });
      messages.push({ role: 'assistant', content: pieces.join('') });
      [found, expected] = [results.map(({ path }) => path).find((path) => path !== FAQ), pages];
    }
    if (expected.includes(found as string)) right++;
  }
  expect(right).toBeGreaterThanOrEqual(8);
});
