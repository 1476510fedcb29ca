import type { Unverified } from '../connection/connect.ts'
import type { Trust } from '../connection/trust.ts'
import { readNamedFile } from './read-file.ts'
import { flagIn, pathIn, pemIn, problem, type Section, textIn } from './section.ts'

export interface ClusterEntry {
  readonly url: URL
  readonly trust: Trust | Unverified
  readonly serverName?: string
  readonly proxy?: URL
}

export async function readCluster(cluster: Section): Promise<ClusterEntry> {
  const serverName = textIn(cluster, 'tls-server-name')
  const proxy = proxyIn(cluster)
  return {
    url: serverIn(cluster),
    trust: await trustIn(cluster),
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxy === undefined ? {} : { proxy }),
  }
}

function serverIn(cluster: Section): URL {
  const text = textIn(cluster, 'server')
  if (text === undefined) throw problem(cluster, 'server', 'is missing')
  // kubectl accepts an address without a scheme and assumes https only if TLS is configured; here it is always https.
  const url = addressIn(text.includes('://') ? text : `https://${text}`)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw problem(cluster, 'server', 'is not an http or https address')
  if (url.username !== '' || url.password !== '') throw problem(cluster, 'server', 'must not hold credentials')
  url.search = ''
  url.hash = ''
  return url
}

async function trustIn(cluster: Section): Promise<Trust | Unverified> {
  const inline = pemIn(cluster, 'certificate-authority-data')
  const path = pathIn(cluster, 'certificate-authority')
  if (flagIn(cluster, 'insecure-skip-tls-verify')) {
    if (inline === undefined && path === undefined) return { mode: 'unverified' }
    throw problem(cluster, 'insecure-skip-tls-verify', 'is set, but there is an authority to verify by; remove one')
  }
  if (inline !== undefined) return { mode: 'authority', authority: inline }
  if (path === undefined) return { mode: 'system' }
  const authority = await readNamedFile(cluster, 'certificate-authority', path)
  if (!authority.includes('-----BEGIN '))
    throw problem(cluster, 'certificate-authority', `points to ${path}, which is not PEM`)
  return { mode: 'authority', authority }
}

function proxyIn(cluster: Section): URL | undefined {
  const text = textIn(cluster, 'proxy-url')
  if (text === undefined) return undefined
  const url = addressIn(text)
  if (url?.protocol === 'http:') return url
  throw problem(cluster, 'proxy-url', 'is not an http address, the only kind of proxy that is supported')
}

function addressIn(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
