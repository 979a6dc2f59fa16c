import { Eye, EyeOff } from 'lucide-react';
import { toggleHiddenTokens, useHiddenTokens } from './hidden-tokens.ts';
import { IconButton } from './icon-button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A field for a session token, whose eye hides all tokens on the screen until it is pressed again. */
export function TokenTextField({ suffix, ...rest }: TextFieldProps) {
  const hidden = useHiddenTokens();
  return (
    <TextField
      {...rest}
      data-session-token=""
      suffix={
        <>
          {suffix}
          <IconButton
            small
            label={hidden ? 'Show session tokens' : 'Hide session tokens'}
            icon={hidden ? <EyeOff /> : <Eye />}
            side="top"
            onClick={toggleHiddenTokens}
          />
        </>
      }
    />
  );
}
