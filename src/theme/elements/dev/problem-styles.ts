/** Style sheet of the shadow tree. It has its own colors, because the page's may be the problem. */
export const problemStyles = `
:host {
  --bg: #ffffff; --fg: #1a1c21; --muted: #575b66; --line: #e3e4e8; --code: #f6f7f9; --mark: #fdecec;
  --bad: #c02f2f; --warn: #8f5f00; --ring: #2f5bd0;
  color-scheme: light; position: static; font: 400 14px/1.55 ui-sans-serif, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
}
:host([data-appearance="dark"]) {
  --bg: #17181c; --fg: #eceef2; --muted: #a6abb8; --line: #2e3138; --code: #0f1013; --mark: #3a1d1f;
  --bad: #ff8a85; --warn: #eab54d; --ring: #9db0ff; color-scheme: dark;
}
@media (prefers-color-scheme: dark) {
  :host([data-appearance="system"]) {
    --bg: #17181c; --fg: #eceef2; --muted: #a6abb8; --line: #2e3138; --code: #0f1013; --mark: #3a1d1f;
    --bad: #ff8a85; --warn: #eab54d; --ring: #9db0ff; color-scheme: dark;
  }
}
* { box-sizing: border-box; margin: 0; }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
dialog.over {
  width: min(56rem, calc(100vw - 2rem)); max-height: min(46rem, calc(100dvh - 4rem)); margin: 4rem auto auto; padding: 0; overflow: hidden;
  color: var(--fg); background: var(--bg); border: 1px solid var(--line); border-top: 3px solid var(--bad); border-radius: 12px;
  box-shadow: 0 24px 64px -12px rgb(0 0 0 / 45%);
}
dialog.over[open] { display: flex; flex-direction: column; }
dialog.over::backdrop { background: rgb(12 13 17 / 45%); backdrop-filter: blur(3px); }
.head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 1rem 1.25rem .75rem; }
.title { font-size: 16px; font-weight: 650; color: var(--bad); }
.close {
  font: inherit; color: var(--muted); background: none; border: 1px solid var(--line); border-radius: 8px; padding: .25rem .6rem; cursor: pointer;
}
.close:hover { color: var(--fg); background: var(--code); }
kbd { font-size: 11px; opacity: .8; }
.list { overflow: auto; padding: 0 1.25rem; overscroll-behavior: contain; }
.problem + .problem { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.place { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; color: var(--muted); }
.place code { color: var(--fg); font-weight: 600; overflow-wrap: anywhere; }
.code { font-size: 12px; }
.message { margin-top: .35rem; font-size: 15px; font-weight: 550; overflow-wrap: anywhere; }
.excerpt { margin-top: .75rem; padding: .6rem 0; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 8px; line-height: 1.6; tab-size: 2; }
.row { display: flex; min-width: max-content; }
.row.marked { background: var(--mark); }
.number { flex: none; width: 3.5rem; padding-right: .9rem; text-align: right; color: var(--muted); user-select: none; }
.row.marked .number, .caret .text { color: var(--bad); font-weight: 700; }
.text { white-space: pre; padding-right: 1rem; }
.remedy { margin-top: .6rem; color: var(--muted); }
.remedy::before { content: "→ "; }
.foot { padding: .9rem 1.25rem; color: var(--muted); font-size: 13px; }
.corner { position: fixed; inset: auto auto 1rem 1rem; z-index: 2147483000; display: flex; flex-direction: column-reverse; align-items: flex-start; gap: .5rem; max-width: calc(100vw - 2rem); }
.connection, .summary {
  padding: .3rem .7rem; font-size: 13px; color: var(--muted); background: var(--bg); border: 1px solid var(--line); border-radius: 999px;
  box-shadow: 0 2px 10px rgb(0 0 0 / 12%);
}
.summary { cursor: pointer; list-style: none; width: max-content; }
.summary::-webkit-details-marker { display: none; }
.summary::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: .45rem; border-radius: 50%; background: var(--warn); }
.summary.bad::before { background: var(--bad); }
.summary:hover { color: var(--fg); }
.notes[open] { display: flex; flex-direction: column-reverse; gap: .5rem; }
.panel {
  width: min(34rem, calc(100vw - 2rem)); max-height: min(26rem, 60dvh); overflow: auto; color: var(--fg); background: var(--bg);
  border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 16px 40px -8px rgb(0 0 0 / 35%);
}
ul { list-style: none; padding: 0; }
li { display: grid; gap: .1rem; padding: .7rem 1rem; }
li + li { border-top: 1px solid var(--line); }
li code { color: var(--warn); overflow-wrap: anywhere; }
li.error code { color: var(--bad); }
li .remedy { margin: 0; font-size: 13px; }
@media print { :host { display: none; } }
`;
