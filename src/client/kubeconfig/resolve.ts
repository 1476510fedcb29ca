import type { Clock } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { proxyFor } from '../connection/proxy-environment.ts'
import { type ClusterEntry, readCluster } from './cluster.ts'
import { type ClusterAccess, KubeconfigError } from './contract.ts'
import type { ExecCluster } from './exec/protocol.ts'
import type { Kubeconfig } from './parse.ts'
import { problem, type Section, textIn } from './section.ts'
import { credentialsOf } from './user.ts'

export interface ResolveOptions {
  /** Absent: the current context. */
  readonly context?: string | undefined
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The access to the cluster that a context names. */
export async function resolveContext(config: Kubeconfig, options: ResolveOptions): Promise<ClusterAccess> {
  const { clock, env } = options
  const context = chosenContext(config, options.context)
  const cluster = referenced(context, 'cluster', config.clusters)
  if (cluster === undefined) throw problem(context, 'cluster', 'is missing')
  const user = referenced(context, 'user', config.users) ?? { ...context, fields: {} }
  const entry = await readCluster(cluster)
  const credentials = await credentialsOf(user, { clock, env, cluster: toldToPlugins(cluster, entry) })
  const proxy = entry.proxy ?? proxyFor(entry.url, env)
  const namespace = textIn(context, 'namespace') ?? 'default'
  return { ...entry, ...(proxy === undefined ? {} : { proxy }), credentials, namespace }
}

function chosenContext({ contexts, currentContext, files }: Kubeconfig, wanted: string | undefined): Section {
  const place = files.join(', ')
  const name = wanted ?? currentContext
  const known = [...contexts.keys()].sort().join(', ') || 'none'
  if (name === undefined) throw new KubeconfigError(`${place}: current-context is not set; contexts: ${known}`)
  const context = contexts.get(name)
  if (context === undefined) throw new KubeconfigError(`${place}: there is no context "${name}"; contexts: ${known}`)
  return context
}

function referenced(context: Section, field: string, entries: ReadonlyMap<string, Section>): Section | undefined {
  const name = textIn(context, field)
  if (name === undefined) return undefined
  const entry = entries.get(name)
  if (entry === undefined) throw problem(context, field, `names "${name}", which does not exist`)
  return entry
}

const pluginExtension = 'client.authentication.k8s.io/exec'

/** The description of the cluster for plugins that ask for it. Plugins cannot resolve relative file names. */
function toldToPlugins({ fields }: Section, { url, trust, serverName, proxy }: ClusterEntry): ExecCluster {
  const extensions = Array.isArray(fields.extensions) ? fields.extensions.filter(isJsonObject) : []
  const config = extensions.find(({ name }) => name === pluginExtension)?.extension
  return {
    server: url.href.replace(/\/$/, ''),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(trust.mode === 'unverified' ? { 'insecure-skip-tls-verify': true } : {}),
    ...(trust.mode === 'authority'
      ? { 'certificate-authority-data': Buffer.from(trust.authority).toString('base64') }
      : {}),
    ...(proxy === undefined ? {} : { 'proxy-url': proxy.href }),
    ...(config === undefined ? {} : { config }),
  }
}
