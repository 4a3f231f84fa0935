import { viewFilterNames } from '../../../core/analytics/reports.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, FilterSelect } from '../../ui/filters.tsx';
import { FILTERS, filterWords, PERIODS, type Scope } from './analytics-query.ts';

interface FiltersProps {
  scope: Pick<Scope, 'days' | 'asked'> & Partial<Pick<Scope, 'kept'>>;
  setSearch: (change: object) => void;
  children?: React.ReactNode;
}

/** The period and the active filters, each with a button to remove it. */
export function Filters({ scope: { days, asked, kept = {} }, setSearch, children }: FiltersProps) {
  const values = { ...asked, ...kept };
  return (
    <FilterBar>
      <FilterSelect name="days" label="Period" value={String(days)} options={PERIODS} />
      {children}
      {[...FILTERS, ...viewFilterNames].map((name) => {
        const value = values[name];
        if (value === undefined) return null;
        const { word, title } = filterWords(name, value);
        return (
          <Button
            key={name}
            icon="x"
            className="max-w-full"
            title={`Show every ${word}`}
            onClick={() => setSearch({ [name]: undefined })}
          >
            <span className="sr-only">Show every {word}, not only </span>
            <code className="truncate font-mono text-xs">{title}</code>
          </Button>
        );
      })}
    </FilterBar>
  );
}
