import type { ReactNode } from 'react';
import { Check, CircleDashed, TriangleExclamationPoint, X } from 'lucide-react';
import type { Launch, LaunchState } from '#shared/ipc/index.ts';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';

/** A launch's verdict: a person's if there is one, else that of the rules. */
export function VerdictPill({ launch, size = 'medium' }: { launch: Launch; size?: 'small' | 'medium' }) {
  const state = launch.overruled?.state ?? launch.verdict.state;
  const title = launch.overruled === null ? undefined : `Overruled; the rules say ${launch.verdict.state}`;
  return (
    <Pill round size={size} tone={tones[state]} icon={icons[state]} {...(title === undefined ? {} : { title })}>
      {state}
      {launch.overruled === null ? null : <span className="visually-hidden">, overruled</span>}
    </Pill>
  );
}

const tones: Readonly<Record<LaunchState, PillTone>> = { passed: 'good', failed: 'bad', 'to check': 'warn', unfinished: 'plain' };

const icons: Readonly<Record<LaunchState, ReactNode>> = {
  passed: <Check />,
  failed: <X />,
  'to check': <TriangleExclamationPoint />,
  unfinished: <CircleDashed />,
};
