import type { SandboxPlayer } from '#shared/ipc/index.ts';
import { Menu } from '#renderer/ui/menu.tsx';

/** Offers the session tokens of the built-in provider's players beside a field that takes one. */
export function SessionTokens({
  players,
  isTaken,
  onTake,
}: {
  players: readonly SandboxPlayer[];
  isTaken: (player: SandboxPlayer) => boolean;
  /** A token belongs to its player: the rest of the session should go with it. */
  onTake: (player: SandboxPlayer) => void;
}) {
  return (
    <Menu
      trigger={
        <button type="button" className="link tiny">
          Use a session token
        </button>
      }
      items={[
        { heading: 'Players of the built-in provider' },
        ...players.map((player) => ({
          id: player.playerId,
          label: player.playerId,
          detail: balanceText(player),
          checked: isTaken(player),
          onSelect: () => onTake(player),
        })),
      ]}
    />
  );
}

/** Returns `1,000.00 EUR`. */
export function balanceText({ balance, currency }: Pick<SandboxPlayer, 'balance' | 'currency'>): string {
  return `${balance.toLocaleString('en', { minimumFractionDigits: 2 })} ${currency}`;
}
