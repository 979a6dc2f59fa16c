/** The meaning of a status of HTTP, and the next step. The spec shows none: these are the words of HTTP itself (RFC 9110, 15; RFC 6585). */
interface StatusWords {
  readonly says: string;
  readonly advice: string;
}

const known: Readonly<Record<number, StatusWords>> = {
  300: { says: 'The server offers several responses and sends none of them.', advice: 'Check the path of the base URL.' },
  304: {
    says: "The server says nothing has changed, but this call didn't ask.",
    advice: 'A cache in front of the provider can do that. Ask the provider.',
  },
  400: { says: "The server couldn't read the request.", advice: 'Compare its headers and body with those of an accepted call.' },
  401: {
    says: 'The server asks for a login.',
    advice: "The API has none, so something in front of it does, such as a staging server's password. Ask the provider.",
  },
  403: {
    says: 'The server refuses access.',
    advice: 'It may allow only listed IP addresses. Ask the provider whether yours is one of them.',
  },
  404: { says: "There's nothing at this path.", advice: 'Check the path of the base URL.' },
  405: { says: "This path doesn't accept POST.", advice: 'Check the path of the base URL.' },
  408: { says: 'The server waited too long for the request.', advice: 'Check the network connection.' },
  413: { says: 'The request is too large for the server.', advice: 'Send fewer players in one request.' },
  415: { says: "The server doesn't accept this kind of body.", advice: 'Ask the provider which Content-Type they expect.' },
  429: { says: 'The server got too many calls.', advice: '' },
  500: { says: 'The server failed while handling the request.', advice: 'Tell the provider the time of this call.' },
  502: {
    says: 'A gateway in front of the provider got no usable response from it.',
    advice: 'Tell the provider the time of this call.',
  },
  503: { says: "The server isn't available right now.", advice: '' },
  504: { says: 'A gateway in front of the provider waited too long for its response.', advice: '' },
};

/** Returns the words for a status from 300 that is not a redirect. `retryAfter`: the header's value, as it came; null without one. */
export function statusWords(status: number, retryAfter: string | null): StatusWords {
  const { says, advice } = known[status] ?? {
    says:
      status < 400
        ? 'The server sends no response of its own.'
        : status < 500
          ? 'The server refuses the request.'
          : 'The server failed.',
    advice: '',
  };
  return { says, advice: [retryWords(retryAfter) ?? '', advice].filter((words) => words !== '').join(' ') };
}

/** Says what Retry-After asks for (RFC 9110, 10.2.3): seconds, or a date. Other texts say nothing. */
function retryWords(value: string | null): string | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value))
    return `It asks you to wait ${Number(value) === 1 ? '1 second' : `${Number(value).toLocaleString('en')} seconds`}.`;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : `It asks you to wait until ${new Date(date).toUTCString()}.`;
}
