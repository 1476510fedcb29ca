import { systemNamespacePolicy } from '../../auth/rbac/bootstrap.ts'
import type { Log } from '../../base/log.ts'
import { whileLeading } from '../../controllers/run/leading.ts'
import { type SchedulerKinds, startScheduler } from '../../controllers/scheduler/start-scheduler.ts'
import { usualTimes } from '../../controllers/simulated-node/settings.ts'
import { type SimulatedNodeKinds, startSimulatedNode } from '../../controllers/simulated-node/start-simulated-node.ts'
import { TokenSecrets } from '../../controllers/tokens/token-secrets.ts'
import { startWorkloads, type WorkloadKinds, type WorkloadOptions } from '../../controllers/workloads.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ExpiryController } from '../../registry/controllers/expiry.ts'
import { FlowControl } from '../../registry/controllers/flow-control.ts'
import { NamespaceDefaults } from '../../registry/controllers/namespace-defaults.ts'
import { NamespaceTerminator } from '../../registry/controllers/namespace-terminator.ts'
import { QuotaStatus } from '../../registry/controllers/quota-status.ts'
import { ServiceClaims } from '../../registry/controllers/service-claims.ts'
import { DefinitionCleanup } from '../../registry/custom-resources/definition-cleanup.ts'
import {
  DefinitionController,
  type DefinitionControllerOptions,
} from '../../registry/custom-resources/definition-controller.ts'
import { PolicyStatus } from '../../registry/policies/policy-status.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { issuer } from '../access/authentication.ts'
import { startApiServices } from '../extensions/aggregation.ts'
import { type ApiAddress, tellApiAddress } from './api-address.ts'
import { startCertificates } from './certificate-controllers.ts'
import {
  type CallerProofs,
  callerAuthentication,
  eventExpiry,
  graceExpiry,
  kubernetesService,
  systemNamespaces,
  systemPriorityClasses,
} from './cluster-objects.ts'
import { startCollector } from './collector.ts'
import type { ControllerParts, ControllerTable } from './controller-parts.ts'
import { metricsReader } from './metrics-reader.ts'
import { bringUpToDate, ensureOwn } from './own-objects.ts'
import { RoleAggregation } from './role-aggregation.ts'

const expiryIntervalMs = 1_000

export function reportTo(log: Log): ReportError {
  return (controller, subject, error) => log.warn('a controller will try again', { controller, subject, error })
}

/** Part of the API itself: releases addresses, and deletes what has expired. */
export const apiControllers: ControllerTable = {
  'service-claims': ({ registry, allocator, report }) =>
    new ServiceClaims(required(registry, '', 'Service'), allocator, report),
  expiry: ({ registry, report }) => new ExpiryController(expiring(registry), expiryIntervalMs, report),
}

/** Part of the API if it has all kinds of Kubernetes. */
export const flowControllers: ControllerTable = {
  'flow-control': ({ registry, report }) => {
    const schemas = registry.engine.find('flowcontrol.apiserver.k8s.io', 'FlowSchema')
    const levels = registry.engine.find('flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration')
    return schemas && levels && new FlowControl({ schemas, levels }, report)
  },
}

/** For clusters in which users define kinds and APIs. */
export const definitionControllers: ControllerTable = {
  'api-services': startApiServices,
  'custom-resource-definitions': (parts) => {
    const { registry, reviews, report, log, electionTimes: times } = parts
    const definitions = registry.engine.find('apiextensions.k8s.io', 'CustomResourceDefinition')
    if (definitions === undefined) return undefined
    const options = { registry, definitions, reviews, report }
    const leases = registry.engine.find('coordination.k8s.io', 'Lease')
    const start = () => startDefinitions(options)
    return leases ? whileLeading({ leases, name: 'tenant-definition-controllers', log, times, start }) : start()
  },
}

/** Runs on one replica at a time, because two could assign one name twice. */
function startDefinitions(options: DefinitionControllerOptions): Controller {
  const controllers = [new DefinitionController(options), new DefinitionCleanup(options)]
  return {
    stop: async () => {
      await Promise.all(controllers.map((controller) => controller.stop()))
    },
  }
}

export const clusterControllers: ControllerTable = {
  'garbage-collector': startCollector,
  'namespace-terminator': ({ registry, report }) =>
    new NamespaceTerminator(registry, required(registry, '', 'Namespace'), report),
  'namespace-defaults': ({ registry, rootCertificate, report }) =>
    new NamespaceDefaults(
      {
        namespaces: required(registry, '', 'Namespace'),
        serviceAccounts: required(registry, '', 'ServiceAccount'),
        configMaps: required(registry, '', 'ConfigMap'),
      },
      rootCertificate,
      report,
    ),
  'resource-quota': ({ registry, quotaBook, report }) => new QuotaStatus(registry, quotaBook, report),
  'policy-status': ({ registry, report }) => {
    const policies = registry.engine.find('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy')
    return policies && new PolicyStatus(policies, registry, report)
  },
  'role-aggregation': ({ registry, rbac, report }) =>
    new RoleAggregation(required(registry, 'rbac.authorization.k8s.io', 'ClusterRole'), rbac, report),
}

/** The same for clusters with workload accounts, which have tokens in Secrets. */
const accountControllers: ControllerTable = {
  ...clusterControllers,
  'token-secrets': ({ registry, rootCertificate, issueToken, report }) =>
    new TokenSecrets({
      secrets: required(registry, '', 'Secret'),
      serviceAccounts: required(registry, '', 'ServiceAccount'),
      rootCertificate,
      issueToken,
      issuer,
      report,
    }),
}

/** The same, with the controllers of workloads. */
export const workloadControllers: ControllerTable = {
  ...accountControllers,
  workloads: workloadsWith({ nodes: 'own', acts: 'alone' }),
  certificates: startCertificates,
}

/** The same for a virtual cluster, whose Pods run on nodes of the host. */
export function virtualControllers(scope: Pick<WorkloadOptions, 'acts' | 'claimsAreSynced'>): ControllerTable {
  return {
    ...accountControllers,
    workloads: workloadsWith({ nodes: "the host's", ...scope }),
    certificates: startCertificates,
  }
}

function workloadsWith(scope: Pick<WorkloadOptions, 'nodes' | 'acts' | 'claimsAreSynced'>): ControllerTable[string] {
  return (parts) => {
    const { registry, report, log, electionTimes: times } = parts
    const readMetrics = metricsReader(parts)
    return whileLeading({
      leases: required(registry, 'coordination.k8s.io', 'Lease'),
      name: 'tenant-workload-controllers',
      log,
      times,
      start: (mayWrite) => startWorkloads(workloadKinds(registry), { report, mayWrite, readMetrics, ...scope }),
    })
  }
}

/** The same, with a scheduler and a simulated node, so that Pods become ready without a real node. */
export const simulatedHostControllers: ControllerTable = {
  ...workloadControllers,
  scheduler: ({ registry, report, log, electionTimes: times }) =>
    whileLeading({
      leases: required(registry, 'coordination.k8s.io', 'Lease'),
      name: 'tenant-scheduler',
      log,
      times,
      start: (mayWrite) => startScheduler(schedulerKinds(registry), report, mayWrite),
    }),
  'simulated-node': ({ registry, version, simulatedTimes: times = usualTimes, electionTimes, report, log }) =>
    whileLeading({
      leases: required(registry, 'coordination.k8s.io', 'Lease'),
      name: 'tenant-simulated-node',
      log,
      times: electionTimes,
      start: (mayWrite) => startSimulatedNode(simulatedNodeKinds(registry), { times, version, report, mayWrite }),
    }),
}

function schedulerKinds(registry: ObjectRegistry): SchedulerKinds {
  return {
    pods: required(registry, '', 'Pod'),
    nodes: required(registry, '', 'Node'),
    namespaces: required(registry, '', 'Namespace'),
    events: required(registry, '', 'Event'),
  }
}

function simulatedNodeKinds(registry: ObjectRegistry): SimulatedNodeKinds {
  return {
    nodes: required(registry, '', 'Node'),
    leases: required(registry, 'coordination.k8s.io', 'Lease'),
    pods: required(registry, '', 'Pod'),
    volumes: required(registry, '', 'PersistentVolume'),
    claims: required(registry, '', 'PersistentVolumeClaim'),
    storageClasses: required(registry, 'storage.k8s.io', 'StorageClass'),
    events: required(registry, '', 'Event'),
  }
}

export function workloadKinds(registry: ObjectRegistry): WorkloadKinds {
  return {
    pods: required(registry, '', 'Pod'),
    replicationControllers: required(registry, '', 'ReplicationController'),
    replicaSets: required(registry, 'apps', 'ReplicaSet'),
    deployments: required(registry, 'apps', 'Deployment'),
    jobs: required(registry, 'batch', 'Job'),
    cronJobs: required(registry, 'batch', 'CronJob'),
    statefulSets: required(registry, 'apps', 'StatefulSet'),
    daemonSets: required(registry, 'apps', 'DaemonSet'),
    controllerRevisions: required(registry, 'apps', 'ControllerRevision'),
    services: required(registry, '', 'Service'),
    endpoints: required(registry, '', 'Endpoints'),
    endpointSlices: required(registry, 'discovery.k8s.io', 'EndpointSlice'),
    nodes: required(registry, '', 'Node'),
    leases: required(registry, 'coordination.k8s.io', 'Lease'),
    budgets: required(registry, 'policy', 'PodDisruptionBudget'),
    autoscalers: required(registry, 'autoscaling', 'HorizontalPodAutoscaler'),
    volumes: required(registry, '', 'PersistentVolume'),
    claims: required(registry, '', 'PersistentVolumeClaim'),
    storageClasses: required(registry, 'storage.k8s.io', 'StorageClass'),
    events: required(registry, '', 'Event'),
  }
}

/** Returns a function that stops them. If one fails to start, all are stopped. */
export function startControllers(table: ControllerTable, parts: ControllerParts): () => Promise<void> {
  const controllers: (Controller | undefined)[] = []
  const stop = async () => {
    await Promise.all(controllers.map((controller) => controller?.stop()))
  }
  try {
    for (const make of Object.values(table)) controllers.push(make(parts))
  } catch (error) {
    void stop()
    throw error
  }
  return stop
}

function expiring(registry: ObjectRegistry) {
  return [
    { context: required(registry, '', 'Event'), expiresAt: eventExpiry },
    ...registry
      .contexts()
      .filter(({ kind }) => kind.goesWhenGraceEnds === true)
      .map((context) => ({ context, expiresAt: graceExpiry })),
  ]
}

/** The objects of every new cluster. */
export async function ensureClusterObjects(
  registry: ObjectRegistry,
  apiAddress: string,
  address: ApiAddress,
  proofs: CallerProofs,
): Promise<void> {
  const namespaces = systemNamespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  const objects = [kubernetesService(apiAddress, address.port), ...systemPriorityClasses, ...systemNamespacePolicy()]
  await Promise.all(namespaces.map((each) => ensureOwn(registry, each)))
  await Promise.all([
    ...objects.map((each) => ensureOwn(registry, each)),
    tellApiAddress(registry, address),
    tellCallerProofs(registry, proofs),
  ])
}

/** Tells servers beside or behind this one which authorities identify callers. */
export function tellCallerProofs(registry: ObjectRegistry, proofs: CallerProofs): Promise<void> {
  return bringUpToDate(registry, callerAuthentication(proofs))
}

function required(registry: ObjectRegistry, group: string, kind: string): ResourceContext {
  const context = registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`a cluster needs the kind ${kind}, which is not among those served`)
  return context
}
