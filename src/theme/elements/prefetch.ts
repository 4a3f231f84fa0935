const DELAY_MS = 60;

interface Connection {
  saveData?: boolean;
}

function wanted(link: HTMLAnchorElement): boolean {
  return (
    link.origin === location.origin &&
    link.pathname !== location.pathname &&
    !link.hasAttribute('download') &&
    link.target !== '_blank'
  );
}

/** Pages are fetched when the pointer rests on a link to them, so that they stand there at the click. Only on a server. */
export function startPrefetch(): void {
  const connection = (navigator as Navigator & { connection?: Connection }).connection;
  if (!location.protocol.startsWith('http') || connection?.saveData) return;
  const done = new Set<string>();
  let timer = 0;
  document.addEventListener('pointerover', (event) => {
    clearTimeout(timer);
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || !wanted(link)) return;
    const address = link.href.split('#')[0] ?? '';
    if (done.has(address)) return;
    timer = setTimeout(() => {
      done.add(address);
      const hint = document.createElement('link');
      hint.rel = 'prefetch';
      hint.href = address;
      document.head.append(hint);
    }, DELAY_MS);
  });
}
