import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { loadThemeFiles } from '../../compiler/assets/dist-files.ts';
import { bundleFiles } from '../../compiler/bundle/bundle-files.ts';
import { createSignatureHash, SIGNATURE_ENDING, signBundle } from '../../compiler/bundle/bundle-signature.ts';
import { packBundle } from '../../compiler/bundle/pack-bundle.ts';
import { readSigningKey, type SigningKey } from '../../compiler/bundle/signing-key.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { bundleIntegrationsNote } from '../../core/docs-json/settings/integrations.ts';
import { DocentError } from '../../core/errors.ts';
import { formatReport, type Output } from '../output.ts';
import type { BuildCommandOptions } from './build.ts';
import { buildFolder } from './build-folder.ts';
import { contentDate, exportOptionsOf } from './export-flags.ts';

export interface ExportCommandOptions extends BuildCommandOptions {
  signingKey?: string;
}

/**
 * `docent export <folder> --out <bundle.tar.gz>`: writes the static site as one archive, whole or not at all, with its hash
 * beside it and, with a key, its signature.
 */
export async function runExport(
  folder: string,
  options: ExportCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<void> {
  const key = options.signingKey === undefined ? undefined : await keyAt(options.signingKey);
  const { build, readFile: readBuilt } = await buildFolder(folder, output, fetchOutside);
  const out = resolve(options.out);
  const archive = packBundle(
    bundleFiles({
      build,
      readFile: readBuilt,
      theme: await loadThemeFiles(),
      origin: options.origin,
      options: exportOptionsOf(options, build.pages),
      createdAt: await contentDate(folder),
      onPage: (done, total) => output.progress(`Packing: ${done} of ${total} pages`),
    }),
  );
  const { sizeBytes, sha256, signed } = await writeWhole(archive, out);
  await writeFile(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
  if (key) await writeFile(out + SIGNATURE_ENDING, signBundle(signed, key, `file:${basename(out)}\tsha256:${sha256}`));
  output.note(formatReport(build.report));
  const note = bundleIntegrationsNote(build.config);
  if (note !== undefined) output.note(note);
  output.print(`${out}: ${build.report.pageCount} pages, ${(sizeBytes / 1024 / 1024).toFixed(1)} MB, SHA-256 ${sha256}`);
  output.json({ out, sizeBytes, sha256, signed: key !== undefined, pageCount: build.report.pageCount, report: build.report });
}

async function keyAt(file: string): Promise<SigningKey> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new DocentError('invalid_setting', `There is no signing key at ${file}.`, { cause });
  });
  return readSigningKey(text);
}

/** Writes to a temporary file first; the previous file stays until the new one is complete. */
async function writeWhole(
  chunks: AsyncIterable<Uint8Array>,
  out: string,
): Promise<{ sizeBytes: number; sha256: string; signed: Buffer }> {
  const unfinished = `${out}.${process.pid}.part`;
  const hash = createHash('sha256');
  const signed = createSignatureHash();
  let sizeBytes = 0;
  const file = await open(unfinished, 'w');
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      signed.update(chunk);
      sizeBytes += chunk.byteLength;
      await file.write(chunk);
    }
    await file.sync();
    await file.close();
    // The signature of a different archive must never be beside this one.
    await rm(out + SIGNATURE_ENDING, { force: true });
    await rename(unfinished, out);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
  return { sizeBytes, sha256: hash.digest('hex'), signed: signed.digest() };
}
