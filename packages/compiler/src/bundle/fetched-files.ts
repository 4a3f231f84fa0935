import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import type { BundleFile } from '../files/bundle-file.ts';

const DATA = /\.(?:json|csv|txt|xml|ya?ml|svg|geojson)$/i;
const MAX_BYTES = 2 * 1024 * 1024;
/** Maximum bytes of all of them. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;

/**
 * Yields, as scripts, the data files that authors' components fetch: pages opened from disk may
 * load scripts but cannot fetch. A component names such a file, or the folder in which it finds
 * one.
 */
export async function* fetchedFiles(
  { files }: Pick<SiteBuild, 'files'>,
  readFile: (file: FileEntry) => Promise<Uint8Array>,
): AsyncIterable<BundleFile> {
  let code = '';
  for (const [path, file] of Object.entries(files)) {
    if (!/^_docent\/islands-/.test(path)) continue;
    const text = Buffer.from(await readFile(file)).toString();
    if (text.includes('DocentReact.fetch')) code += text;
  }
  if (code === '') return;
  let left = MAX_TOTAL_BYTES;
  for (const path of Object.keys(files).sort()) {
    if (!DATA.test(path)) continue;
    const file = files[path] as FileEntry;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const isNamed = code.includes(`/${path}`) || (folder !== '' && code.includes(`/${folder}$`));
    const name = `${path}.js`;
    if (!isNamed || file.sizeBytes > Math.min(MAX_BYTES, left) || files[name]) continue;
    left -= file.sizeBytes;
    const text = Buffer.from(await readFile(file)).toString();
    yield {
      path: name,
      bytes: Buffer.from(
        `(self.docentFiles||={})[${JSON.stringify(path)}]=${JSON.stringify(text)};\n`,
      ),
    };
  }
}
