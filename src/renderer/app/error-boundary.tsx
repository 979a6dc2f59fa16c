import { Component, type ReactNode } from 'react';
import { AppError } from '#shared/errors.ts';
import { faultMessage, reportFault } from '#renderer/faults/faults.ts';
import { FailedState } from '#renderer/ui/failed-state.tsx';

/** Keeps a fault in one area from taking the page with it. What was typed is in the stores and is there again afterwards. React knows this only as a class. */
export class ErrorBoundary extends Component<{ name: string; children: ReactNode }, { message: string | null }> {
  override state: { message: string | null } = { message: null };

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof AppError ? error.message : faultMessage };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof AppError)) reportFault(error);
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return (
      <FailedState
        title={`${this.props.name} could not be drawn`}
        message={message}
        hint="What you typed is kept. Draw it again; if that fails, close the request or the form that was open."
        retry={() => this.setState({ message: null })}
      />
    );
  }
}
