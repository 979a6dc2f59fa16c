import { useMemo } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { chosenExchange } from '#renderer/features/gateway/gateway-store.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { useBeside, useCallBeside } from './call-beside.tsx';
import { openInDoctor } from './doctor-area.tsx';
import { openManualAt } from './manual-area.tsx';
import { openCall } from './open-call.ts';
import { checkOfCall } from './value-at-cursor.ts';
import { WalletLead } from './wallet-lead.tsx';
import type { Workbench } from './workbench.ts';

const GatewayPage = lazyPage(async () => (await import('#renderer/features/gateway/gateway-page.tsx')).GatewayPage);

/** Screen of what the operator's backend and its provider say to each other, while it passes. */
export function GatewayArea({ workbench }: { workbench: Workbench }) {
  const { gateway, history, shell } = workbench;
  const list = useStore(workbench.environments, (state) => state.list);
  const current = useStore(workbench.environments, currentEnvironment);
  const id = useStore(gateway, (state) => chosenExchange(state)?.callId ?? null);
  const detail = useCallBeside(
    workbench,
    useMemo(() => (id === null ? null : { id }), [id]),
  );
  const beside = useBeside(workbench);
  return (
    <GatewayPage
      store={gateway}
      lead={<WalletLead workbench={workbench} current="gateway" />}
      environments={list.state === 'ready' ? list.environments : []}
      current={current}
      beside={{ ...detail, ...beside }}
      onOpenCall={(callId) => openCall(workbench, callId)}
      onCheckCall={(callId) => startWork(checkOfCall(workbench, callId))}
      onExamine={(callId) => startWork(openInDoctor(workbench, callId))}
      onShowInHistory={(callId) => {
        history.getState().setActive(callId);
        shell.getState().show('history');
      }}
      onHelp={() => openManualAt(workbench, 'gateway', 'set-up-your-backend')}
    />
  );
}
