import { expect, it } from 'vitest';
import { limitsFrom, rateLimitField, rateLimitPolicyField } from './limits.ts';

const limits = limitsFrom({
  assistantPerOrganizationHour: 10_000,
  assistantPerIpDay: 500,
  keysPerOrganizationHour: 10,
  exportsPerOrganizationHour: 10,
  publishesPerOrganizationHour: 60,
  organizationsPerPersonHour: 3,
  invitationsPerOrganizationDay: 20,
  searchPerOrganizationHour: 10_000,
  searchPerIpHour: 5000,
});

it('the RateLimit fields have the format of the IETF draft', () => {
  const { perOrganization, perIp } = limits.assistant;
  expect(rateLimitPolicyField([perOrganization, perIp])).toBe(
    '"assistant-organization";q=10000;w=3600, "assistant-ip";q=500;w=86400',
  );
  expect(
    rateLimitField([
      { limit: perIp, remaining: 0, resetSeconds: 17 },
      { limit: perOrganization, remaining: 9999, resetSeconds: 3600 },
    ]),
  ).toBe('"assistant-ip";r=0;t=17, "assistant-organization";r=9999;t=3600');
});
