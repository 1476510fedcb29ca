import { allowing, allowingNamed, reading, tellingEvents } from './allowing.ts'
import type { BootstrapRole } from './bootstrap-roles.ts'

const certificates = 'certificates.k8s.io'
const asking = [
  allowing('create', 'authentication.k8s.io', 'tokenreviews'),
  allowing('create', 'authorization.k8s.io', 'subjectaccessreviews'),
]

/** The rights of Kubernetes components, by the roles that they and their installers expect. */
export const componentRoles: readonly BootstrapRole[] = [
  {
    name: 'system:monitoring',
    rules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          ...['/healthz', '/healthz/*', '/livez', '/livez/*', '/metrics', '/metrics/slis', '/readyz', '/readyz/*'],
        ],
      },
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          ...['/.well-known/openid-configuration', '/.well-known/openid-configuration/'],
          ...['/openid/v1/jwks', '/openid/v1/jwks/'],
        ],
      },
    ],
  },
  {
    name: 'system:node',
    rules: [
      allowing('create', 'authentication.k8s.io', 'tokenreviews'),
      allowing('create', 'authorization.k8s.io', 'localsubjectaccessreviews subjectaccessreviews'),
      allowing(reading, 'core', 'services'),
      allowing('create get list watch', 'core', 'nodes'),
      allowing('patch update', 'core', 'nodes/status'),
      allowing('patch update', 'core', 'nodes'),
      allowing('create patch update', 'core', 'events'),
      allowing(reading, 'core', 'pods'),
      allowing('create delete', 'core', 'pods'),
      allowing('patch update', 'core', 'pods/status'),
      allowing('create', 'core', 'pods/eviction'),
      allowing(reading, 'core', 'configmaps secrets'),
      allowing('get', 'core', 'persistentvolumeclaims persistentvolumes'),
      allowing('get', 'core', 'endpoints'),
      allowing('create get list watch', certificates, 'certificatesigningrequests'),
      allowing('create delete get patch update', 'coordination.k8s.io', 'leases'),
      allowing('get', 'storage.k8s.io', 'volumeattachments'),
      allowing('create', 'core', 'serviceaccounts/token'),
      allowing('get patch update', 'core', 'persistentvolumeclaims/status'),
      allowing(reading, 'storage.k8s.io', 'csidrivers'),
      allowing('create delete get patch update', 'storage.k8s.io', 'csinodes'),
      allowing(reading, 'node.k8s.io', 'runtimeclasses'),
    ],
  },
  {
    name: 'system:node-problem-detector',
    rules: [allowing('get', 'core', 'nodes'), allowing('patch', 'core', 'nodes/status'), tellingEvents],
  },
  {
    name: 'system:node-proxier',
    rules: [
      allowing('list watch', 'core', 'endpoints services'),
      allowing(reading, 'core', 'nodes'),
      tellingEvents,
      allowing('list watch', 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      allowing(reading, 'core', 'nodes'),
      allowing('proxy', 'core', 'nodes'),
      allowing('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
    ],
  },
  {
    name: 'system:node-bootstrapper',
    rules: [allowing('create get list watch', certificates, 'certificatesigningrequests')],
  },
  { name: 'system:auth-delegator', rules: asking },
  {
    name: 'system:heapster',
    rules: [allowing(reading, 'core', 'events namespaces nodes pods'), allowing(reading, 'extensions', 'deployments')],
  },
  { name: 'system:kube-aggregator', rules: [allowing(reading, 'core', 'endpoints services')] },
  {
    name: 'system:kube-controller-manager',
    rules: [
      tellingEvents,
      allowing('create', 'coordination.k8s.io', 'leases'),
      allowingNamed('kube-controller-manager', 'get update', 'coordination.k8s.io', 'leases'),
      allowing('create', 'core', 'secrets serviceaccounts'),
      allowing('delete', 'core', 'secrets'),
      allowing('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
      allowing('update', 'core', 'secrets serviceaccounts'),
      ...asking,
      allowing('list watch', '*', '*'),
      allowing('create', 'core', 'serviceaccounts/token'),
    ],
  },
  {
    name: 'system:kube-scheduler',
    rules: [
      tellingEvents,
      allowing('create', 'coordination.k8s.io', 'leases'),
      allowingNamed('kube-scheduler', 'get list update watch', 'coordination.k8s.io', 'leases'),
      allowing('create delete deletecollection get list patch update watch', 'coordination.k8s.io', 'leasecandidates'),
      allowing(reading, 'core', 'nodes'),
      allowing('delete get list watch', 'core', 'pods'),
      allowing('create', 'core', 'bindings pods/binding'),
      allowing('patch update', 'core', 'pods/status'),
      allowing(reading, 'core', 'replicationcontrollers services'),
      allowing(reading, 'apps extensions', 'replicasets'),
      allowing(reading, 'apps', 'statefulsets'),
      allowing(reading, 'policy', 'poddisruptionbudgets'),
      allowing(reading, 'core', 'persistentvolumeclaims persistentvolumes'),
      ...asking,
      allowing(reading, 'storage.k8s.io', 'csinodes'),
      allowing(reading, 'storage.k8s.io', 'volumeattachments'),
      allowing(reading, 'core', 'namespaces'),
      allowing(reading, 'storage.k8s.io', 'csidrivers'),
      allowing(reading, 'storage.k8s.io', 'csistoragecapacities'),
    ],
  },
  { name: 'system:kube-dns', rules: [allowing('list watch', 'core', 'endpoints services')] },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      allowing('create delete get list watch', 'core', 'persistentvolumes'),
      allowing('get list update watch', 'core', 'persistentvolumeclaims'),
      allowing(reading, 'storage.k8s.io', 'storageclasses'),
      allowing('watch', 'core', 'events'),
      tellingEvents,
    ],
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      allowing('get list patch update watch', 'core', 'persistentvolumes'),
      allowing(reading, 'storage.k8s.io', 'storageclasses'),
      allowing('get list patch update watch', 'core', 'persistentvolumeclaims'),
    ],
  },
  {
    name: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    rules: [allowing('create', certificates, 'certificatesigningrequests/nodeclient')],
  },
  {
    name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    rules: [allowing('create', certificates, 'certificatesigningrequests/selfnodeclient')],
  },
  ...['legacy-unknown', 'kubelet-serving', 'kube-apiserver-client', 'kube-apiserver-client-kubelet'].map((signer) => ({
    name: `system:certificates.k8s.io:${signer}-approver`,
    rules: [allowingNamed(`kubernetes.io/${signer}`, 'approve', certificates, 'signers')],
  })),
]
