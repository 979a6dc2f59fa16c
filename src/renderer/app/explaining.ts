import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ExplanationAction } from '#shared/explanation/explanation.ts';
import type { Call } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Explaining } from '#renderer/calls/explaining.ts';
import { compare } from './comparing.ts';
import { openInDoctor } from './doctor-area.tsx';
import { launchFromCall } from './launcher-area.tsx';
import { showInProviderLog } from './provider-log-beside.tsx';
import type { Workbench } from './workbench.ts';

/** Gives explanations what they need of the workbench: evidence, environments, and the actions that are possible here. */
export function createExplaining(workbench: Workbench): Explaining {
  const { environments, evidence, historyResponses, openPoints, responses, shell } = workbench;
  const find = (id: string) => {
    const { list } = environments.getState();
    return list.state === 'ready' ? (list.environments.find((environment) => environment.id === id) ?? null) : null;
  };

  function openEnvironment(id: string): void {
    environments.getState().open(id);
    shell.getState().show('environments');
  }

  return {
    evidence,
    openAuthority(id) {
      if (find(id)?.kind !== 'provider') return null;
      return () => {
        environments.getState().openAuthority(id);
        shell.getState().show('environments');
      };
    },
    useEnvironment: (id) => {
      useStore(environments, (state) => state.list);
      useStore(environments, (state) => state.currentId);
      useStore(shell, (state) => state.sandbox?.environmentId);
      return find(id);
    },
    useKey(id) {
      const view = useStore(environments, (state) => state.keys[id]);
      useEffect(() => {
        if (find(id) !== null) environments.getState().seeKey(id);
      }, [id]);
      return view?.state === 'known' ? view.status : null;
    },
    can({ kind }, call) {
      switch (kind) {
        case 'openLog':
          return shell.getState().sandbox?.environmentId === call.environmentId;
        case 'setSerialization':
        case 'openEnvironment':
          return find(call.environmentId) !== null;
        // An answer is recorded for the environment that is selected.
        case 'openPoint':
          return environments.getState().currentId === call.environmentId;
        // The built-in provider sets its key itself.
        case 'setKey':
        case 'chooseKey':
          return find(call.environmentId)?.kind === 'provider';
        case 'compare':
        case 'openDoctor':
        case 'copyUrl':
        case 'openFindings':
          return true;
        case 'openLauncher':
          return call.pack === undefined;
      }
    },
    act(action: ExplanationAction, call: Call) {
      const { area } = shell.getState();
      const origin = area === 'history' || area === 'gateway' ? area : 'requests';
      switch (action.kind) {
        case 'openLog':
          return showInProviderLog(workbench, call.id);
        case 'openPoint':
          openPoints.getState().open(action.id);
          return shell.getState().show('openPoints');
        case 'compare':
          return compare(workbench, action.callId, call.id, origin);
        case 'openDoctor':
          return startWork(openInDoctor(workbench, call.id));
        case 'setSerialization':
          return startWork(environments.getState().setSerialization(call.environmentId, action.value));
        case 'chooseKey':
          return startWork(environments.getState().chooseKey(call.environmentId, action.key));
        case 'setKey':
        case 'openEnvironment':
          return openEnvironment(call.environmentId);
        case 'openFindings':
          return (origin === 'requests' ? responses : historyResponses).getState().setView('findings');
        case 'openLauncher':
          return launchFromCall(workbench, call.id);
        case 'copyUrl':
          return undefined;
      }
    },
  };
}
