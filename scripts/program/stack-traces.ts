import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Names sources, and not bundles, in the stacks of errors. Node.js can, but then keeps the maps of
 * all bundles in memory. Here a map is read when a stack from its bundle is first looked at, and only
 * the places in that stack are kept.
 */

/** Places by bundle, line and column: as many as the code has places where errors are created. */
const places = new Map<string, string>();
const MOST_PLACES = 5000;
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

interface SourceMap {
  sources: string[];
  mappings: string;
}

/** @param line from 0; so is the column */
function sourceOf(bundle: string, line: number, column: number): string | undefined {
  const { sources, mappings } = JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as SourceMap;
  const state = { column: 0, source: 0, line: 0, sourceColumn: 0 };
  let place: typeof state | undefined;
  for (const [index, segments] of mappings.split(';').entries()) {
    state.column = 0;
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [columns = 0, files = 0, lines = 0, sourceColumns = 0] = decode(segment);
      state.column += columns;
      state.source += files;
      state.line += lines;
      state.sourceColumn += sourceColumns;
      if (index === line && state.column <= column) place = { ...state };
    }
    if (index === line) break;
  }
  const source = place && sources[place.source];
  if (place === undefined || source === undefined) return undefined;
  const file = pathToFileURL(resolve(dirname(bundle), source)).href;
  return `${file}:${place.line + 1}:${place.sourceColumn + 1}`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns the numbers of a segment, each in Base64 digits of five bits, the sign in the lowest bit. */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
