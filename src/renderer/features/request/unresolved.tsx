import { FileInput } from 'lucide-react';
import type { RequestSubstitution } from '#shared/variables/substitute-request.ts';
import type { Takers } from '#shared/variables/takers.ts';
import { Button } from '#renderer/ui/button.tsx';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import { fileTitle } from './tab-file.ts';

/** Number of variables that are listed: nobody reads more before the first is corrected. */
const SHOWN = 3;

interface UnresolvedProps {
  readonly filled: RequestSubstitution | null;
  /** Finds the requests that take a variable; undefined if they are not known. */
  readonly takers: Takers | undefined;
  /** Opens one of these, a path of the request's collection. */
  readonly onOpen: (path: string) => void;
}

/** The variables that have no value, each with its position, and the requests that take them; nothing is sent until they have one. */
export function Unresolved({ filled, takers, onOpen }: UnresolvedProps) {
  if (filled === null || filled.ok || filled.errors.length === 0) return null;
  const { errors } = filled;
  const missing = errors.slice(0, SHOWN).flatMap((error) => error.missing ?? []);
  const openable = [...new Set(missing.flatMap((name) => takers?.(name) ?? []))].slice(0, SHOWN);
  return (
    <WarningLine said="status" label="Variables without a value">
      <div className="grow">
        {errors.slice(0, SHOWN).map(({ field, line, column, message, start }) => (
          <p key={`${field} ${start}`}>
            <span className="quiet">
              {field === '/data' ? 'Data' : field.slice(1)}, line {line}, column {column}:
            </span>{' '}
            {message}
          </p>
        ))}
        {errors.length > SHOWN ? <p>And {(errors.length - SHOWN).toLocaleString('en')} more.</p> : null}
      </div>
      {openable.map((path) => (
        <Button key={path} icon={<FileInput />} title={path} onClick={() => onOpen(path)}>
          Open {fileTitle(path)}
        </Button>
      ))}
    </WarningLine>
  );
}
