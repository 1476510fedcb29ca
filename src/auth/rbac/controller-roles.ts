import type { ResourceRule } from '../contract.ts'
import { allowing, allowingNamed, reading, tellingEvents } from './allowing.ts'
import type { BootstrapRole } from './bootstrap-roles.ts'

const podControl = 'create delete list patch watch'

const rulesOfController: Readonly<Record<string, readonly ResourceRule[]>> = {
  'attachdetach-controller': [
    allowing('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    allowing(reading, 'core', 'nodes'),
    allowing('patch update', 'core', 'nodes/status'),
    allowing('list watch', 'core', 'pods'),
    tellingEvents,
    allowing('create delete get list watch', 'storage.k8s.io', 'volumeattachments'),
    allowing(reading, 'storage.k8s.io', 'csidrivers'),
    allowing(reading, 'storage.k8s.io', 'csinodes'),
  ],
  'certificate-controller': [
    allowing('delete get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    allowing('update', 'certificates.k8s.io', 'certificatesigningrequests/approval certificatesigningrequests/status'),
    {
      ...allowing('approve', 'certificates.k8s.io', 'signers'),
      resourceNames: ['kubernetes.io/kube-apiserver-client-kubelet'],
    },
    {
      ...allowing('sign', 'certificates.k8s.io', 'signers'),
      resourceNames: [
        'kubernetes.io/kube-apiserver-client',
        'kubernetes.io/kube-apiserver-client-kubelet',
        'kubernetes.io/kubelet-serving',
        'kubernetes.io/legacy-unknown',
      ],
    },
    allowing('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    tellingEvents,
  ],
  'clusterrole-aggregation-controller': [
    allowing('escalate get list patch update watch', 'rbac.authorization.k8s.io', 'clusterroles'),
  ],
  'cronjob-controller': [
    allowing('get list update watch', 'batch', 'cronjobs'),
    allowing('create delete get list patch update watch', 'batch', 'jobs'),
    allowing('update', 'batch', 'cronjobs/status'),
    allowing('update', 'batch', 'cronjobs/finalizers'),
    allowing('delete list watch', 'core', 'pods'),
    tellingEvents,
  ],
  'daemon-set-controller': [
    allowing(reading, 'apps extensions', 'daemonsets'),
    allowing('update', 'apps extensions', 'daemonsets/status'),
    allowing('update', 'apps extensions', 'daemonsets/finalizers'),
    allowing('list watch', 'core', 'nodes'),
    allowing(podControl, 'core', 'pods'),
    allowing('create', 'core', 'pods/binding'),
    allowing('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    tellingEvents,
  ],
  'deployment-controller': [
    allowing('get list update watch', 'apps extensions', 'deployments'),
    allowing('update', 'apps extensions', 'deployments/status'),
    allowing('update', 'apps extensions', 'deployments/finalizers'),
    allowing('create delete get list patch update watch', 'apps extensions', 'replicasets'),
    allowing('get list update watch', 'core', 'pods'),
    tellingEvents,
  ],
  'disruption-controller': [
    allowing(reading, 'apps extensions', 'deployments'),
    allowing(reading, 'apps extensions', 'replicasets'),
    allowing(reading, 'core', 'replicationcontrollers'),
    allowing(reading, 'policy', 'poddisruptionbudgets'),
    allowing(reading, 'apps', 'statefulsets'),
    allowing('update', 'policy', 'poddisruptionbudgets/status'),
    allowing('patch update', 'core', 'pods/status'),
    allowing('get', '*', '*/scale'),
    tellingEvents,
  ],
  'endpoint-controller': [
    allowing(reading, 'core', 'pods services'),
    allowing('create delete get list update watch', 'core', 'endpoints'),
    allowing('create', 'core', 'endpoints/restricted'),
    tellingEvents,
  ],
  'endpointslice-controller': [
    allowing(reading, 'core', 'nodes pods services'),
    allowing('update', 'core', 'services/finalizers'),
    allowing('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
    tellingEvents,
  ],
  'endpointslicemirroring-controller': [
    allowing(reading, 'core', 'endpoints services'),
    allowing('update', 'core', 'services/finalizers'),
    allowing('update', 'core', 'endpoints/finalizers'),
    allowing('create delete get list update watch', 'discovery.k8s.io', 'endpointslices'),
    tellingEvents,
  ],
  'ephemeral-volume-controller': [
    allowing(reading, 'core', 'pods'),
    allowing('update', 'core', 'pods/finalizers'),
    allowing('create get list watch', 'core', 'persistentvolumeclaims'),
    tellingEvents,
  ],
  'expand-controller': [
    allowing('get list patch update watch', 'core', 'persistentvolumes'),
    allowing('patch update', 'core', 'persistentvolumeclaims/status'),
    allowing(reading, 'core', 'persistentvolumeclaims'),
    tellingEvents,
    allowing('get', 'core', 'services'),
  ],
  'generic-garbage-collector': [allowing('delete get list patch update watch', '*', '*'), tellingEvents],
  'horizontal-pod-autoscaler': [
    allowing(reading, 'autoscaling', 'horizontalpodautoscalers'),
    allowing('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    allowing('get update', '*', '*/scale'),
    allowing('list watch', 'core', 'pods'),
    allowing('list watch', 'metrics.k8s.io', 'pods'),
    allowing(reading, 'custom.metrics.k8s.io', '*'),
    allowing(reading, 'external.metrics.k8s.io', '*'),
    tellingEvents,
  ],
  'job-controller': [
    allowing('get list patch update watch', 'batch', 'jobs'),
    allowing('update', 'batch', 'jobs/status'),
    allowing('update', 'batch', 'jobs/finalizers'),
    allowing(podControl, 'core', 'pods'),
    tellingEvents,
  ],
  'legacy-service-account-token-cleaner': [
    allowingNamed('kube-apiserver-legacy-service-account-token-tracking', 'get', 'core', 'configmaps'),
    allowing('delete patch', 'core', 'secrets'),
  ],
  'namespace-controller': [
    allowing('delete get list watch', 'core', 'namespaces'),
    allowing('update', 'core', 'namespaces/finalize namespaces/status'),
    allowing('delete deletecollection get list watch', '*', '*'),
  ],
  'node-controller': [
    allowing('delete get list patch update watch', 'core', 'nodes'),
    allowing('patch update', 'core', 'nodes/status'),
    allowing('patch update', 'core', 'pods/status'),
    allowing('delete get list watch', 'core', 'pods'),
    tellingEvents,
  ],
  'persistent-volume-binder': [
    allowing('create delete get list update watch', 'core', 'persistentvolumes'),
    allowing('update', 'core', 'persistentvolumes/status'),
    allowing('get list update watch', 'core', 'persistentvolumeclaims'),
    allowing('update', 'core', 'persistentvolumeclaims/status'),
    allowing('create delete get list watch', 'core', 'pods'),
    allowing(reading, 'storage.k8s.io', 'storageclasses'),
    allowing('list watch', 'core', 'nodes'),
    tellingEvents,
    allowing('watch', 'core', 'events'),
    allowing('get', 'core', 'services'),
  ],
  'pod-garbage-collector': [
    allowing('delete list watch', 'core', 'pods'),
    allowing(reading, 'core', 'nodes'),
    allowing('patch', 'core', 'pods/status'),
  ],
  'pv-protection-controller': [allowing('get list update watch', 'core', 'persistentvolumes'), tellingEvents],
  'pvc-protection-controller': [
    allowing('get list update watch', 'core', 'persistentvolumeclaims'),
    allowing(reading, 'core', 'pods'),
    tellingEvents,
  ],
  'replicaset-controller': [
    allowing('get list update watch', 'apps extensions', 'replicasets'),
    allowing('update', 'apps extensions', 'replicasets/status'),
    allowing('update', 'apps extensions', 'replicasets/finalizers'),
    allowing(podControl, 'core', 'pods'),
    tellingEvents,
  ],
  'replication-controller': [
    allowing('get list update watch', 'core', 'replicationcontrollers'),
    allowing('update', 'core', 'replicationcontrollers/status'),
    allowing('update', 'core', 'replicationcontrollers/finalizers'),
    allowing(podControl, 'core', 'pods'),
    tellingEvents,
  ],
  'resourcequota-controller': [
    allowing('list watch', '*', '*'),
    allowing('update', 'core', 'resourcequotas/status'),
    tellingEvents,
  ],
  'root-ca-cert-publisher': [allowing('create update', 'core', 'configmaps'), tellingEvents],
  'route-controller': [
    allowing('list watch', 'core', 'nodes'),
    allowing('patch', 'core', 'nodes/status'),
    tellingEvents,
  ],
  'service-account-controller': [allowing('create', 'core', 'serviceaccounts'), tellingEvents],
  'service-controller': [
    allowing(reading, 'core', 'services'),
    allowing('patch update', 'core', 'services/status'),
    allowing('list watch', 'core', 'nodes'),
    tellingEvents,
  ],
  'statefulset-controller': [
    allowing('list watch', 'core', 'pods'),
    allowing(reading, 'apps', 'statefulsets'),
    allowing('update', 'apps', 'statefulsets/status'),
    allowing('update', 'apps', 'statefulsets/finalizers'),
    allowing('create delete get patch update', 'core', 'pods'),
    allowing('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    allowing('create get list watch', 'core', 'persistentvolumeclaims'),
    tellingEvents,
    allowing('delete update', 'core', 'persistentvolumeclaims'),
    allowing('update', 'core', 'pods/finalizers'),
  ],
  'ttl-after-finished-controller': [allowing('delete get list watch', 'batch', 'jobs'), tellingEvents],
  'ttl-controller': [allowing('list patch update watch', 'core', 'nodes'), tellingEvents],
  'validatingadmissionpolicy-status-controller': [
    allowing(reading, 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
    allowing('get patch update', 'admissionregistration.k8s.io', 'validatingadmissionpolicies/status'),
    tellingEvents,
  ],
}

/** Each controller is a service account in kube-system with the role of its name. */
export const controllerNames: readonly string[] = Object.keys(rulesOfController)

export function controllerRoleName(controller: string): string {
  return `system:controller:${controller}`
}

export const controllerRoles: readonly BootstrapRole[] = Object.entries(rulesOfController).map(([name, rules]) => ({
  name: controllerRoleName(name),
  rules,
}))
