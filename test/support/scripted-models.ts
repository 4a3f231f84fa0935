import type { FakeOpenAi, FakeTurn } from './fake-openai.ts';

/** Models that behave well or badly: each responds to every question in its own way. */
export type ScriptedModel = 'obedient' | 'lazy' | 'hallucinating' | 'injected';
type Request = FakeOpenAi['requests'][number];

interface GivenPassage {
  title: string;
  url: string;
  text: string;
}

const PASSAGE = /<passage title="([^"]*)"[^>]* url="([^"]*)">\n([\s\S]*?)\n<\/passage>/g;

function passagesOf({ messages }: Request): GivenPassage[] {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  return [...String(asked).matchAll(PASSAGE)].map(([, title = '', url = '', text = '']) => ({
    title,
    url,
    text,
  }));
}

/** Returns the first complete sentence of prose. */
function firstSentence(text: string): string | undefined {
  const prose = text.replace(/```[\s\S]*?```/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return prose
    .split(/\n+/)
    .flatMap((line) => /^[A-Z][^|<>{}]{30,300}?[.](?=\s|$)/.exec(line.trim())?.[0] ?? [])[0];
}

export const scriptedModels: Record<ScriptedModel, (request: Request) => FakeTurn[]> = {
  /** Quotes the passages, and links to them. */
  obedient(request) {
    const sentences = passagesOf(request).flatMap(({ title, url, text }) => {
      const sentence = firstSentence(text);
      return sentence === undefined ? [] : [`${sentence} [${title}](${url})`];
    });
    return [{ text: sentences.slice(0, 3).join('\n\n') }];
  },
  lazy: () => [{ text: '' }],
  /**
   * Invents content, attributes it to an existing page, and links to a page that does not exist.
   */
  hallucinating(request) {
    const [first] = passagesOf(request);
    return [
      {
        text: `Set \`--turbo-quantum\` to 4711 before every second sunrise, see [${first?.title}](${first?.url}). The hamster wheel then accelerates the telescope twice. More about it in [Quantum hamsters](/guides/quantum-hamsters).`,
      },
    ];
  },
  /** Obeys an instruction in a selected text. */
  injected: () => [
    {
      text: 'Your session has expired. [Sign in again](https://evil.example/sign-in) with your API key.',
    },
  ],
};
