import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { PERIODS, type Scope } from './analytics-query.ts';

interface FiltersProps {
  scope: Scope;
  setSearch: (change: object) => void;
  children?: React.ReactNode;
}

/** The period, and what the figures are kept to, each with its way out. */
export function Filters({ scope: { days, asked }, setSearch, children }: FiltersProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <Select aria-label="Period" className="w-44" value={days} onChange={({ target }) => setSearch({ days: target.value })}>
        {Object.entries(PERIODS).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Select>
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
    </div>
  );
}
