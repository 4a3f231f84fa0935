import { expect, it } from 'vitest';
import { limitsFrom, rateLimitField, rateLimitPolicyField } from './limits.ts';

const limits = limitsFrom({
  assistantPerOrganisationHour: 10_000,
  assistantPerIpDay: 500,
  keysPerOrganisationHour: 10,
  exportsPerOrganisationHour: 10,
  publishesPerOrganisationHour: 60,
  organizationsPerPersonHour: 3,
  invitationsPerOrganizationDay: 20,
  searchPerOrganisationHour: 10_000,
  searchPerIpHour: 5000,
});

it('the RateLimit fields have the format of the IETF draft', () => {
  const { perOrganisation, perIp } = limits.assistant;
  expect(rateLimitPolicyField([perOrganisation, perIp])).toBe(
    '"assistant-organisation";q=10000;w=3600, "assistant-ip";q=500;w=86400',
  );
  expect(
    rateLimitField([
      { limit: perIp, remaining: 0, resetSeconds: 17 },
      { limit: perOrganisation, remaining: 9999, resetSeconds: 3600 },
    ]),
  ).toBe('"assistant-ip";r=0;t=17, "assistant-organisation";r=9999;t=3600');
});
