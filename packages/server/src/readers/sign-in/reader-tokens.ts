import { DocentError } from '@docent/format/errors.ts';
import type { ReaderTokens } from '../../kernel/process-state.ts';
import { type TokenDeps, verifyReaderToken } from './verify-token.ts';

/** Verifies the tokens that come with calls of the API. */
export function createReaderTokens(deps: TokenDeps): ReaderTokens {
  return {
    async verify(site, token) {
      const { methods } = await deps.readerStore.accessOf(site.siteId);
      if (!methods.jwt)
        throw new DocentError(
          'sign_in_required',
          'This site takes no tokens of readers; its owner sets a key first.',
        );
      const { reader, expiresAt } = await verifyReaderToken(deps, site, methods.jwt, token, 'api');
      return { ...reader, expiresAt: expiresAt ?? deps.clock.now() };
    },
  };
}
