import { UsageError } from '../../base/usage-error.ts'

/** The URL of a platform in its canonical form. A bare host means https. */
export function readPlatformUrl(text: string): URL {
  const url = parsed(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (url === undefined) throw new UsageError('the address of a platform looks like https://platform.example.com:8443')
  if (url.protocol !== 'https:') {
    throw new UsageError(
      `a platform is reached by https only, which protects the key in transit; not by ${url.protocol}//`,
    )
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('the address of a platform has no user, query or fragment')
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

export function urlText(url: URL): string {
  return url.href.replace(/\/$/, '')
}

/** The default name of a platform. */
export function defaultName({ host }: URL): string {
  return host.replace(/[[\]]/g, '')
}

export function readName(name: string): string {
  if (/^[A-Za-z0-9:][\w.:-]*$/.test(name)) return name
  throw new UsageError(`"${name}" cannot name a platform: use letters, digits, dots, dashes and colons`)
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
