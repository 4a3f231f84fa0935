/** A cell that a spreadsheet would take for a formula; what readers typed must not run there. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of CSV (RFC 4180) without its end. */
export function csvLine(values: readonly (string | number)[]): string {
  return values
    .map((value) => {
      if (typeof value === 'number') return String(value);
      const safe = FORMULA.test(value) ? `'${value}` : value;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',');
}
