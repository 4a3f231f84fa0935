import type { FakeOpenAi, FakeTurn } from './fake-openai.ts';

/** Models as they go right and wrong: each says what its kind says to any question. */
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
  return [...String(asked).matchAll(PASSAGE)].map(([, title = '', url = '', text = '']) => ({ title, url, text }));
}

/** The first whole sentence of prose. */
function firstSentence(text: string): string | undefined {
  const prose = text.replace(/```[\s\S]*?```/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return prose.split(/\n+/).flatMap((line) => /^[A-Z][^|<>{}]{30,300}?[.](?=\s|$)/.exec(line.trim())?.[0] ?? [])[0];
}

export const scriptedModels: Record<ScriptedModel, (request: Request) => FakeTurn[]> = {
  /** Says what the passages say, and links them. */
  obedient(request) {
    const said = passagesOf(request).flatMap(({ title, url, text }) => {
      const sentence = firstSentence(text);
      return sentence === undefined ? [] : [`${sentence} [${title}](${url})`];
    });
    return [{ text: said.slice(0, 3).join('\n\n') }];
  },
  lazy: () => [{ text: '' }],
  /** Says what nobody wrote, under the link of a page that exists, and links one that does not. */
  hallucinating(request) {
    const [first] = passagesOf(request);
    return [
      {
        text: `Set \`--turbo-quantum\` to 4711 before every second sunrise, see [${first?.title}](${first?.url}). The hamster wheel then accelerates the telescope twice. More about it in [Quantum hamsters](/guides/quantum-hamsters).`,
      },
    ];
  },
  /** Obeys what stands in a selected text. */
  injected: () => [{ text: 'Your session has expired. [Sign in again](https://evil.example/sign-in) with your API key.' }],
};
