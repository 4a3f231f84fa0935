import * as z from 'zod';
import { about, setting } from './annotations.ts';
import { INTEGRATIONS } from './integration-table.ts';

const text = (pattern: RegExp) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .transform(String)
    .refine((value) => pattern.test(value), { message: `a string that matches ${pattern.source}` });

/** The first field identifies the account at the service; without it, nothing is loaded. */
function service([name, { fields }]: [string, (typeof INTEGRATIONS)[string]]) {
  const [first, ...rest] = Object.entries(fields);
  const shape = {
    ...(first && { [first[0]]: text(first[1]) }),
    ...Object.fromEntries(rest.map(([key, one]) => [key, text(one).optional()])),
  };
  return [name, z.object(shape).optional()] as const;
}

const words = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, { message: 'up to 100 letters, digits and _ . : -' });

const shape = z.object({
  ...Object.fromEntries(Object.entries(INTEGRATIONS).map(service)),
  telemetry: about(
    z.object({
      enabled: about(
        z.boolean(),
        'Whether pages send web analytics and feedback to the site itself.',
      ).optional(),
    }),
    'First-party data collection.',
  ).optional(),
  cookies: about(
    z.object({ key: words, value: words }),
    'Readers are asked before third-party scripts are loaded; their consent is stored in this browser storage entry.',
  ).optional(),
});

export const integrations = setting(
  shape,
  'Third-party scripts. The live site loads them if the operator allows it.',
  {},
);

/**
 * Returns the chosen services by name, the storage entry that means the reader has agreed, and
 * whether the site measures itself.
 */
export function readIntegrations({ telemetry, cookies, ...services }: z.output<typeof shape>) {
  const chosen = Object.entries(
    services as Record<string, Record<string, string | undefined> | undefined>,
  ).flatMap(([name, fields]) => {
    if (fields === undefined) return [];
    const entries = Object.entries(fields).filter(
      (field): field is [string, string] => field[1] !== undefined,
    );
    return [[name, Object.fromEntries(entries)] as const];
  });
  return { services: Object.fromEntries(chosen), consent: cookies, telemetry: telemetry?.enabled };
}
