#!/usr/bin/env node
// The `docent` command for any Node.js from version 20 on: installs and builds what is missing,
// then runs the program.
import { become, flagsFor, mainOf } from './launch.mjs';
import {
  compileCache,
  ensureBuilt,
  ensureDependencies,
  ensureNode,
  goToCaller,
  root,
} from './toolchain.mjs';

const node = ensureNode();
ensureDependencies(node, { development: false });
ensureBuilt(node);
goToCaller();
const args = process.argv.slice(2);
become(node, [...flagsFor(args[0] ?? ''), mainOf(root), ...args], compileCache);
