/** What the user wants to see: a scheme, or that of the system. */
export type Theme = 'system' | 'light' | 'dark';

const STORED = 'docent.theme';
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');

/** The scheme that was chosen in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function show(): void {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === 'system' ? (systemDark.matches ? 'dark' : 'light') : theme;
}

/** Shows the chosen scheme from now on. */
export function followTheme(): void {
  show();
  systemDark.addEventListener('change', show);
}

/** Changes the scheme, for this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  show();
}
