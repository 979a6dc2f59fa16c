import { Check } from 'lucide-react';
import type { Finding } from '#shared/model/finding.ts';
import { FindingItems } from '#renderer/calls/finding-items.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';

/** Lists the findings of a response: its differences from the spec, a recorded answer, a custom or its request. */
export function FindingsList({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) {
    return (
      <EmptyState icon={<Check />} title="No findings" small>
        Nothing in this response differs from what the spec shows or what is recorded.
      </EmptyState>
    );
  }
  return (
    <div className="scroll-pane">
      <FindingItems findings={findings} label="Findings" />
    </div>
  );
}
