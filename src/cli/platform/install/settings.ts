import { ownImage } from '../../../base/own-image.ts'
import { given } from '../../arguments/given.ts'
import type { DisruptionVersion } from '../../host/disruption-version.ts'

/** How clients outside the cluster reach the platform. */
export const exposures = ['cluster', 'node-port', 'load-balancer', 'ingress'] as const
export type Exposure = (typeof exposures)[number]

/** Quantities by resource, such as `cpu`. */
export type PlatformAmounts = Readonly<Record<string, string>>

/** Everything from which the objects of an installed platform are made. Plain data, stored with what was applied. */
export interface PlatformSettings {
  readonly namespace: string
  readonly image: string
  readonly imagePullSecrets: readonly string[]
  /** `etcd:URL[,URL]`. */
  readonly store?: string
  /**
   * A Secret with client certificates for an etcd and, unless `store` has them, its addresses. Without either, the
   * store is embedded, on a volume.
   */
  readonly etcdSecret?: string
  readonly replicas: number
  readonly storageSize: string
  /** Absent: the default of the cluster. */
  readonly storageClass?: string
  /** What each Pod requests of its node, and may use at most, by resource. */
  readonly requests: PlatformAmounts
  readonly limits: PlatformAmounts
  readonly domain: string
  readonly expose: Exposure
  /** The name or address by which clients and virtual clusters reach it. */
  readonly address?: string
  /** Whether the load balancer has received that address: then it already leads to the platform. */
  readonly isAddressFound: boolean
  readonly nodePort?: number
  readonly ingressClass?: string
  readonly ingressAnnotations: Readonly<Record<string, string>>
  /** A Secret of type kubernetes.io/tls. Absent: certificates are issued and renewed automatically. */
  readonly tlsSecret?: string
  /** A Secret with `license` and `issuer`. Absent: the one created at installation. */
  readonly licenseSecret?: string
  /** Whether Secrets and other confidential values are encrypted in the store. */
  readonly encryption: boolean
  readonly serviceMonitor: boolean
  readonly prometheusRule: boolean
  /** Versions that the cluster serves. */
  readonly disruptionVersion: DisruptionVersion
  /** Changes with the administrator's key, so that Pods restart. */
  readonly adminKeyMark?: string
  /** Further options of `tenant platform serve`. */
  readonly serveOptions: readonly string[]
}

/**
 * What an operator has chosen; everything else has a default. Stored with what was applied, and the basis of an
 * upgrade.
 */
export interface InstallChoices {
  readonly image?: string
  readonly imagePullSecrets?: readonly string[]
  /** `etcd:URL[,URL]`. */
  readonly store?: string
  readonly etcdSecret?: string
  readonly replicas?: number
  readonly storageSize?: string
  readonly storageClass?: string
  readonly requests?: PlatformAmounts
  readonly limits?: PlatformAmounts
  readonly domain?: string
  readonly expose?: Exposure
  readonly address?: string
  readonly nodePort?: number
  readonly ingressClass?: string
  readonly ingressAnnotations?: Readonly<Record<string, string>>
  readonly tlsSecret?: string
  readonly licenseSecret?: string
  readonly encryption?: boolean
  readonly serviceMonitor?: boolean
  readonly prometheusRule?: boolean
  readonly serveOptions?: readonly string[]
  readonly adminKeyMark?: string
  /** The address that a load balancer received. */
  readonly foundAddress?: string
}

/** What only the cluster knows. */
export interface ClusterFacts {
  readonly hasServiceMonitors: boolean
  readonly hasPrometheusRules: boolean
  readonly disruptionVersion: PlatformSettings['disruptionVersion']
}

/** For a cluster that is not asked. */
export const usualFacts: ClusterFacts = {
  hasServiceMonitors: false,
  hasPrometheusRules: false,
  disruptionVersion: 'policy/v1',
}

const defaultReplicas = { embedded: 1, etcd: 2 }
const defaultRequests: PlatformAmounts = { cpu: '100m', memory: '256Mi' }

/** The settings that follow from choices. An empty text reverts an earlier choice. */
export function settingsOf(namespace: string, choices: InstallChoices, facts: ClusterFacts): PlatformSettings {
  const { store, etcdSecret, storageClass, nodePort, ingressClass, tlsSecret, licenseSecret, adminKeyMark } =
    withoutEmpty(choices)
  const expose = choices.expose ?? 'cluster'
  const isAddressFound = !choices.address && expose === 'load-balancer' && choices.foundAddress !== undefined
  const address = choices.address || (isAddressFound ? choices.foundAddress : undefined)
  return {
    namespace,
    image: choices.image || ownImage(),
    imagePullSecrets: chosen(choices.imagePullSecrets),
    replicas: choices.replicas ?? (isEmbedded({ store, etcdSecret }) ? defaultReplicas.embedded : defaultReplicas.etcd),
    storageSize: choices.storageSize || '10Gi',
    requests: { ...defaultRequests, ...chosenAmounts(choices.requests) },
    limits: chosenAmounts(choices.limits),
    domain: choices.domain || 'platform.internal',
    expose,
    isAddressFound,
    ingressAnnotations: choices.ingressAnnotations ?? {},
    encryption: choices.encryption ?? true,
    serviceMonitor: choices.serviceMonitor ?? facts.hasServiceMonitors,
    prometheusRule: choices.prometheusRule ?? facts.hasPrometheusRules,
    disruptionVersion: facts.disruptionVersion,
    serveOptions: chosen(choices.serveOptions),
    ...given({ store, etcdSecret, storageClass, address, ingressClass, tlsSecret, licenseSecret, adminKeyMark }),
    ...(expose === 'node-port' && given({ nodePort })),
  }
}

/** Whether objects are stored on a volume of the platform. */
export function isEmbedded({
  store,
  etcdSecret,
}: {
  readonly store?: string | undefined
  readonly etcdSecret?: string | undefined
}): boolean {
  return !store && !etcdSecret
}

/** The address of a load balancer ends with it: a cloud may give it to others. */
export function rememberedChoices({ foundAddress, ...choices }: InstallChoices): InstallChoices {
  const hasBalancer = choices.expose === 'load-balancer' && foundAddress !== undefined
  return hasBalancer ? { ...choices, foundAddress } : choices
}

function chosen(texts: readonly string[] = []): readonly string[] {
  return texts.filter((text) => text !== '')
}

function chosenAmounts(amounts: PlatformAmounts = {}): PlatformAmounts {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== ''))
}

function withoutEmpty(choices: InstallChoices): InstallChoices {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== ''))
}
