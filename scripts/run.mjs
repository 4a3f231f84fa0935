// The entry point of the npm scripts that need development tools: `node scripts/run.mjs test | node
// <file> …`.
import { join } from 'node:path';
import { become, fail } from './launch.mjs';
import { compileCache, ensureBuilt, ensureDependencies, ensureNode, root } from './toolchain.mjs';

const [task, ...args] = process.argv.slice(2);
const node = ensureNode();
ensureDependencies(node, { development: true });

if (task === 'test') {
  ensureBuilt(node);
  become(node, [join(root, 'scripts/test.ts'), ...args], compileCache);
} else if (task === 'node') {
  become(node, args, compileCache);
} else {
  fail(`unknown task "${task ?? ''}"; use test or node`);
}
