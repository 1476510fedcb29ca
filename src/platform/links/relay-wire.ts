import { relayPrefix, withoutRelayPrefix } from '../../api/link.ts'

/** The path by which one replica asks another to relay a request to a tenant that is linked there. */
export const relayRoot = '/kubernetes/relay/'

export function relayPath(project: string, name: string, url: string): string {
  return `${relayRoot}${project}/${name}${url}`
}

export function readRelayPath(
  path: string,
): { readonly project: string; readonly name: string; readonly url: string } | undefined {
  if (!path.startsWith(relayRoot)) return undefined
  const [, project, name, url = '/'] = /^([^/?]+)\/([^/?]+)(\/.*)?$/s.exec(path.slice(relayRoot.length)) ?? []
  return project === undefined || name === undefined ? undefined : { project, name, url }
}

export function relayedHeaders(headers: readonly string[], token: string): readonly string[] {
  const renamed = headers.map((text, index) =>
    index % 2 === 0 && text.startsWith('impersonate-') ? relayPrefix + text : text,
  )
  return ['authorization', `Bearer ${token}`, ...renamed]
}

/** Restores the original headers and drops those that the other replica added about itself. */
export function unrelayedHeaders(raw: readonly string[]): readonly string[] {
  const headers: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    if (name === 'authorization' || name.startsWith(':') || name.startsWith('impersonate-')) continue
    headers.push(withoutRelayPrefix(name), raw[index + 1] ?? '')
  }
  return headers
}
