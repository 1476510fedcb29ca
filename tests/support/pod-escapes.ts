/**
 * Fields that a hostile tenant writes into a Pod. Tests check what is sent to the host, and what a node then has and
 * runs.
 */
export interface HostilePod {
  readonly spec?: object
  readonly metadata?: object
}

type Labels = Readonly<Record<string, string>>

export interface PodEscapes {
  /** Pods that are held back. */
  readonly held: readonly (readonly [attempt: string, HostilePod])[]
  /** Pods that run without the field named last. */
  readonly dropped: readonly (readonly [attempt: string, HostilePod, field: string])[]
  /** Ways to name an object of others. */
  readonly places: readonly (readonly [place: string, (name: string) => HostilePod])[]
}

const metadataService = '169.254.169.254'

export function podEscapes(main: object): PodEscapes {
  const inContainer = (fields: object) => ({ spec: { containers: [{ ...main, ...fields }] } })
  const secured = (securityContext: object) => inContainer({ securityContext })
  const volume = (source: object) => ({ spec: { volumes: [{ name: 'v', ...source }] } })
  return {
    held: [
      ['the root of the node', volume({ hostPath: { path: '/' } })],
      ['the socket of the container runtime', volume({ hostPath: { path: '/run/containerd.sock', type: 'Socket' } })],
      ['a path of the node in an empty volume', volume({ emptyDir: {}, hostPath: { path: '/' } })],
      ['NFS with the identity of the node', volume({ nfs: { server: '10.0.0.1', path: '/' } })],
      ['iSCSI with the identity of the node', volume({ iscsi: { targetPortal: 'a', iqn: 'b', lun: 0 } })],
      ['CephFS with a Secret of its choice', volume({ cephfs: { monitors: ['a'], secretRef: { name: 's' } } })],
      ['a disk of the cloud', volume({ awsElasticBlockStore: { volumeID: 'vol-1' } })],
      ['a Secret of Azure in another namespace', volume({ azureFile: { secretName: 's', shareName: 'x' } })],
      ['git on the node', volume({ gitRepo: { repository: 'ext::sh -c x' } })],
      ['a flex driver on the node', volume({ flexVolume: { driver: 'a/b', options: { x: '$(x)' } } })],
      ['a CSI driver on the node', volume({ csi: { driver: 'secrets-store.csi.k8s.io' } })],
      ['an image as a volume', volume({ image: { reference: 'registry/other' } })],
      ['trust bundles of the host', volume({ projected: { sources: [{ clusterTrustBundle: { path: 'x' } }] } })],
      ['the network of the node', { spec: { hostNetwork: true } }],
      ['the processes of the node', { spec: { hostPID: true } }],
      ['the shared memory of the node', { spec: { hostIPC: true } }],
      ['the users of the node', { spec: { hostUsers: true } }],
      ['a port of the node', inContainer({ ports: [{ containerPort: 80, hostPort: 80 }] })],
      ['an address of the node', inContainer({ ports: [{ containerPort: 80, hostIP: '10.0.0.1' }] })],
      ['all privileges', secured({ privileged: true })],
      [
        'all privileges in an init container',
        { spec: { initContainers: [{ ...main, securityContext: { privileged: true } }] } },
      ],
      ['a capability', secured({ capabilities: { add: ['SYS_ADMIN'] } })],
      ['every capability', secured({ capabilities: { add: ['ALL'] } })],
      ['an unmasked /proc', secured({ procMount: 'Unmasked' })],
      ['no seccomp', secured({ seccompProfile: { type: 'Unconfined' } })],
      ['no AppArmor', secured({ appArmorProfile: { type: 'Unconfined' } })],
      ['a type of SELinux', secured({ seLinuxOptions: { type: 'spc_t' } })],
      ['a user of SELinux', { spec: { securityContext: { seLinuxOptions: { user: 'system_u' } } } }],
      [
        'a sysctl of the kernel',
        { spec: { securityContext: { sysctls: [{ name: 'kernel.core_pattern', value: '|x' }] } } },
      ],
      ['a process of a Windows host', secured({ windowsOptions: { hostProcess: true } })],
      ['an operating system that is checked for less', { spec: { os: { name: 'windows' } } }],
      [
        'a probe of the metadata service',
        inContainer({ livenessProbe: { httpGet: { port: 80, host: metadataService } } }),
      ],
      [
        'a probe of a port of the node',
        inContainer({ readinessProbe: { tcpSocket: { port: 10250, host: '127.0.0.1' } } }),
      ],
      [
        'a hook to the metadata service',
        inContainer({ lifecycle: { postStart: { httpGet: { port: 80, host: metadataService } } } }),
      ],
      [
        'a hook to the metadata service at the end',
        inContainer({ lifecycle: { preStop: { httpGet: { port: 80, host: metadataService } } } }),
      ],
      [
        'a capability in an init container',
        {
          spec: {
            initContainers: [{ ...main, name: 'first', securityContext: { capabilities: { add: ['SYS_PTRACE'] } } }],
          },
        },
      ],
      ['a weaker sandbox', { spec: { runtimeClassName: 'runc' } }],
      ['a device', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'other' }] } }],
      ['a device of a container', inContainer({ resources: { claims: [{ name: 'gpu' }] } })],
      ['a field that comes with a later Kubernetes', { spec: { hostSomething: true } }],
      ['a field of a container that comes later', inContainer({ hostSomething: true })],
      ['a volume that comes later', volume({ somethingNew: {} })],
      ['a field in other letters', { spec: { HostNetwork: true } }],
    ],
    dropped: [
      ['a node of its choice', { spec: { nodeName: 'control-plane' } }, 'nodeName'],
      [
        'an account of the host',
        { spec: { serviceAccountName: 'admin', serviceAccount: 'admin' } },
        'serviceAccountName',
      ],
      ['a priority above all', { spec: { priority: 2_000_001_000 } }, 'priority'],
      ['a class of the system', { spec: { priorityClassName: 'system-node-critical' } }, 'priorityClassName'],
      ['a right to preempt', { spec: { preemptionPolicy: 'PreemptLowerPriority' } }, 'preemptionPolicy'],
      ['a negative overhead', { spec: { overhead: { cpu: '-1' } } }, 'overhead'],
      ['a scheduler of its own', { spec: { schedulerName: 'mine' } }, 'schedulerName'],
      ['tolerations of everything', { spec: { tolerations: [{ operator: 'Exists' }] } }, 'tolerations'],
      [
        'a toleration of control planes',
        { spec: { tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] } },
        'tolerations',
      ],
    ],
    places: [
      ['a volume of a Secret', (name) => volume({ secret: { secretName: name } })],
      ['a volume of a ConfigMap', (name) => volume({ configMap: { name } })],
      [
        'a volume of both',
        (name) => volume({ projected: { sources: [{ secret: { name } }, { configMap: { name } }] } }),
      ],
      ['a claim', (name) => volume({ persistentVolumeClaim: { claimName: name } })],
      ['a Secret for images', (name) => ({ spec: { imagePullSecrets: [{ name }] } })],
      ['a variable', (name) => inContainer({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'a' } } }] })],
      ['all variables', (name) => inContainer({ envFrom: [{ secretRef: { name } }] })],
    ],
  }
}

/** Keys of labels and annotations that components of a host act on. */
export const componentKeys: readonly (readonly [what: string, key: string, value: string])[] = [
  ['no AppArmor', 'container.apparmor.security.beta.kubernetes.io/main', 'unconfined'],
  ['a role of the cloud', 'iam.amazonaws.com/role', 'admin'],
  ['a sidecar', 'sidecar.istio.io/inject', 'true'],
  ['a sidecar of another mesh', 'linkerd.io/inject', 'enabled'],
  ['a network of the host', 'k8s.v1.cni.cncf.io/networks', 'host-net'],
  ['a fixed address', 'cni.projectcalico.org/ipAddrs', '["10.0.0.1"]'],
  ['bandwidth of the node', 'kubernetes.io/egress-bandwidth', '1P'],
  ['a node that may not be removed', 'cluster-autoscaler.kubernetes.io/safe-to-evict', 'false'],
  ['secrets of a vault', 'vault.hashicorp.com/agent-inject', 'true'],
  ['a page to scrape', 'prometheus.io/scrape', 'true'],
  ['the mark of a static Pod', 'kubernetes.io/config.source', 'file'],
]

/** Labels that something on the host selects. */
export const selectedLabels: readonly (readonly [whose: string, Labels])[] = [
  ['the Service of a virtual cluster', { 'app.kubernetes.io/name': 'tenant', 'app.kubernetes.io/instance': 'demo' }],
  ['a Service of the host', { app: 'web' }],
  ['a ReplicaSet of the host, which would adopt it', { app: 'web', 'pod-template-hash': '5d4f' }],
]
