/** The user's color scheme: a fixed one, or the system's. */
export type Theme = 'system' | 'light' | 'dark';

const STORED = 'docent.theme';

/** Returns the scheme chosen in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies the chosen scheme. */
export function showTheme(): void {
  const theme = chosenTheme();
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
}

/** Changes the scheme in this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  showTheme();
}
