import { describe, expect, it } from 'vitest'
import { keyCheck } from './metadata-keys.ts'

const none = { allowed: [], denied: [] }
const plain = { patched: new Set<string>(), selectsByAny: false }
const labels = keyCheck({ map: 'labels', policy: none, ...plain })
const annotations = keyCheck({ map: 'annotations', policy: none, ...plain })

describe('labels and annotations that tenants may set on the host', () => {
  it.each(['app', 'team', 'app.kubernetes.io/name', 'component', 'tier', 'owner'])('%s by default', (key) => {
    expect(labels(key, 'web')).toBe('carried')
    expect(annotations(key, 'web')).toBe('carried')
  })

  it.each([
    'example.com/team',
    'kubernetes.io/cluster-service',
    'app.kubernetes.io.evil.com/name',
    'x.app.kubernetes.io/name',
    'service.beta.kubernetes.io/aws-load-balancer-internal',
    'external-dns.alpha.kubernetes.io/hostname',
    'nginx.ingress.kubernetes.io/server-snippet',
    'Service.Beta.Kubernetes.io/x',
    'pod-security.kubernetes.io/enforce',
    'metallb.universe.tf/loadBalancerIPs',
    'cert-manager.io/cluster-issuer',
    'io.cilium/global-service',
    'eks.amazonaws.com/role-arn',
    'replicator.v1.mittwald.de/replicate-from',
    'prometheus.io/scrape',
    'linkerd.io/inject',
    'kyverno.io/x',
    'dapr.io/enabled',
    'consul.hashicorp.com/connect-inject',
    'vault.hashicorp.com/agent-inject',
    'container.apparmor.security.beta.kubernetes.io/app',
    'cdi.k8s.io/devices',
    '/x',
  ])('not %s by default', (key) => {
    expect(labels(key, 'x')).toBe('refused')
    expect(annotations(key, 'x')).toBe('refused')
  })

  it.each([
    ['k8s-app', 'kube-dns'],
    ['k8s-app', 'mine'],
    ['istio', 'ingressgateway'],
    ['component', 'etcd'],
    ['tier', 'control-plane'],
    ['provider', 'kubernetes'],
    ['owner', 'helm'],
    ['grafana_dashboard', '1'],
  ])('not the label %s=%s, by which components of the host select', (key, value) => {
    expect(labels(key, value)).toBe('refused')
  })

  describe('annotations that container runtimes act on', () => {
    const all = keyCheck({ map: 'annotations', policy: { allowed: ['*'], denied: [] }, ...plain })

    it.each([
      'io.kubernetes.cri-o.userns-mode',
      'io.kubernetes.cri-o.seccompNotifierAction/app',
      'io.kubernetes.cri-o.Devices',
      'IO.Kubernetes.CRI-O.umask',
      'io.katacontainers.config.hypervisor.kernel_params',
      'io.containers.trace-syscall',
      'io.containerd.rdt.class',
      'dev.gvisor.spec.mount.data.share',
      'dev.gvisor.internal.nvproxy',
      'run.oci.hooks.stdout',
      'run.oci.handler',
      'org.systemd.property.DeviceAllow',
      'org.opencontainers.image.stopSignal',
      'com.github.containers.toolbox',
      'module.wasm.image/variant',
      'cpu-quota.crio.io',
      'irq-load-balancing.crio.io',
      'seccomp-profile.kubernetes.cri-o.io/POD',
      'devices.nri.io',
      'devices.nri.io/container.app',
      'ulimits.nri.containerd.io/container.app',
      'cdi.k8s.io',
      'cdi.k8s.io/devices',
      'blockio.resources.beta.kubernetes.io/pod',
      'container.apparmor.security.beta.kubernetes.io/app',
      'container.seccomp.security.alpha.kubernetes.io/app',
    ])('%s stays off the host, also where everything else is allowed', (key) => {
      expect(annotations(key, 'x')).toBe('refused')
      expect(all(key, 'x')).toBe('refused')
    })

    it('are also refused if the runtime is not known, unless the operator names them', () => {
      const named = keyCheck({ map: 'annotations', policy: { allowed: ['com.example.speed'], denied: [] }, ...plain })
      expect(annotations('com.example.speed', 'x')).toBe('refused')
      expect(named('com.example.speed', 'x')).toBe('carried')
      expect(labels('com.example.speed', 'x')).toBe('carried')
    })
  })

  it.each([
    'istio.io/rev',
    'sidecar.istio.io/inject',
    'linkerd.io/inject',
    'dapr.io/enabled',
    'consul.hashicorp.com/connect-inject',
    'vault.hashicorp.com/agent-inject',
    'kuma.io/sidecar-injection',
    'sidecar.opentelemetry.io/inject',
    'admission.datadoghq.com/enabled',
    'azure.workload.identity/use',
    'aadpodidbinding',
  ])('%s stays off Pods of the host, also where everything else is allowed', (key) => {
    const by = { policy: { allowed: ['*'], denied: [] }, patched: new Set<string>() }
    const ofPods = keyCheck({ map: 'labels', ...by, selectsByAny: true, isKeptOtherwise: true })
    const ofServices = keyCheck({ map: 'labels', ...by, selectsByAny: false })
    expect([ofPods(key, 'x'), ofServices(key, 'x')]).not.toContain('carried')
  })

  it('never the label by which Services of tenants and of the platform select their processes', () => {
    const allowing = keyCheck({
      map: 'labels',
      policy: { allowed: ['*', 'app.kubernetes.io/'], denied: [] },
      patched: new Set(['app.kubernetes.io/name']),
      selectsByAny: false,
    })
    for (const name of ['tenant', 'tenant-platform']) {
      for (const check of [labels, allowing]) expect(check('app.kubernetes.io/name', name)).toBe('refused')
      expect(annotations('app.kubernetes.io/name', name)).toBe('carried')
    }
  })

  it('and notes of clients and controllers are dropped without a report', () => {
    const notes = ['helm.sh/chart', 'meta.helm.sh/release-name', 'endpoints.kubernetes.io/last-change-trigger-time']
    for (const key of notes) expect(annotations(key, 'x')).toBe('noted')
  })

  it.each([
    'batch.kubernetes.io/job-name',
    'batch.kubernetes.io/controller-uid',
    'batch.kubernetes.io/job-completion-index',
    'statefulset.kubernetes.io/pod-name',
    'apps.kubernetes.io/pod-index',
    'kubernetes.io/limit-ranger',
  ])('and so is %s, which the virtual cluster wrote on its Pod', (key) => {
    expect(labels(key, 'x')).toBe('noted')
    expect(annotations(key, 'x')).toBe('noted')
  })

  describe('as configured by the operator', () => {
    const by = (allowed: readonly string[], denied: readonly string[] = []) =>
      keyCheck({ map: 'labels', policy: { allowed, denied }, ...plain })

    it.each([
      [['example.com/'], 'example.com/team', 'carried'],
      [['example.com/'], 'sub.example.com/team', 'refused'],
      [['example.com/'], 'evil-example.com/team', 'refused'],
      [['*.example.com/'], 'sub.example.com/team', 'carried'],
      [['*.example.com/'], 'example.com/team', 'refused'],
      [['*.example.com/'], 'evilexample.com/team', 'refused'],
      [['example.com/team'], 'example.com/team', 'carried'],
      [['example.com/team'], 'example.com/team2', 'refused'],
      [['*'], 'example.com/team', 'carried'],
      [['*'], 'cert-manager.io/issuer', 'refused'],
      [['*'], 'k8s-app', 'refused'],
      [['*'], 'nginx.ingress.kubernetes.io/x', 'refused'],
      [['*', 'cert-manager.io/'], 'cert-manager.io/issuer', 'carried'],
      [['k8s-app'], 'k8s-app', 'carried'],
    ])('%j: %s is %s', (allowed, key, verdict) => {
      expect(by(allowed)(key, 'x')).toBe(verdict)
    })

    it('denied keys take precedence', () => {
      expect(by(['example.com/'], ['example.com/team'])('example.com/team', 'x')).toBe('refused')
      expect(by([], ['team'])('team', 'x')).toBe('refused')
      expect(by(['example.com/'], ['*'])('example.com/team', 'x')).toBe('refused')
    })

    it('a key that a patch names passes, unless a controller acts on it', () => {
      const patched = new Set(['example.com/team', 'cert-manager.io/issuer'])
      const check = keyCheck({ map: 'annotations', policy: none, patched, selectsByAny: false })
      expect(check('example.com/team', 'x')).toBe('carried')
      expect(check('example.com/other', 'x')).toBe('refused')
      expect(check('cert-manager.io/issuer', 'x')).toBe('refused')
    })

    it('for Namespaces only named keys pass, because hosts select them by any label', () => {
      const check = keyCheck({
        map: 'labels',
        policy: { allowed: ['team'], denied: [] },
        patched: new Set(),
        selectsByAny: true,
      })
      expect(check('team', 'x')).toBe('carried')
      expect(check('environment', 'production')).toBe('refused')
      expect(check('app.kubernetes.io/name', 'x')).toBe('refused')
    })

    it('for Pods only named keys pass, and the rest is dropped without a report, because the copy has it under other keys', () => {
      const check = keyCheck({
        map: 'labels',
        policy: { allowed: ['team'], denied: [] },
        patched: new Set(),
        selectsByAny: true,
        isKeptOtherwise: true,
      })
      expect(check('team', 'x')).toBe('carried')
      expect(check('app', 'web')).toBe('noted')
      expect(check('app.kubernetes.io/name', 'tenant')).toBe('noted')
      expect(check('sidecar.istio.io/inject', 'true')).toBe('refused')
    })
  })
})
