import type { Clock } from '../../base/clock.ts'
import type { ClientCertificate } from '../connection/connect.ts'
import type { ClientCredentials } from './contract.ts'
import { createExecCredentials } from './exec/credentials.ts'
import type { ExecCluster } from './exec/protocol.ts'
import { readNamedFile } from './read-file.ts'
import { pathIn, pemIn, problem, type Section, sectionIn, textIn, textsIn } from './section.ts'
import { bearer, createTokenFile } from './token-file.ts'

export interface UserContext {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cluster: ExecCluster
}

/** The credentials of a user in a kubeconfig. */
export async function credentialsOf(user: Section, context: UserContext): Promise<ClientCredentials> {
  if (user.fields['auth-provider'] !== undefined)
    throw problem(user, 'auth-provider', 'is no longer supported by Kubernetes; use exec')
  const impersonation = impersonationHeaders(user)
  const own = await ownCredentials(user, context)
  return {
    ...own,
    headers: async () => ({ ...(await own.headers()), ...impersonation }),
  }
}

async function ownCredentials(user: Section, context: UserContext): Promise<ClientCredentials> {
  const clientCertificate = await certificateOf(user)
  const none = { clientCertificate, refused: () => false }
  const tokenPath = pathIn(user, 'tokenFile')
  if (tokenPath !== undefined) {
    const file = createTokenFile(() => readNamedFile(user, 'tokenFile', tokenPath), context.clock)
    await file.headers()
    return { ...none, ...file }
  }
  const exec = sectionIn(user, 'exec')
  const token = textIn(user, 'token')
  if (token !== undefined) return { ...none, headers: async () => bearer(token) }
  const basic = basicHeader(user)
  if (basic !== undefined) return { ...none, headers: async () => basic }
  if (exec !== undefined) return createExecCredentials(exec, context)
  return { ...none, headers: async () => ({}) }
}

function basicHeader(user: Section): { readonly authorization: string } | undefined {
  const name = textIn(user, 'username')
  if (name === undefined) return undefined
  const pair = Buffer.from(`${name}:${textIn(user, 'password') ?? ''}`)
  return { authorization: `Basic ${pair.toString('base64')}` }
}

/** Files are read for every connection, because certificates are replaced while clients run. */
async function certificateOf(user: Section): Promise<() => Promise<ClientCertificate | undefined>> {
  const part = (field: string) => {
    const inline = pemIn(user, `${field}-data`)
    if (inline !== undefined) return async () => inline
    const path = pathIn(user, field)
    return path === undefined ? undefined : () => readNamedFile(user, field, path)
  }
  const [certificate, key] = [part('client-certificate'), part('client-key')]
  if (certificate === undefined && key === undefined) return async () => undefined
  if (certificate === undefined) throw problem(user, 'client-certificate', 'is missing, but there is a client-key')
  if (key === undefined) throw problem(user, 'client-key', 'is missing, but there is a client-certificate')
  const read = async () => ({ certificate: await certificate(), key: await key() })
  await read()
  return read
}

function impersonationHeaders(user: Section): Readonly<Record<string, string | string[]>> {
  const name = textIn(user, 'as')
  const uid = textIn(user, 'as-uid')
  const groups = textsIn(user, 'as-groups')
  const extra = sectionIn(user, 'as-user-extra')
  if (name === undefined && (uid !== undefined || groups.length > 0 || extra !== undefined))
    throw problem(user, 'as', 'is missing, but other fields say whom to act as')
  if (name === undefined) return {}
  const extras = Object.keys(extra?.fields ?? {}).map(
    (key) =>
      [`impersonate-extra-${encodeURIComponent(key)}`, extra === undefined ? [] : [...textsIn(extra, key)]] as const,
  )
  return {
    'impersonate-user': name,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(extras),
  }
}
