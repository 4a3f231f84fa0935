import { describe, expect, it } from 'vitest';
import { judgePageScript } from './page-script.ts';

const judge = (source: string) => {
  const { runs, diagnostic } = judgePageScript(source, 'a.js');
  return [runs, diagnostic?.code];
};

describe('a script from the repository', () => {
  it('runs on pages if it is a plain script', () => {
    expect(judge('(function () { document.title = "x"; })();')).toEqual([true, undefined]);
    expect(judge('// see https://example.com\nconst link = "https://example.com/docs";')).toEqual([
      true,
      undefined,
    ]);
    expect(judge('const s = document.createElement("style"); s.textContent = "";')).toEqual([
      true,
      undefined,
    ]);
    expect(judge('const importantThing = 1; // import x\nexporting();')).toEqual([true, undefined]);
  });

  it('does not run if it is a module or a Node program', () => {
    for (const source of [
      'import fs from "node:fs";',
      'import "./x.js";',
      'export default {}',
      'export const a = 1;',
      'const fs = require("fs");',
      'module.exports = {};',
      '#!/usr/bin/env node\nrun();',
    ])
      expect(judge(source)).toEqual([false, 'script-not-for-pages']);
  });

  it('does not run if it loads from another origin, unless the author allows it in the file', () => {
    const loader =
      'var s = document.createElement("script"); s.src = "https://cdn.example/x.js"; document.head.append(s);';
    expect(judge(loader)).toEqual([false, 'remote-script']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source of a script.
    expect(judge('const s=document.createElement("script");s.src=`//cdn.${x}/a.js`')).toEqual([
      false,
      'remote-script',
    ]);
    expect(judge('new Image().src = "https://track.example/p.gif"')).toEqual([
      false,
      'remote-script',
    ]);
    expect(judge(`/* docent-allow-remote */ ${loader}`)).toEqual([true, undefined]);
    expect(judge('button.onclick = () => fetch("https://api.example/vote")')).toEqual([
      true,
      'script-calls-elsewhere',
    ]);
  });
});
