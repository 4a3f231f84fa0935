import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Names sources, and not bundles, in the stacks of errors. Node.js can, but then keeps the maps of
 * all bundles in memory. Here a map is read when a stack from its bundle is first looked at, which
 * takes about 50 ms, and goes with the next collection of garbage; the places in that stack stay.
 */

/** Places by bundle, line and column: as many as the code has places where errors are created. */
const places = new Map<string, string>();
const MOST_PLACES = 5000;
/** By path of the bundle. */
const maps = new Map<string, WeakRef<SourceMap>>();
const folder = new URL('.', import.meta.url).href;

Error.prepareStackTrace = (error, calls) => {
  let frames = calls.map(String);
  try {
    frames = frames.map((frame) => (frame.includes(folder) ? placed(frame) : frame));
  } catch {
    // Without its map, a bundle is named itself.
  }
  return [describe(error), ...frames.map((frame) => `    at ${frame}`)].join('\n');
};

function describe(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

const FRAME = /(file:\/\/[^\s()]+):(\d+):(\d+)/;

function placed(frame: string): string {
  const [place, bundle = '', line, column] = FRAME.exec(frame) ?? [];
  if (place === undefined) return frame;
  let source = places.get(place);
  if (source === undefined) {
    source = sourceOf(fileURLToPath(bundle), Number(line) - 1, Number(column) - 1) ?? place;
    if (places.size < MOST_PLACES) places.set(place, source);
  }
  return frame.replace(place, source);
}

/** @param line from 0; so is the column */
function sourceOf(bundle: string, line: number, column: number): string | undefined {
  const entry = mapOf(bundle).findEntry(line, column);
  if (!('originalSource' in entry)) return undefined;
  const file = pathToFileURL(resolve(dirname(bundle), entry.originalSource)).href;
  return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(bundle: string): SourceMap {
  let map = maps.get(bundle)?.deref();
  if (!map) {
    map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    maps.set(bundle, new WeakRef(map));
  }
  return map;
}
