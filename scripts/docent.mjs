#!/usr/bin/env node
// The `docent` command for any Node.js from version 20 on: installs and builds what is missing, then runs packages/docent/src/main.ts.
import { join } from 'node:path';
import {
  become,
  ensureBuilt,
  ensureDependencies,
  ensureNode,
  goToCaller,
  leanWasm,
  packingHeap,
  root,
  smallHeap,
} from './toolchain.mjs';

const node = ensureNode();
ensureDependencies(node, { development: false });
ensureBuilt(node);
goToCaller();
const command = process.argv[2] ?? '';
const heap = ['build', 'export'].includes(command) ? packingHeap : smallHeap;
const flags = command === 'serve' ? [...heap, ...leanWasm] : heap;
become(node, [...flags, join(root, 'packages/docent/src/main.ts'), ...process.argv.slice(2)]);
