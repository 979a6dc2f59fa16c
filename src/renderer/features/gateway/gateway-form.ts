import type { Environment, Input } from '#shared/ipc/index.ts';

/** Texts and choices before a start. */
export interface GatewayForm {
  /** Null for the one in use. */
  readonly environmentId: string | null;
  readonly port: string;
  readonly toWallet: boolean;
  /** Null for that of the environment. */
  readonly walletUrl: string | null;
  readonly address: string;
  readonly allow: string;
  readonly anyPartner: boolean;
}

export const emptyForm: GatewayForm = {
  environmentId: null,
  port: '',
  toWallet: false,
  walletUrl: null,
  address: '',
  allow: '',
  anyPartner: false,
};

/** Returns the wallet's URL of the form. */
export function walletUrlOf({ walletUrl }: Pick<GatewayForm, 'walletUrl'>, environment: Environment): string {
  return walletUrl ?? environment.walletUrl ?? '';
}

/** Returns what must be corrected before a start, by field. */
export function formErrors(form: GatewayForm, environment: Environment) {
  const { port, address } = form;
  const allow = networksOf(form);
  return {
    port: port === '' || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) ? undefined : 'A port is a number up to 65535.',
    walletUrl: form.toWallet && walletUrlOf(form, environment).trim() === '' ? "Enter your wallet's URL." : undefined,
    address: address.trim() === '' && allow.length > 0 ? 'Enter the address to listen on.' : undefined,
    allow: address.trim() !== '' && allow.length === 0 ? 'Enter at least one network, like 10.1.0.0/16.' : undefined,
  };
}

/** Returns the input of a start. */
export function startOf(form: GatewayForm, environment: Environment): Input<'gateway.start'> {
  const { port, toWallet, anyPartner } = form;
  const address = form.address.trim();
  return {
    environmentId: environment.id,
    port: Number(port),
    anyPartner,
    ...(toWallet ? { walletUrl: walletUrlOf(form, environment).trim() } : {}),
    ...(address === '' ? {} : { network: { address, allow: networksOf(form) } }),
  };
}

const networksOf = ({ allow }: Pick<GatewayForm, 'allow'>): string[] => allow.split(/[\s,]+/).filter((one) => one !== '');
