import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import { refusalOf } from '../../client/answer-body.ts'
import { withQuery } from '../../client/resource-path.ts'
import { usualLimits } from '../../client/transport/limits.ts'
import { createTransport } from '../../client/transport/transport.ts'
import { selectorLabels } from '../create/manifests/labels.ts'
import { type HostCluster, onHost } from '../host/host-cluster.ts'
import { servedTypeOf } from '../host/objects.ts'
import { localPlatforms } from '../local-platforms/find.ts'
import { findLocalTenant } from '../local-platforms/local-tenant.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { LogsOptions } from './options.ts'

export async function logs(options: LogsOptions, terminal: Terminal): Promise<void> {
  const { name, kubeconfig, context } = options
  const isAnyHost = kubeconfig === undefined && context === undefined
  if (isAnyHost && (await findLocalTenant(options, terminal)) !== undefined) {
    throw new Error(`tenant up runs ${name} and prints its log; tenant up --log-level info prints more`)
  }
  return onHost(options, terminal, async (host) => {
    const pods = await podsOf(options, host)
    if (pods.length === 0) throw new Error(await whyNoPod(options, terminal))
    await Promise.all(pods.map((pod) => copyLog(pod, pods.length > 1, options, host, terminal)))
  })
}

async function whyNoPod({ name, namespace }: LogsOptions, terminal: Terminal): Promise<string> {
  const isUp = (await localPlatforms(terminal)).length > 0
  const hint = isUp
    ? 'those that tenant up runs log where tenant up does (tenant up --log-level info)'
    : `see: kubectl get statefulset ${name} -n ${namespace}`
  return `there is no pod of ${name} in namespace ${namespace}; ${hint}`
}

async function podsOf({ name, namespace }: LogsOptions, { client }: HostCluster): Promise<readonly string[]> {
  const type = await servedTypeOf(client, { apiVersion: 'v1', kind: 'Pod' })
  const labelSelector = Object.entries(selectorLabels({ name, namespace }))
    .map((pair) => pair.join('='))
    .join(',')
  const { items } = await client.list(type, { namespace, labelSelector })
  return items.flatMap(({ metadata }) => metadata.name ?? [])
}

async function copyLog(
  pod: string,
  isOneOfMany: boolean,
  { namespace, follow, previous, tail }: LogsOptions,
  { access }: HostCluster,
  terminal: Terminal,
): Promise<void> {
  const transport = createTransport({
    access,
    limits: usualLimits,
    userAgent: `tenant/${packageVersion()}`,
    random: systemRandom,
    env: terminal.env,
  })
  const path = withQuery(`/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`, {
    follow: follow ? 'true' : undefined,
    previous: previous ? 'true' : undefined,
    tailLines: tail === undefined ? undefined : String(tail),
  })
  try {
    const answer = await transport.open({ method: 'GET', path, accept: '*/*' }, new AbortController().signal)
    if (answer.status !== 200) throw refusalOf({ ...answer, body: await answer.body() }, transport.origin)
    await copy(answer.chunks, isOneOfMany ? `${pod}: ` : '', terminal)
  } finally {
    await transport.close()
  }
}

/** Longer lines are shown in parts. */
const longestLine = 1024 * 1024

/** Writes whole lines, so that those of several pods do not mix. */
async function copy(chunks: AsyncIterable<Buffer>, prefix: string, terminal: Terminal): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    // Only the new chunk is searched: otherwise a long line in many chunks would be searched again with each of them.
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
    rest += first
    if (lines.length > 0) {
      lines.unshift(rest)
      rest = lines.pop() ?? ''
    }
    if (rest.length > longestLine) {
      lines.push(rest)
      rest = ''
    }
    for (const line of lines) print(terminal, `${prefix}${withoutReturn(line)}\n`)
  }
  if (rest !== '') print(terminal, `${prefix}${withoutReturn(rest)}\n`)
}

/** Some programs end their lines with a carriage return. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
