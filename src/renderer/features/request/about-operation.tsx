import { useEffect, useId, useState, type ReactNode } from 'react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { commonRulesOf, openPointById, routeOf, type Answers, type Operation, type RequestForm } from '#shared/provider/index.ts';
import { useMedia } from '#renderer/ui/use-media.ts';
import styles from './about-operation.module.css';

/** Sizes at which the form needs the room. */
const NARROW = '(max-width: 1100px), (max-height: 860px)';
/** Number of operations above which a point is about the service, not about one of them. */
const ownAtMost = 5;

/**
 * Shows the spec's facts about the operation beside its fields: its rules, the open points that touch it, and the version since
 * which it exists.
 */
export function AboutOperation(props: {
  readonly operation: Operation;
  readonly form: RequestForm;
  readonly answers: Answers;
  /** State in which they were left; undefined on the first visit, on which they are open where there is room. */
  readonly kept: boolean | undefined;
  /** True once the request was sent, which ends the first visit. */
  readonly sent: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onOpenPoint: (openPointId: string) => void;
}) {
  const { operation, form, answers, kept, sent, onOpen, onOpenPoint } = props;
  const id = useId();
  const narrow = useMedia(NARROW);
  const [chosen, setChosen] = useState(kept);
  const open = chosen ?? !(narrow || sent);
  useEffect(() => {
    if (kept === undefined) onOpen(false);
    // At the first visit alone.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const toggle = () => {
    setChosen(!open);
    onOpen(!open);
  };
  const own = operation.openPoints.filter((point) => openPointById(point).operations.length <= ownAtMost);
  const shared = operation.openPoints.filter((point) => !own.includes(point));
  const formSince = form.since === operation.since ? '' : `, this form since ${form.since}`;
  const ownPath = operation.endpoint === 'service' && routeOf(operation, answers)?.action === null;
  const kind = operation.endpoint === 'wallet' ? 'wallet methods' : `calls to ${ownPath ? 'this path' : '/serviceApi.php'}`;
  const rules = commonRulesOf(operation, answers);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <section className={styles.about} aria-labelledby={id}>
      <button type="button" className={styles.head} aria-expanded={open} onClick={toggle}>
        <Chevron className="faint" />
        <span id={id} className="rigid">
          About this operation
        </span>
        <span className={styles.facts}>
          {`Spec §${operation.section}, since ${operation.since}${formSince}`}
          {open ? '' : `, ${count(operation.rules.length, 'rule')}`}
        </span>
      </button>
      {open && (
        <div className={styles.body}>
          <p>{operation.summary}</p>
          <ul className="bullets">
            {operation.rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
          {own.length > 0 && (
            <More title={count(own.length, 'open point')}>
              <Points ids={own} onOpenPoint={onOpenPoint} />
            </More>
          )}
          <More title={`All ${kind}: ${count(rules.length, 'rule')}, ${count(shared.length, 'open point')}`}>
            <ul className="bullets">
              {rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
            <Points ids={shared} onOpenPoint={onOpenPoint} />
          </More>
        </div>
      )}
    </section>
  );
}

/** A part that unfolds; closed at first, because it is long or the same at each operation. */
function More({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <div className={styles.more}>
      <button type="button" className={styles.moreHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron className="faint" />
        {title}
      </button>
      {open && children}
    </div>
  );
}

function Points({
  ids,
  onOpenPoint,
}: {
  readonly ids: Operation['openPoints'];
  readonly onOpenPoint: (openPointId: string) => void;
}) {
  return (
    <div className="wrap tiny">
      {ids.map((point) => (
        <button key={point} type="button" className="link" onClick={() => onOpenPoint(point)}>
          {openPointById(point).title}
        </button>
      ))}
    </div>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
