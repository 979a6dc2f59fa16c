import { Component, type ReactNode } from 'react';
import { AppError } from '#shared/errors.ts';
import { faultMessage, reportFault } from '#renderer/faults/faults.ts';
import { UnfetchedCode } from '#renderer/faults/unfetched-code.ts';
import { Button } from '#renderer/ui/button.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { fetchAgain } from '#renderer/ui/lazy-page.ts';
import styles from './error-boundary.module.css';

interface BoundaryProps {
  readonly name: string;
  /** True while the area is in sight; one that failed is drawn again when it comes back. */
  readonly shown?: boolean;
  /** True for a part of the frame, which a single line replaces. */
  readonly small?: boolean;
  /** A way out of what cannot be drawn. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

interface Failure {
  readonly message: string;
  readonly unfetched: boolean;
}

interface BoundaryState {
  readonly failure: Failure | null;
  readonly shown: boolean;
}

/**
 * Keeps a fault in one area or part of the frame from taking the page with it. What the user typed is in the stores and comes back
 * afterwards. React knows this only as a class.
 */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null, shown: true };

  static getDerivedStateFromProps({ shown = true }: BoundaryProps, before: BoundaryState): BoundaryState {
    return { failure: shown && !before.shown ? null : before.failure, shown };
  }

  static getDerivedStateFromError(error: unknown): Pick<BoundaryState, 'failure'> {
    const message = error instanceof AppError ? error.message : faultMessage;
    return { failure: { message, unfetched: error instanceof UnfetchedCode } };
  }

  override componentDidCatch(error: unknown): void {
    fetchAgain(error);
    if (!(error instanceof AppError)) reportFault(error);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const retry = () => this.setState({ failure: null });
    const { name, small, action } = this.props;
    const { message, unfetched } = failure;
    const title = `${name} could not be ${unfetched ? 'loaded' : 'shown'}`;
    if (small === true) {
      return (
        <div className={styles.part} role="alert">
          <span>{title}.</span>
          <Button onClick={retry}>Try again</Button>
        </div>
      );
    }
    const hint = unfetched
      ? 'What you typed is kept. Try again; if that fails, reload the page.'
      : 'What you typed is kept. Try again; if it fails again, close the open request or form.';
    const reload = unfetched ? <Button onClick={() => window.location.reload()}>Reload the page</Button> : null;
    return (
      <FailedState
        title={title}
        message={message}
        hint={hint}
        retry={retry}
        action={
          <>
            {reload}
            {action}
          </>
        }
      />
    );
  }
}
