import { Button } from '../../ui/button.tsx';
import { FilterBar, FilterSelect } from '../../ui/filters.tsx';
import { PERIODS, type Scope } from './analytics-query.ts';

interface FiltersProps {
  scope: Scope;
  setSearch: (change: object) => void;
  children?: React.ReactNode;
}

/** The period, and what the figures are kept to, each with its way out. */
export function Filters({ scope: { days, asked }, setSearch, children }: FiltersProps) {
  return (
    <FilterBar>
      <FilterSelect name="days" label="Period" value={String(days)} options={PERIODS} />
      {children}
      {(['path', 'language'] as const).map(
        (name) =>
          asked[name] !== undefined && (
            <Button
              key={name}
              icon="x"
              className="max-w-full"
              title={`Show every ${name === 'path' ? 'page' : name}`}
              onClick={() => setSearch({ [name]: undefined })}
            >
              <span className="sr-only">Show every {name === 'path' ? 'page' : name}, not only </span>
              <code className="truncate font-mono text-xs">{asked[name]}</code>
            </Button>
          ),
      )}
    </FilterBar>
  );
}
