import type {
  Container,
  ContainerPort,
  EnvVar,
  LifecycleHandler,
  Pod,
  PodSpec,
  PodStatus,
  Probe,
} from '../../types/core-v1.ts'
import { withRoundedAmounts } from '../amounts/rounded-amounts.ts'
import { pullPolicyOf } from '../pull-policy.ts'
import { withVolumeDefaults } from '../volumes/volume-defaults.ts'

/** What a negative one becomes; a template keeps it. */
const shortestGrace = { terminationGracePeriodSeconds: 1 }

export function withPodDefaults(pod: Pod): Pod {
  const { enableServiceLinks, ...spec } = withPodSpecDefaults(pod.spec)
  return {
    ...pod,
    spec: {
      ...spec,
      ...withPodContainers(spec),
      ...((spec.terminationGracePeriodSeconds ?? 0) < 0 ? shortestGrace : {}),
      enableServiceLinks: enableServiceLinks ?? true,
    },
    ...(pod.status === undefined ? {} : { status: withAddresses(pod.status) }),
  }
}

/** The first address also has its own field, which takes precedence if the two differ. */
function withAddresses(status: PodStatus): PodStatus {
  const { podIP = '', podIPs = [] } = status
  const [first] = podIPs
  if (podIP === '') return first === undefined ? status : { ...status, podIP: first.ip }
  return first?.ip === podIP ? status : { ...status, podIPs: [{ ip: podIP }] }
}

/** What a pod shares with a pod template. */
export function withPodSpecDefaults(spec: PodSpec): PodSpec {
  return {
    ...spec,
    ...(spec.volumes === undefined ? {} : { volumes: spec.volumes.map(withVolumeDefaults) }),
    ...withContainers(spec),
    ...withAccount(spec),
    restartPolicy: spec.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    securityContext: spec.securityContext ?? {},
    schedulerName: spec.schedulerName ?? 'default-scheduler',
  }
}

function withContainers(spec: PodSpec): Partial<PodSpec> {
  return {
    containers: spec.containers?.map(withContainerDefaults) ?? null,
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withContainerDefaults) }),
    ...(spec.ephemeralContainers === undefined
      ? {}
      : { ephemeralContainers: spec.ephemeralContainers.map(withContainerDefaults) }),
  }
}

/** A template leaves these to its pods. */
function withPodContainers(spec: PodSpec): Partial<PodSpec> {
  const isOnHost = spec.hostNetwork === true
  const each = (container: Container) => withHostPorts(withRequests(container), isOnHost)
  return {
    containers: spec.containers?.map(each) ?? null,
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(each) }),
  }
}

/** Old clients know the account as `serviceAccount`. */
function withAccount({ serviceAccountName, serviceAccount }: PodSpec): Partial<PodSpec> {
  const name = serviceAccountName ?? serviceAccount
  return name === undefined ? {} : { serviceAccountName: name, serviceAccount: name }
}

function withContainerDefaults(container: Container): Container {
  return {
    ...container,
    resources: withRoundedAmounts(container.resources),
    ...(container.ports === undefined ? {} : { ports: container.ports.map(withProtocol) }),
    ...(container.env === undefined ? {} : { env: container.env.map(withFieldVersion) }),
    ...(container.livenessProbe && { livenessProbe: withProbeDefaults(container.livenessProbe) }),
    ...(container.readinessProbe && { readinessProbe: withProbeDefaults(container.readinessProbe) }),
    ...(container.startupProbe && { startupProbe: withProbeDefaults(container.startupProbe) }),
    ...(container.lifecycle && { lifecycle: withHandlers(container.lifecycle) }),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    imagePullPolicy: container.imagePullPolicy ?? pullPolicyOf(container.image ?? ''),
  }
}

/** A limit without a request is also the request. */
function withRequests(container: Container): Container {
  const { limits, requests } = container.resources
  if (limits === undefined) return container
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } }
}

function withHostPorts(container: Container, isOnHost: boolean): Container {
  if (!isOnHost || container.ports === undefined) return container
  const ports = container.ports.map((port) => ({ ...port, hostPort: port.hostPort ?? port.containerPort }))
  return { ...container, ports }
}

function withProtocol(port: ContainerPort): ContainerPort {
  return { ...port, protocol: port.protocol ?? 'TCP' }
}

function withFieldVersion(variable: EnvVar): EnvVar {
  const fieldRef = variable.valueFrom?.fieldRef
  if (fieldRef === undefined) return variable
  return { ...variable, valueFrom: { ...variable.valueFrom, fieldRef: { apiVersion: 'v1', ...fieldRef } } }
}

function withProbeDefaults(probe: Probe): Probe {
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...withHttpDefaults(probe),
    ...(probe.grpc && { grpc: { service: '', ...probe.grpc } }),
  }
}

function withHandlers({ postStart, preStop }: NonNullable<Container['lifecycle']>): Container['lifecycle'] & object {
  return {
    ...(postStart && { postStart: withHttpDefaults(postStart) }),
    ...(preStop && { preStop: withHttpDefaults(preStop) }),
  }
}

function withHttpDefaults<T extends LifecycleHandler>(handler: T): T {
  if (handler.httpGet === undefined) return handler
  return { ...handler, httpGet: { path: '/', scheme: 'HTTP', ...handler.httpGet } }
}
