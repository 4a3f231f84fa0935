import { describe, expect, it } from 'vitest';
import { judgePageScript } from './page-script.ts';

const judge = (source: string) => {
  const { runs, diagnostic } = judgePageScript(source, 'a.js');
  return [runs, diagnostic?.code];
};

describe('scripts of the repository', () => {
  it('run on the pages where they are plain scripts', () => {
    expect(judge('(function () { document.title = "x"; })();')).toEqual([true, undefined]);
    expect(judge('// see https://example.com\nconst link = "https://example.com/docs";')).toEqual([true, undefined]);
    expect(judge('const s = document.createElement("style"); s.textContent = "";')).toEqual([true, undefined]);
    expect(judge('const importantThing = 1; // import x\nexporting();')).toEqual([true, undefined]);
  });

  it('do not run where they are modules or programs for Node, which would only throw', () => {
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

  it('do not run where they fetch code from another origin, until the author allows it in the file', () => {
    const loader = 'var s = document.createElement("script"); s.src = "https://cdn.example/x.js"; document.head.append(s);';
    expect(judge(loader)).toEqual([false, 'remote-script']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source of a script.
    expect(judge('const s=document.createElement("script");s.src=`//cdn.${x}/a.js`')).toEqual([false, 'remote-script']);
    expect(judge('new Image().src = "https://track.example/p.gif"')).toEqual([false, 'remote-script']);
    expect(judge(`/* docent-allow-remote */ ${loader}`)).toEqual([true, undefined]);
    expect(judge('button.onclick = () => fetch("https://api.example/vote")')).toEqual([true, 'script-calls-elsewhere']);
  });
});
