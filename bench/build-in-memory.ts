import { availableParallelism } from 'node:os';
import { buildSite } from '@docent/compiler/build-site.ts';
import { describeFile, type FileSink } from '@docent/compiler/files/file-sink.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { copyOf } from '@docent/search/index/stored-document.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';

/**
 * Builds a documentation folder and keeps the result in memory. @returns the build and the bytes of
 * its search index
 */
export async function buildInMemory(
  folder: string,
): Promise<{ build: SiteBuild; searchIndex: Uint8Array }> {
  const files = new Map<string, Uint8Array>();
  const sink: FileSink = {
    async add(bytes, type) {
      const file = describeFile(bytes, type);
      files.set(file.sha256, bytes);
      return file;
    },
  };
  const build = await buildSite(folder, sink, { threads: availableParallelism() });
  return { build, searchIndex: files.get(build.searchIndex.sha256) as Uint8Array };
}

/** Returns the sections of all pages of a search index. */
export function documentsIn(searchIndex: Uint8Array): SearchDocument[] {
  const data = new IndexData(searchIndex);
  return Array.from({ length: data.sectionCount }, (_, section) => copyOf(data.document(section)));
}
