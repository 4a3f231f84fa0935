import { expect, it } from 'vitest';
import { describeFile } from '../files/file-sink.ts';
import { fetchedFiles } from './fetched-files.ts';

async function scriptsOf(files: Record<string, string>): Promise<string[]> {
  const entries = Object.entries(files).map(
    ([path, text]) => [path, describeFile(Buffer.from(text), 'text/plain')] as const,
  );
  const bytes = new Map(
    entries.map(([path, { sha256 }]) => [sha256, Buffer.from(files[path] as string)]),
  );
  const build = { files: Object.fromEntries(entries) };
  const scripts: string[] = [];
  for await (const file of fetchedFiles(build, async ({ sha256 }) => bytes.get(sha256) as Buffer)) {
    scripts.push(
      `${file.path} ${'bytes' in file ? Buffer.from(file.bytes).toString().trim() : ''}`,
    );
  }
  return scripts;
}

const data = {
  'data/a.json': '{"x":"</script>"}',
  'data/de/b.csv': 'a,b',
  'openapi.json': '{}',
  'img/a.png': 'x',
};
// biome-ignore lint/suspicious/noTemplateCurlyInString: This is the code of a component.
const code = '(0,DocentReact.fetch)("/data/a.json");(0,DocentReact.fetch)(`/data/de/${name}.csv`)';

it('data files that components fetch, by path or from a folder, are also provided as scripts', async () => {
  expect(await scriptsOf({ ...data, '_docent/islands-1.js': code })).toEqual([
    'data/a.json.js (self.docentFiles||={})["data/a.json"]="{\\"x\\":\\"</script>\\"}";',
    'data/de/b.csv.js (self.docentFiles||={})["data/de/b.csv"]="a,b";',
  ]);
  expect(await scriptsOf({ ...data, '_docent/islands-1.js': 'show("/data/a.json")' })).toEqual([]);
  expect(
    await scriptsOf({
      ...data,
      'data/a.json.js': 'own',
      '_docent/islands-1.js': '(0,DocentReact.fetch)("/data/a.json")',
    }),
  ).toEqual([]);
  expect(
    await scriptsOf({
      'a.json': 'x'.repeat(2 ** 21 + 1),
      '_docent/islands-1.js': '(0,DocentReact.fetch)("/a.json")',
    }),
  ).toEqual([]);
});
