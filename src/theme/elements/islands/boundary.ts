import { Component, type ComponentChildren } from 'preact';

interface BoundaryProps {
  onError: (error: unknown) => void;
  children?: ComponentChildren;
}

/** Isolates the page from errors of one component. */
export class Boundary extends Component<BoundaryProps, { hasFailed?: boolean }> {
  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    // The tree is being updated now; the HTML from the build is restored afterwards.
    queueMicrotask(() => this.props.onError(error));
  }

  override render({ children }: BoundaryProps, { hasFailed }: { hasFailed?: boolean }): ComponentChildren {
    return hasFailed ? null : children;
  }
}
