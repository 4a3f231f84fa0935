import { Status, type Tone } from './values.tsx';

const STATES: Record<'empty' | 'live' | 'publishing' | 'failing', [word: string, tone: Tone]> = {
  empty: ['Not published', 'neutral'],
  live: ['Live', 'success'],
  publishing: ['Publishing', 'active'],
  failing: ['Last publish failed', 'danger'],
};

/** What a site is doing. */
export function SiteState({ site: { state } }: { site: { state: keyof typeof STATES } }) {
  const [word, tone] = STATES[state];
  return <Status tone={tone}>{word}</Status>;
}
