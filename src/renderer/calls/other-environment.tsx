import { use } from 'react';
import { ArrowLeftRight } from 'lucide-react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { Environment } from '#shared/model/environment.ts';
import { counted } from '#shared/provider/findings.ts';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { EnvironmentsContext, SinceCall } from './environment-name.tsx';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import styles from './other-environment.module.css';

/** Says that the part below is of another environment than the selected one. */
export function OtherEnvironment({
  call,
  environment,
}: {
  readonly call: Pick<Call, 'id' | 'environmentId' | 'environmentName'> | null;
  readonly environment: Environment | null;
}) {
  const known = use(EnvironmentsContext);
  if (call === null || environment === null || call.environmentId === environment.id) return null;
  const sender = known?.environments.find(({ id }) => id === call.environmentId);
  return (
    <WarningLine said="where it is read" icon={<ArrowLeftRight />}>
      <p>
        Call {counted(call.id)} went to{' '}
        <span className={styles.name}>
          <ColorMark color={sender?.color ?? 'grey'} production={sender?.production ?? false} />
          <b>{call.environmentName}</b>
          <SinceCall call={call} />
        </span>
        , but <b>{environment.name}</b> is selected.
      </p>
    </WarningLine>
  );
}
