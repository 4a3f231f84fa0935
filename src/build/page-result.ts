import type { CompiledPage, ContentSection } from '../core/content/page-content.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { FileEntry } from '../core/site-build.ts';
import { describeFile } from './file-sink.ts';

/** A compiled page in the form that crosses threads: its body is bytes already. */
export interface PageResult {
  /** Index in `SiteModel.pages`. */
  index: number;
  content: Uint8Array<ArrayBuffer>;
  file: FileEntry;
  sections: ContentSection[];
  diagnostics: Diagnostic[];
  failed: boolean;
}

const encoder = new TextEncoder();

export function toPageResult(index: number, compiled: CompiledPage): PageResult {
  const content = encoder.encode(JSON.stringify(compiled.content));
  return {
    index,
    content,
    file: describeFile(content, 'application/json'),
    sections: compiled.sections,
    diagnostics: compiled.diagnostics,
    failed: compiled.failed,
  };
}
