import { memo, useMemo, type ReactNode } from 'react';
import { Check, CircleHelp, Diff, TriangleExclamationPoint } from 'lucide-react';
import type { Call } from '#shared/ipc/calls.ts';
import { explainCode, type Operation } from '#shared/provider/index.ts';
import { checkLaunchAnswer, type LaunchUrlCheck } from '#shared/provider/launch-url.ts';
import { wantedFault } from '#renderer/calls/wanted-fault.ts';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import type { AnswerBody } from './response-store.ts';
import styles from './next-step.module.css';

/** The last accepted call before a refused one: what differs first between the two, in a sentence, and the way to see all of it. */
export interface LastGoodOffer {
  readonly callId: number;
  readonly sentence: string;
  readonly onCompare: () => void;
}

interface NextStepProps {
  readonly call: Call;
  readonly operation: Operation;
  readonly body: AnswerBody | null;
  readonly onOpenPoint: (gapId: string) => void;
  readonly onFindings: () => void;
  /** Opens the launch of a call; absent where nothing can. */
  readonly onOpenLauncher?: ((callId: number) => void) | undefined;
  /** Opens what the provider's own log says of a call; absent where there is no such log. */
  readonly onOpenLog?: ((call: Call) => void) | undefined;
  /** Null where there is none. */
  readonly lastGood: LastGoodOffer | null;
}

/** What the code means and what to do next; for a launch URL, whether it is the one that was asked for. */
export const NextStep = memo(function NextStep({
  call,
  operation,
  body,
  onOpenPoint,
  onFindings,
  onOpenLauncher,
  onOpenLog,
  lastGood,
}: NextStepProps) {
  const text = body?.state === 'ready' && body.bytes.length < 65_536 ? body.body.text : null;
  const launch = useMemo(
    () =>
      operation.name === 'getLauncherURL' && call.code === 0 && text !== null
        ? checkLaunchAnswer(call.request.bodyText, text)
        : null,
    [operation, call, text],
  );
  if (launch !== null) {
    return <LaunchCard check={launch} onOpen={onOpenLauncher === undefined ? null : () => onOpenLauncher(call.id)} />;
  }
  if (call.code === null) {
    if (call.request.hashInput === null && body?.state === 'ready' && body.body.isJson) return null;
    return (
      <Card icon="warn" title="The answer has no code">
        <p>
          Every documented answer of /serviceApi.php has a whole number in <code>code</code>. See whether the base address is
          right and whether something stands between: a proxy, a login page, a block of this country.
        </p>
      </Card>
    );
  }
  if (call.code === 0) {
    const severe = call.findings.filter((finding) => finding.severity !== 'note').length;
    if (severe === 0) return null;
    return (
      <Card
        icon="warn"
        title="Accepted, but not in the documented shape"
        action={<Button onClick={onFindings}>See the findings</Button>}
      >
        <p>{severe === 1 ? 'One remark' : `${severe} remarks`} about fields that are missing, unknown or of another type.</p>
      </Card>
    );
  }
  const explained = explainCode(call.code, operation);
  const wanted = wantedFault(call);
  const log =
    call.code === 8 && onOpenLog !== undefined ? (
      <p>
        <button type="button" className={styles.link} onClick={() => onOpenLog(call)}>
          The provider&apos;s log says why
        </button>
      </p>
    ) : null;
  if (wanted !== null) {
    return (
      <Card icon="good" title={`Code ${call.code} is what this test should get`}>
        <p>{explained.meaning}</p>
        <p>{wanted} Take the override out of the request line for a call that should succeed.</p>
        {log}
      </Card>
    );
  }
  return (
    <Card
      icon={explained.known ? 'warn' : 'help'}
      title={explained.meaning}
      action={explained.known ? null : <Button onClick={() => onOpenPoint('codes.complete')}>Record what it means</Button>}
    >
      {/* There before its words are, so that a screen reader hears them come. */}
      <output className={styles.lastGood}>{lastGood === null ? null : <p>{lastGood.sentence}</p>}</output>
      {lastGood === null ? null : (
        <Button variant="primary" icon={<Diff aria-hidden="true" />} className={styles.compare} onClick={lastGood.onCompare}>
          {`Compare with call ${lastGood.callId}`}
        </Button>
      )}
      {explained.next.length > 0 && (
        <ol>
          {explained.next.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {log}
    </Card>
  );
});

function LaunchCard({ check, onOpen }: { readonly check: LaunchUrlCheck; readonly onOpen: (() => void) | null }) {
  const off = check.parameters.filter((parameter) => parameter.state !== 'equal');
  const failed = check.checks.filter(({ passed }) => !passed);
  const present = check.checks.find(({ rule }) => rule === 'present');
  const good = failed.length === 0;
  return (
    <Card
      icon={good ? 'good' : 'warn'}
      title={good ? 'The launch URL agrees with the request' : 'The launch URL differs from the request'}
      action={
        <div className={styles.actions}>
          {onOpen === null ? null : <Button onClick={onOpen}>Open in launcher</Button>}
          <CopyButton text={check.url} words="Copy the URL" />
        </div>
      }
    >
      <p>{good ? `${present?.message ?? ''}, equal to the request.` : `${failed.map(({ message }) => message).join('. ')}.`}</p>
      {off.length > 0 && (
        <ul>
          {off.map((parameter) => (
            <li key={parameter.name}>
              <code>{parameter.name}</code> {parameterWords(parameter)}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function parameterWords({ name, state, requested, returned }: LaunchUrlCheck['parameters'][number]): string {
  switch (state) {
    case 'missing':
      return `is missing; ${shown(requested)} was sent`;
    case 'duplicated':
      return `is there more than once: ${shown(returned)}`;
    case 'malformed':
      return `is ${shown(returned)}, which is not of the documented form`;
    case 'unexpected':
      return name === 'externalToken' ? 'is there in fun mode' : `is ${shown(returned)} and is not documented`;
    case 'equal':
    case 'different':
      return `is ${shown(returned)}; ${requested === null ? 'nothing' : shown(requested)} was sent`;
  }
}

function Card(props: {
  readonly icon: 'good' | 'warn' | 'help';
  readonly title: string;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}) {
  const Icon = { good: Check, warn: TriangleExclamationPoint, help: CircleHelp }[props.icon];
  return (
    <aside className={styles.card} aria-label="What to do next">
      <Icon aria-hidden="true" data-icon={props.icon} />
      <div className={styles.words}>
        <h3>{props.title}</h3>
        {props.children}
      </div>
      {props.action}
    </aside>
  );
}

function shown(text: string | null): string {
  if (text === null) return 'nothing';
  return text === '' ? 'an empty text' : `"${text}"`;
}
