import { encode } from 'uqr';

/** A QR code: dark on light in either color scheme, as scanners expect it (ISO/IEC 18004). */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 self-center rounded-md bg-white text-black"
    >
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
