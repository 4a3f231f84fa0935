import type { ModelPrices } from './config/model-settings.ts';

/**
 * Returns what an answer costs in US dollars; null without a price for its model, or if the model
 * did not say what it used.
 */
export function costOf(
  prices: ModelPrices,
  {
    model,
    inputTokens,
    outputTokens,
  }: { model: string | null; inputTokens: number | null; outputTokens: number | null },
): number | null {
  const price = model !== null && Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (price === undefined || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}
