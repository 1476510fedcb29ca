export type HostAddress = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly message: string }

/** The entry `host`: a domain, with or without a port or a scheme. */
export function readHostAddress(text: string): HostAddress {
  const url = parsed(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (url === undefined || url.hostname === '') return refused('is not the address of a platform')
  if (url.protocol !== 'https:') return refused(`has the scheme ${url.protocol}//, and a platform is reached by https`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refused('has a user, query or fragment')
  }
  return { ok: true, url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` }
}

function refused(why: string): HostAddress {
  return { ok: false, message: `host ${why}; it looks like platform.example.com or https://platform.example.com:8443` }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
