/**
 * Labels and annotations by which components of a host recognize their objects or get instructions. A tenant that sets
 * one on the host addresses that component, so an operator must name each one that may pass.
 */

/** Open to all users, although it is below a domain that Kubernetes reserves for itself. */
const openPrefix = 'app.kubernetes.io'

/** Prefixes of Kubernetes and of controllers; each includes all prefixes below it. */
const controllerDomains: ReadonlySet<string> = new Set([
  'kubernetes.io',
  'k8s.io',
  // Load balancers and their addresses
  'metallb.universe.tf',
  'metallb.io',
  'purelb.io',
  'kube-vip.io',
  'load-balancer.hetzner.cloud',
  'loadbalancer.openstack.org',
  'tailscale.com',
  // Clouds, and the identities that they give to ServiceAccounts
  'cloud.google.com',
  'gke.io',
  'amazonaws.com',
  'k8s.aws',
  'azure.workload.identity',
  'azure.com',
  'oci.oraclecloud.com',
  'kubernetes.digitalocean.com',
  'yandex.cloud',
  'aliyun.com',
  'alibabacloud.com',
  'scaleway.com',
  'vmware.com',
  // Names and certificates
  'external-dns.io',
  'cert-manager.io',
  'cert.gardener.cloud',
  'dns.gardener.cloud',
  // Ingress and gateways
  'nginx.org',
  'nginx.com',
  'traefik.io',
  'traefik.containo.us',
  'haproxy.org',
  'haproxy.com',
  'haproxy-ingress.github.io',
  'konghq.com',
  'projectcontour.io',
  'getambassador.io',
  'solo.io',
  'citrix.com',
  'f5.com',
  'contour.heptio.com',
  // Networks and meshes
  'cilium.io',
  'io.cilium',
  'projectcalico.org',
  'antrea.io',
  'ovn.org',
  'cni.cncf.io',
  'submariner.io',
  'istio.io',
  'linkerd.io',
  'kuma.io',
  'openservicemesh.io',
  'knative.dev',
  'dapr.io',
  'nsm.io',
  'spidernet.io',
  // Container runtimes and what hooks into them
  'crio.io',
  'cri-o.io',
  'containerd.io',
  'nri.io',
  'kata-containers.io',
  'katacontainers.io',
  'gvisor.dev',
  'nestybox.com',
  // Devices of nodes, and systems of virtual machines and volumes
  'nvidia.com',
  'amd.com',
  'intel.com',
  'kubevirt.io',
  'longhorn.io',
  'portworx.com',
  'ceph.com',
  'rook.io',
  // Deployment
  'argoproj.io',
  'fluxcd.io',
  'helm.sh',
  'cattle.io',
  'rancher.io',
  'openshift.io',
  'okd.io',
  'crossplane.io',
  'pulumi.com',
  'operatorframework.io',
  'kapp.k14s.io',
  'carvel.dev',
  'kluctl.io',
  // Policies
  'kyverno.io',
  'gatekeeper.sh',
  'openpolicyagent.org',
  'kubewarden.io',
  'falco.org',
  'aquasec.com',
  'neuvector.com',
  'sysdig.com',
  'twistlock.com',
  'capsule.clastix.io',
  // Secrets, among them controllers that copy them from one namespace to another
  'mittwald.de',
  'emberstack.com',
  'kubed.appscode.com',
  'external-secrets.io',
  'bitnami.com',
  'stakater.com',
  'hashicorp.com',
  'akeyless.io',
  'conjur.org',
  'cyberark.com',
  'doppler.com',
  '1password.com',
  'onepassword.com',
  'banzaicloud.io',
  'banzaicloud.com',
  'spiffe.io',
  'teleport.dev',
  'infisical.com',
  // Observability: a scraper goes where it is told
  'prometheus.io',
  'coreos.com',
  'grafana.com',
  'opentelemetry.io',
  'jaegertracing.io',
  'datadoghq.com',
  'dynatrace.com',
  'fluentbit.io',
  'logging.banzaicloud.io',
  'elastic.co',
  'co.elastic.logs',
  'co.elastic.metrics',
  'co.elastic.hints',
  'newrelic.com',
  'instana.io',
  'signalfx.com',
  'splunk.com',
  'sumologic.com',
  'odigos.io',
  'pixie.dev',
  // Scaling, backup, clean-up
  'karpenter.sh',
  'keda.sh',
  'volcano.sh',
  'run.ai',
  'kruise.io',
  'spot.io',
  'spotinst.io',
  'cast.ai',
  'velero.io',
  'k8up.io',
  'stash.appscode.com',
  'janitor',
  'kube-green.dev',
])

/** A key without a prefix, and the values with a meaning; absent: any value. */
interface ReservedKey {
  readonly key: string
  readonly values?: readonly string[]
}

/** Keys by which components of a host select, although they have no prefix. */
const reservedKeys: Readonly<Record<'labels' | 'annotations', readonly ReservedKey[]>> = {
  labels: [
    { key: 'k8s-app' },
    { key: 'k8s-addon' },
    { key: 'istio' },
    { key: 'istio-injection' },
    { key: 'istio-discovery' },
    { key: 'aadpodidbinding' },
    { key: 'control-plane' },
    { key: 'grafana_dashboard' },
    { key: 'grafana_datasource' },
    { key: 'grafana_alert' },
    { key: 'grafana_folder' },
    { key: 'owner', values: ['helm', 'tiller'] },
    { key: 'provider', values: ['kubernetes'] },
    { key: 'tier', values: ['control-plane', 'node'] },
    {
      key: 'component',
      values: [
        'apiserver',
        'kube-apiserver',
        'kube-scheduler',
        'kube-controller-manager',
        'kube-proxy',
        'etcd',
        'cloud-controller-manager',
      ],
    },
  ],
  annotations: [{ key: 'k8s-sidecar-target-directory' }, { key: 'grafana_folder' }],
}

/**
 * Container runtimes and their hooks get the annotations of a Pod, and name theirs like packages of Java: the domain
 * comes first, and mostly there is no slash. Some of them set a file that a hook writes on the node, a property of a
 * unit of systemd, or the hypervisor.
 */
const runtimeKeys: readonly string[] = [
  'io.kubernetes.',
  'io.containerd.',
  'io.containers.',
  'io.podman.',
  'io.cri-containerd.',
  'io.katacontainers.',
  'com.github.containers.',
  'com.github.confidential-containers.',
  'com.docker.',
  'com.microsoft.',
  'io.microsoft.',
  'com.nvidia.',
  'com.intel.',
  'dev.gvisor.',
  'org.opencontainers.',
  'org.systemd.',
  'org.criu.',
  'run.oci.',
  'module.wasm.',
]

/** As above, with the domain last: `cpu-quota.crio.io`, `devices.nri.io`. A container may follow after a dot. */
const runtimeDomains = /(^|[.-])(crio|cri-o|nri|cdi|containerd|katacontainers|gvisor)\.(io|dev|k8s\.io)(\.|$)/

/** Notes of clients and controllers on objects of their own cluster. They tell the host nothing that it needs. */
const bookkeeping: readonly string[] = [
  'kubectl.kubernetes.io/',
  'kubernetes.io/change-cause',
  'kubernetes.io/description',
  'kubernetes.io/service-account.name',
  'kubernetes.io/service-account.uid',
  'kubernetes.io/legacy-token-last-used',
  'endpoints.kubernetes.io/last-change-trigger-time',
  'endpoints.kubernetes.io/over-capacity',
  'service.kubernetes.io/headless',
  'pv.kubernetes.io/',
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/storage-resizer',
  'deployment.kubernetes.io/revision',
  // What controllers of the virtual cluster write on the Pods of Jobs and StatefulSets
  'batch.kubernetes.io/job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  // Which requests and limits of its containers come from a LimitRange of the virtual cluster
  'kubernetes.io/limit-ranger',
  'helm.sh/chart',
  'meta.helm.sh/',
  'argocd.argoproj.io/tracking-id',
  'argocd.argoproj.io/instance',
  'kustomize.toolkit.fluxcd.io/name',
  'kustomize.toolkit.fluxcd.io/namespace',
  'helm.toolkit.fluxcd.io/name',
  'helm.toolkit.fluxcd.io/namespace',
]

export type KeyMap = 'labels' | 'annotations'

/** The label values of processes of tenants and of the platform, by which their Services select them. */
const processLabel = 'app.kubernetes.io/name'
const processNames: ReadonlySet<string> = new Set(['tenant', 'tenant-platform'])

/**
 * Whether a Service of a virtual cluster, or of the platform, would select an object with the label as one of its
 * processes.
 */
export function isOfProcess(map: KeyMap, key: string, value: string): boolean {
  return map === 'labels' && key === processLabel && processNames.has(value)
}

/** Whether a component of a host may act on a label or annotation. Without a value: for any value. */
export function isActedOn(map: KeyMap, key: string, value?: string): boolean {
  if (map === 'annotations' && isOfRuntime(key.toLowerCase())) return true
  if (key.includes('/')) return isActedOnPrefix(key)
  return reservedKeys[map].some(
    (reserved) =>
      reserved.key === key.toLowerCase() &&
      (value === undefined || reserved.values === undefined || reserved.values.includes(value.toLowerCase())),
  )
}

function isOfRuntime(key: string): boolean {
  return runtimeKeys.some((start) => key.startsWith(start)) || runtimeDomains.test(key)
}

/** Whether it is a private note of a client or controller, which the host does not need. */
export function isBookkeeping(key: string): boolean {
  return bookkeeping.some((note) => (note.endsWith('/') ? key.startsWith(note) : key === note))
}

/** Whether a name, such as a key or the type of a Secret, has a prefix of Kubernetes or of a controller. */
export function isActedOnPrefix(name: string): boolean {
  const prefix = name.slice(0, Math.max(0, name.indexOf('/'))).toLowerCase()
  if (prefix === openPrefix) return false
  for (let domain = prefix; domain !== ''; domain = domain.slice(domain.indexOf('.') + 1)) {
    if (controllerDomains.has(domain)) return true
    if (!domain.includes('.')) return false
  }
  return false
}
