import { Component, type ComponentChildren } from 'preact';

interface BoundaryProps {
  onError: (error: unknown) => void;
  children?: ComponentChildren;
}

/** Keeps the errors of one component away from the rest of the page. */
export class Boundary extends Component<BoundaryProps, { hasFailed?: boolean }> {
  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    // The tree is in the middle of a change now; what the build has rendered comes back after it.
    queueMicrotask(() => this.props.onError(error));
  }

  override render({ children }: BoundaryProps, { hasFailed }: { hasFailed?: boolean }): ComponentChildren {
    return hasFailed ? null : children;
  }
}
