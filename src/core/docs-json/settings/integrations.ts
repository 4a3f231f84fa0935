import { z } from 'zod';
import { about } from '../annotations.ts';
import { type ChosenIntegrations, INTEGRATIONS } from '../integration-table.ts';
import type { Setting } from './setting.ts';

/** What a site sets of other services, and what its pages ask readers before they load them. */
export interface IntegrationsSetting {
  services: ChosenIntegrations;
  /** What the browser's storage holds where the reader has agreed. */
  consent?: { key: string; value: string };
  telemetry?: boolean;
}

const text = (pattern: RegExp) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .transform(String)
    .refine((value) => pattern.test(value), { message: `a text that matches ${pattern.source}` });

/** The first field names the account at the service; without it there is nothing to load. */
function service([name, { fields }]: [string, (typeof INTEGRATIONS)[string]]) {
  const [first, ...rest] = Object.entries(fields);
  const shape = {
    ...(first && { [first[0]]: text(first[1]) }),
    ...Object.fromEntries(rest.map(([key, one]) => [key, text(one).optional()])),
  };
  return [name, z.object(shape).optional()] as const;
}

const words = z.string().regex(/^[\w.:-]{1,100}$/, { message: 'up to 100 letters, digits and _ . : -' });

const shape = z.object({
  ...Object.fromEntries(Object.entries(INTEGRATIONS).map(service)),
  telemetry: about(
    z.object({
      enabled: about(
        z.boolean(),
        'Whether pages send what readers do and say to the site itself: web analytics and feedback.',
      ).optional(),
    }),
    'What pages send to the site itself.',
  ).optional(),
  cookies: about(
    z.object({ key: words, value: words }),
    'Readers are asked before scripts of other services are loaded; their consent is this entry of the browser storage.',
  ).optional(),
});

/** `integrations`: scripts of other services, which pages load where the operator allows it. */
export const integrations: Setting<z.output<typeof shape>> = {
  schema: about(shape, 'Scripts of other services. The live site loads them where the operator allows it.'),
  fallback: {},
};

/** The setting in parts: services by name, consent, and what concerns the site itself. */
export function readIntegrations({ telemetry, cookies, ...services }: z.output<typeof shape>): IntegrationsSetting {
  const chosen = Object.entries(services as Record<string, Record<string, string | undefined> | undefined>).flatMap(
    ([name, fields]) => {
      if (fields === undefined) return [];
      const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
      return [[name, Object.fromEntries(given)] as const];
    },
  );
  return {
    services: Object.fromEntries(chosen),
    ...(cookies && { consent: cookies }),
    ...(telemetry?.enabled !== undefined && { telemetry: telemetry.enabled }),
  };
}
