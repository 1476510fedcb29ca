import { isIP } from 'node:net'
import { validateLabel, validateSubdomain } from '../../../api/names.ts'
import { nanosOf, parseQuantity } from '../../../api/quantity.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { isEmbedded, type PlatformAmounts, type PlatformSettings } from './settings.ts'

/** Throws all problems with the settings that no cluster could resolve. */
export function checkSettings(settings: PlatformSettings): void {
  const problems = [storeProblems, amountProblems, entranceProblems, nameProblems].flatMap((find) => find(settings))
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
}

function amountProblems({ requests, limits }: PlatformSettings): readonly string[] {
  const problems = Object.entries({ '--requests': requests, '--limits': limits }).flatMap(([flag, amounts]) =>
    Object.entries(amounts).flatMap(([name, amount]) => {
      const problem = amountProblem(amount)
      return problem === undefined ? [] : [`${flag} ${name}=${amount}: ${problem}`]
    }),
  )
  return problems.length > 0 ? problems : lowLimits(requests, limits)
}

function amountProblem(amount: string): string | undefined {
  const parsed = parseQuantity(amount)
  if ('problem' in parsed) return parsed.problem
  return parsed.nanos < 0n ? 'it must not be negative' : undefined
}

function lowLimits(requests: PlatformAmounts, limits: PlatformAmounts): readonly string[] {
  return Object.entries(limits).flatMap(([name, limit]) => {
    const request = requests[name]
    if (request === undefined || nanosOf(limit) >= nanosOf(request)) return []
    return [`--limits ${name}=${limit}: a Pod requests ${request}; lower that with --requests ${name}=${limit}`]
  })
}

function storeProblems(settings: PlatformSettings): readonly string[] {
  const { store, etcdSecret, replicas, storageSize } = settings
  const size = parseQuantity(storageSize)
  return [
    ...(store === undefined || /^etcd:./.test(store)
      ? []
      : [`--store ${store}: name an etcd, as in etcd:https://10.0.0.1:2379; without it the store is embedded`]),
    ...(etcdSecret === undefined || store === undefined ? [] : certificateProblems(store)),
    ...(isEmbedded(settings) && replicas > 1
      ? ['an embedded store has one server: --replicas needs an etcd, named by --store etcd:URL or --etcd-secret']
      : []),
    ...('problem' in size ? [`--storage-size ${storageSize}: ${size.problem}`] : []),
  ]
}

/** The Secret must be the only source of certificates. */
function certificateProblems(store: string): readonly string[] {
  const named = /[?&](cafile|certfile|keyfile)=/.exec(store)?.[1]
  return [
    ...(/^etcd:(.*,)?http:/.test(store)
      ? ['--etcd-secret has certificates: write https instead of http in --store']
      : []),
    ...(named === undefined ? [] : [`--etcd-secret has the certificates: leave ${named} out of --store`]),
  ]
}

function entranceProblems({ expose, address }: PlatformSettings): readonly string[] {
  const needsAddress = expose === 'ingress' || expose === 'node-port'
  const isNumber = address !== undefined && isIP(address) !== 0
  return [
    ...(needsAddress && address === undefined
      ? [`--expose ${expose} needs --address, the name or address that clients use, such as platform.example.com`]
      : []),
    ...(expose === 'ingress' && isNumber ? ['an Ingress needs a name: --address is an IP address'] : []),
    ...(address === undefined || isNumber
      ? []
      : validateSubdomain(address).map((why) => `--address ${address}: ${why}`)),
  ]
}

function nameProblems({
  namespace,
  domain,
  tlsSecret,
  licenseSecret,
  etcdSecret,
}: PlatformSettings): readonly string[] {
  const secrets = Object.entries({
    '--tls-secret': tlsSecret,
    '--license-secret': licenseSecret,
    '--etcd-secret': etcdSecret,
  })
  return [
    ...validateLabel(namespace).map((why) => `--namespace ${namespace}: ${why}`),
    ...validateSubdomain(domain).map((why) => `--domain ${domain}: ${why}`),
    ...secrets.flatMap(([flag, name]) =>
      name === undefined ? [] : validateSubdomain(name).map((why) => `${flag} ${name}: ${why}`),
    ),
  ]
}
