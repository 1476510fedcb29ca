import { builtinKinds } from '../api/builtin-kinds.ts'
import { coreKinds } from '../api/core/kinds.ts'
import type { Kind } from '../api/kind.ts'
import type { PlatformTables } from '../platform/platform.ts'
import type { AdmissionPlugin } from '../registry/admission/contract.ts'
import { clusterAdmission, storageAdmission, workloadAdmission } from '../registry/admission/plugins.ts'
import { serviceWithFollowedAddresses } from '../registry/allocation/followed-addresses.ts'
import type { Engine } from '../registry/context.ts'
import type { WebhookAddressRules } from '../registry/webhooks/contract.ts'
import { type AddressOfCopy, byCopiedAddress, byEndpoints } from '../registry/webhooks/service-routes.ts'
import type { ExtraRoute } from '../server/contract.ts'
import { type MakeReview, reviewsOfKubernetes } from '../server/reviews/resources.ts'
import type { ControllerTable } from './controllers/controller-parts.ts'
import {
  apiControllers,
  clusterControllers,
  definitionControllers,
  flowControllers,
  simulatedHostControllers,
  virtualControllers,
  workloadControllers,
} from './controllers/controllers.ts'
import {
  addressAllocation,
  addressesFilledInBy,
  apiServers,
  bindingRights,
  certificateRequests,
  escalationCheck,
  type HookTable,
  namespaceProtection,
  policyRights,
  quotaLimit,
  storedVersionProtection,
} from './hooks.ts'
import { nodelessRoutes } from './routes/nodeless-routes.ts'
import { simulatedNodeRoutes } from './routes/simulated-node-routes.ts'

/** The parts of an API server, besides a store, certificates and HTTPS, which all have. */
export interface ClusterType {
  readonly kinds: () => readonly Kind[]
  readonly hooks: HookTable
  /** Admission plugins for writes. */
  readonly admission: readonly AdmissionPlugin[]
  /** Background work of kube-apiserver itself. Always runs. */
  readonly upkeep: ControllerTable
  /** The controllers that make a bare API a cluster, as kube-controller-manager does. */
  readonly controllers: ControllerTable
  readonly reviews: readonly MakeReview[]
  /** Whether users may authenticate with certificates, which its own authority signs. */
  readonly clientCertificates?: true
  /** How webhooks are reached. Absent: there are no webhooks. */
  readonly webhooks?: WebhookAddressRules
  /** Routes besides kinds and reviews. */
  readonly routes?: readonly ((engine: Engine) => ExtraRoute)[]
  /** Whether these routes include connections into Pods. */
  readonly hasConnections?: true
  /** The tables that the platform adds, loaded on demand: other servers never need its code. */
  readonly management?: () => Promise<PlatformTables>
}

/** The user under which a syncer writes to its virtual cluster. */
export const syncerUser = 'system:tenant:syncer'

const coreHooks: HookTable = {
  Namespace: namespaceProtection,
  Service: addressAllocation,
  'ClusterRole.rbac.authorization.k8s.io': escalationCheck,
  'ClusterRoleBinding.rbac.authorization.k8s.io': escalationCheck,
  'Role.rbac.authorization.k8s.io': escalationCheck,
  'RoleBinding.rbac.authorization.k8s.io': escalationCheck,
}

const hooks: HookTable = {
  ...coreHooks,
  ResourceQuota: quotaLimit,
  'APIService.apiregistration.k8s.io': apiServers,
  'CertificateSigningRequest.certificates.k8s.io': certificateRequests,
  'CustomResourceDefinition.apiextensions.k8s.io': storedVersionProtection,
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': policyRights,
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': bindingRights,
}

const upkeep: ControllerTable = { ...apiControllers, ...flowControllers, ...definitionControllers }

/** All types of API servers. */
export const clusters = {
  /** `tenant platform serve`, and the platform of `tenant up`. */
  platform: {
    kinds: coreKinds,
    hooks: coreHooks,
    admission: clusterAdmission,
    upkeep: apiControllers,
    controllers: clusterControllers,
    reviews: reviewsOfKubernetes,
    management: async () => (await import('./platform-tables.ts')).platformTables,
  },
  /**
   * `tenant run`: its Services have the addresses that the host assigns to their copies. For its webhooks see
   * `virtualClusterOn`.
   */
  virtualCluster: {
    kinds: () => builtinKinds().map(followingAddresses),
    hooks: { ...hooks, Service: addressesFilledInBy(syncerUser, () => true) },
    admission: workloadAdmission,
    upkeep,
    controllers: virtualControllers({ acts: 'alone', claimsAreSynced: () => true }),
    reviews: reviewsOfKubernetes,
    clientCertificates: true,
  },
  /** The embedded host of `tenant up`: the only one with a node, which is simulated, and a scheduler. */
  host: {
    kinds: builtinKinds,
    hooks,
    admission: storageAdmission,
    upkeep,
    controllers: simulatedHostControllers,
    reviews: reviewsOfKubernetes,
    clientCertificates: true,
    webhooks: { addresses: 'public', services: byEndpoints },
    routes: [simulatedNodeRoutes],
    hasConnections: true,
  },
  /** `tenant apiserver`: for tests of operators and clients. */
  apiServer: {
    kinds: builtinKinds,
    hooks,
    admission: storageAdmission,
    upkeep,
    controllers: workloadControllers,
    reviews: reviewsOfKubernetes,
    clientCertificates: true,
    webhooks: { addresses: 'any', services: byEndpoints },
    routes: [nodelessRoutes],
    hasConnections: true,
  },
} as const satisfies Readonly<Record<string, ClusterType>>

export interface VirtualClusterParts {
  /** Where the host placed the copy of a Service. Absent: nothing routes the addresses that the host assigns. */
  readonly addressOfCopy: AddressOfCopy | undefined
  readonly controllers: 'embedded' | 'external'
  readonly claimsAreSynced: () => boolean
  readonly servicesAreSynced: () => boolean
  /** What it adds to the rules of a cluster. */
  readonly admission: readonly AdmissionPlugin[]
}

/**
 * Webhooks inside the operator's network are called only where the host itself placed the copy of a Service. Without
 * `addressOfCopy` they are not: in the network of this machine, the addresses that the host assigns may belong to
 * others.
 */
export function virtualClusterOn(parts: VirtualClusterParts): ClusterType {
  const { addressOfCopy, controllers, claimsAreSynced, servicesAreSynced, admission } = parts
  const acts = controllers === 'embedded' ? 'alone' : 'beside kube-controller-manager'
  return {
    ...clusters.virtualCluster,
    hooks: { ...clusters.virtualCluster.hooks, Service: addressesFilledInBy(syncerUser, servicesAreSynced) },
    admission: [...clusters.virtualCluster.admission, ...admission],
    controllers: virtualControllers({ acts, claimsAreSynced }),
    webhooks: {
      addresses: 'public',
      services: addressOfCopy === undefined ? byEndpoints : byCopiedAddress(addressOfCopy),
    },
  }
}

function followingAddresses(kind: Kind): Kind {
  return kind.group === '' && kind.kind === 'Service' ? serviceWithFollowedAddresses : kind
}
