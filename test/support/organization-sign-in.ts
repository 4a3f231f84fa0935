import { callDeclared } from './declared.ts';
import type { TestApp } from './test-app.ts';

/** Returns the `Cookie` header of a browser after a response. */
export function cookiesAfter(before: string, setCookies: string | string[] | undefined): string {
  const jar = new Map(
    before
      .split('; ')
      .filter(Boolean)
      .map((pair) => pair.split('=', 2) as [string, string]),
  );
  for (const text of [setCookies ?? []].flat()) {
    const [name = '', value = ''] = (text.split(';')[0] as string).split(/=(.*)/s);
    if (value === '' || /Max-Age=0/.test(text)) jar.delete(name);
    else jar.set(name, value);
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Calls of the organization of somebody, as the dashboard sends them. */
export function managerOf(test: TestApp, headers: Record<string, string>) {
  const manage = (
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    payload?: object,
    sent: Record<string, string> = headers,
  ) =>
    callDeclared(test.app, {
      method,
      url: `/v1/organization${url}`,
      headers: sent,
      ...(payload && { payload }),
    });
  const change = (body: object, sent?: Record<string, string>) =>
    manage('PATCH', '/sign-in', body, sent);
  return { manage, change };
}

/** What a browser with these cookies may do. */
export function browserOf(test: TestApp) {
  const origin = new URL(test.deps.config.publicUrl).origin;
  return {
    origin,
    sessionOf: async (cookie: string) =>
      (await test.app.inject({ url: '/v1/session', headers: { cookie } })).json(),
    statusIn: async (organizationId: string, cookie: string) => {
      const headers = { cookie, origin, 'docent-organization': organizationId };
      const response = await test.app.inject({ url: '/v1/organization', headers });
      return [response.statusCode, response.json().code];
    },
    /** Turns on the second factor of an account. */
    protect: (userId: string) =>
      test.deps.database.queries
        .updateTable('users')
        .set({ two_factor_enabled: true } as never)
        .where('id', '=', userId)
        .execute(),
  };
}
