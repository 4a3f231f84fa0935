/** The user's color scheme: a fixed one, or the system's. */
export type Theme = 'system' | 'light' | 'dark';

const STORED = 'docent.theme';

/** Returns the scheme chosen in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function show(): void {
  const theme = chosenTheme();
  const isDark = theme === 'system' ? systemDark().matches : theme === 'dark';
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Applies the chosen scheme. */
export function followTheme(): void {
  show();
  systemDark().addEventListener('change', show);
}

/** Changes the scheme in this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  show();
}
