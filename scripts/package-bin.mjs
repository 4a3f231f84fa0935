#!/usr/bin/env node
// The `docent` command of the published package: it runs from the platform if that is installed
// too.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { become, fail, flagsFor, isNewEnough, OLDEST_NODE } from './launch.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const versionIn = (folder) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

if (!isNewEnough(process.versions.node))
  fail(`Node.js ${process.versions.node} is too old; install ${OLDEST_NODE.join('.')} or newer.`);
const version = versionIn(here);
const platform = findPlatform();
if (platform && versionIn(platform) !== version)
  fail(
    `@docent/platform ${versionIn(platform)} does not fit: npm install docent@${version} @docent/platform@${version}`,
  );

const args = process.argv.slice(2);
const cache = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'docent',
  `compile-${version}`,
);
become(
  process.execPath,
  [...flagsFor(args[0] ?? ''), join(platform ?? here, 'packages/docent/src/main.js'), ...args],
  cache,
);

/** Returns the folder of the platform, or undefined if it is not installed beside the command. */
function findPlatform() {
  try {
    return dirname(fileURLToPath(import.meta.resolve('@docent/platform/package.json')));
  } catch {
    return undefined;
  }
}
