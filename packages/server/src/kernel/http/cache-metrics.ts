import { cacheFigures } from '@docent/format/bounded-cache.ts';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds the figures of every cache of the process, by its name in `CACHES`. */
export function addCacheMetrics(registry: Registry): void {
  const labelNames = ['cache'];
  const gauges = {
    bytes: 'what its entries take, about',
    max_bytes: 'its bound',
    entries: 'its entries',
  };
  const registers = [registry];
  for (const [name, help] of Object.entries(gauges)) {
    new Gauge({
      name: `docent_cache_${name}`,
      help: `Caches: ${help}.`,
      labelNames,
      registers,
      collect() {
        for (const [cache, { bytes, maxBytes, entries }] of cacheFigures()) {
          this.set({ cache }, { bytes, max_bytes: maxBytes, entries }[name] as number);
        }
      },
    });
  }
  new Counter({
    name: 'docent_cache_requests_total',
    help: 'What caches were asked for, by whether they had it: hit, miss.',
    labelNames: [...labelNames, 'result'],
    registers,
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of cacheFigures()) {
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
}
