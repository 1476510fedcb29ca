import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../chaos/names.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { whyNoNode } from '../support/clusters/real-node.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Kubectl, kubectlOn } from '../support/programs/kubectl.ts'
import type { ClusterClient } from '../sync/support/cluster-client.ts'
import { pods } from '../sync/support/objects.ts'
import { soon } from '../sync/support/soon.ts'
import { startTenantOnNode, type TenantOnNode } from './support/tenant-on-node.ts'

const hostNamespace = 'tenants'
const missing = whyNoNode()

/** A container that runs until it is stopped. */
const main = { name: 'main', image: 'busybox:1' }
const waits = ['sh', '-c', 'trap "exit 0" TERM; echo started; while true; do sleep 0.1; done']
/** The same, with a page on one port and the head of its request on another. */
const heads = `#!/bin/sh
while read -r line && [ "$line" != "$(printf '\\r')" ]; do echo "$line" | tr -d '\\r'; done > /tmp/head.$$
printf 'HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\n'
cat /tmp/head.$$`
const serves = [
  ...['sh', '-c'],
  `cat > /tmp/heads <<'END'\n${heads}\nEND\nchmod +x /tmp/heads; echo served > /tmp/index.html
httpd -p 8080 -h /tmp; nc -ll -p 8081 -e /tmp/heads & ${waits[2]}`,
]

describe.skipIf(missing !== undefined)(
  `a virtual cluster on a node${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let tenant: TenantOnNode
    let host: ClusterClient
    let inside: Kubectl
    let onHost: Kubectl

    beforeAll(async () => {
      tenant = await startTenantOnNode({ tenant: 'demo', hostNamespace, place: 0 })
      ;({ host, inside, onHost } = tenant)
    })

    afterAll(() => tenant?.remove())

    it('runs a Deployment: its Pod has an address and a node, and is deleted on scale down', async () => {
      await inside('create -f -', deployment('web', 1))
      await inside('wait --for=condition=Available deployment/web --timeout=180s')
      const [pod] = await podsInside('web')
      expect(pod?.spec).toMatchObject({ nodeName: 'node-host' })
      expect(pod?.status).toMatchObject({ phase: 'Running', podIP: expect.stringMatching(/^10\.244\./) })
      await inside('scale deployment/web --replicas=0')
      await soon(async () => expect(await podsInside('web')).toEqual([]))
      expect(await copiesOf('web')).toEqual([])
    })

    it('has Services whose Pods the host lists, and shows their status from the host', async () => {
      await inside('create -f -', deployment('listed', 1))
      await inside('expose deployment listed --port=80')
      await inside('wait --for=condition=Available deployment/listed --timeout=180s')
      const [pod] = await podsInside('listed')
      const { podIP } = pod?.status ?? {}
      const copy = copyName({ tenant: 'demo', hostNamespace }, 'default', 'listed')
      await soon(async () => {
        const listed = JSON.parse(await onHost(`-n ${hostNamespace} get endpoints ${copy} -o json`))
        expect(listed.subsets).toMatchObject([{ addresses: [{ ip: podIP }], ports: [{ port: 80 }] }])
        expect(listed.metadata.annotations ?? {}).not.toHaveProperty(['tenant.internal/object-uid'])
      })
      await soon(async () => {
        const about = `involvedObject.name=${pod?.metadata.name}`
        const events = await inside(`get events --field-selector ${about} -o jsonpath={.items[*].reason}`)
        expect(events.split(' ')).toEqual(expect.arrayContaining(['Scheduled', 'Started']))
      })
      await inside('delete deployment/listed service/listed --wait=false')
    })

    it('shows its node to the tenant, on which a DaemonSet gets a Pod', async () => {
      await inside('create -f -', deployment('first', 1))
      await inside('wait --for=condition=Available deployment/first --timeout=180s')
      expect(await inside('get nodes --no-headers')).toMatch(/^node-host +Ready /)
      const described = await inside('describe node node-host')
      expect(described).toContain('default                     first-')
      expect(described).not.toContain('InternalIP')
      const { spec, ...daemons } = deployment('daemons', 1)
      const { replicas: _, ...rest } = spec
      await inside('create -f -', { ...daemons, kind: 'DaemonSet', spec: rest })
      await inside('rollout status daemonset/daemons --timeout=180s')
      await inside('delete daemonset/daemons deployment/first --wait=false')
    })

    it('recreates a Pod that is deleted on the host', async () => {
      await inside('create -f -', deployment('kept', 1))
      await inside('wait --for=condition=Available deployment/kept --timeout=180s')
      const [before] = await podsInside('kept')
      const [copy] = await copiesOf('kept')
      await onHost(`-n ${hostNamespace} delete pod ${copy?.metadata.name} --wait=false`)
      await soon(async () => {
        const others = (await podsInside('kept')).filter(({ metadata }) => metadata.uid !== before?.metadata.uid)
        expect(others.map(({ status }) => status)).toMatchObject([{ phase: 'Running' }])
      }, 240_000)
    })

    it('gives a Pod its virtual name, and the objects that it refers to', async () => {
      const metadata = { name: 'reader', labels: { 'example.com/role': 'db' } }
      const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } })
      const env = [field('POD', 'metadata.name'), field('ROLE', "metadata.labels['example.com/role']")]
      const command = ['sh', '-c', 'echo $(hostname) $POD $ROLE $(cat /settings/a)']
      const volumeMounts = [{ name: 'settings', mountPath: '/settings' }]
      const volumes = [{ name: 'settings', configMap: { name: 'settings' } }]
      const containers = [{ ...main, command, env, volumeMounts }]
      await inside('create configmap settings --from-literal=a=1')
      const spec = { restartPolicy: 'Never', containers, volumes }
      await inside('create -f -', { apiVersion: 'v1', kind: 'Pod', metadata, spec })
      await soon(async () => expect(await inside('get pod reader -o jsonpath={.status.phase}')).toBe('Succeeded'))
      expect(await inside('logs reader')).toBe('reader reader db 1\n')
    })

    it('gives a Pod a token, an address and DNS names for its own cluster', async () => {
      await inside('create rolebinding reader --clusterrole=view --serviceaccount=default:default')
      await inside('create service clusterip named --tcp=80')
      const files = '/var/run/secrets/kubernetes.io/serviceaccount'
      const url = 'https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/api/v1/namespaces/$(cat $F/namespace)/pods'
      const script = [
        `F=${files}`,
        `wget -q -O /tmp/pods --no-check-certificate --header "Authorization: Bearer $(cat $F/token)" ${url}`,
        'grep -o -m 1 \'"name": "client"\' /tmp/pods',
        'head -n 1 $F/ca.crt',
        'nslookup named.default.svc.cluster.local | grep Address | tail -n 1',
        'echo $NAMED_SERVICE_PORT',
      ].join('\n')
      const spec = { restartPolicy: 'Never', containers: [{ ...main, command: ['sh', '-c', script] }] }
      await inside('create -f -', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'client' }, spec })
      await soon(async () => expect(await inside('get pod client -o jsonpath={.status.phase}')).toMatch(/Succ|Fail/))
      const address = await inside('get service named -o jsonpath={.spec.clusterIP}')
      const lines = (await inside('logs client')).trim().split('\n')
      expect(lines).toEqual(['"name": "client"', '-----BEGIN CERTIFICATE-----', `Address: ${address}`, '80'])
    })

    describe('a Pod', () => {
      beforeAll(async () => {
        const metadata = { name: 'reached', labels: { app: 'reached' } }
        const spec = { containers: [{ ...main, command: serves }] }
        await inside('create -f -', { apiVersion: 'v1', kind: 'Pod', metadata, spec })
        await inside('wait --for=condition=Ready pod/reached --timeout=180s')
      })

      it.each(findKubectls())(
        'can be reached with $name: logs, commands with their exit code, and input',
        async ({ command }) => {
          const kubectl = kubectlOn(command, tenant.syncer.kubeconfig)
          await soon(async () => expect(await kubectl('logs reached')).toBe('started\n'))
          expect(await kubectl('exec reached -i -- cat', 'some input')).toBe('some input')
          await expect(kubectl('exec reached -- false')).rejects.toThrow('ended with 1')
          await expect(kubectl('logs reached -c other')).rejects.toThrow('container other is not valid for pod reached')
          await expect(kubectl('top pods')).rejects.toThrow('Metrics API not available')
        },
      )
    })

    it('serves HTTP through the Pod and Service proxies, without credentials of the caller', async () => {
      const raw = (path: string) => inside(`get --raw /api/v1/namespaces/default/${path}`)
      // The servers in the Pod begin after its container.
      await soon(async () => expect(await raw('pods/reached:8080/proxy/')).toBe('served\n'))
      await soon(async () => void (await raw('pods/http:reached:8081/proxy/')))
      const head = await raw('pods/http:reached:8081/proxy/a/b?c=d')
      expect(head).toMatch(/^GET \/a\/b\?c=d HTTP\/1\.1\n/)
      expect(head).not.toMatch(/authorization|bearer|impersonate/i)
      await inside('expose pod reached --port=80 --target-port=8080')
      await soon(async () => expect(await raw('services/http:reached:80/proxy/')).toBe('served\n'))
      await expect(raw('pods/reached:9/proxy/')).rejects.toThrow('connection refused')
      const port = await freePort()
      const words = ['--kubeconfig', tenant.syncer.kubeconfig, 'proxy', `--port=${port}`]
      const proxy = spawn(tenant.node.kubectl, words, { stdio: 'ignore' })
      try {
        await soon(async () => {
          const url = `http://127.0.0.1:${port}/api/v1/namespaces/default/services/reached:80/proxy/index.html`
          expect(await (await fetch(url)).text()).toBe('served\n')
        })
      } finally {
        proxy.kill()
      }
    })

    it.each(findKubectls().slice(0, 1))('reports to $name that this host has no debug containers', async (newest) => {
      const kubectl = kubectlOn(newest.command, tenant.syncer.kubeconfig)
      await kubectl('debug reached --image=busybox:1 --profile=baseline --container=look')
      await soon(async () => {
        const about = 'involvedObject.name=reached,reason=NotServedByHost'
        expect(await kubectl(`get events --field-selector ${about} -o name`)).toMatch(/^event\//)
      })
      expect(await kubectl('exec reached -- echo here')).toBe('here\n')
    })

    async function copiesOf(deployment: string) {
      const all = await host.list(pods, hostNamespace)
      return all.filter(({ metadata }) => metadata.name.startsWith(`v-${deployment}-`))
    }

    async function podsInside(app: string) {
      const list = JSON.parse(await inside(`get pods -l app=${app} -o json`))
      return list.items as { metadata: { uid: string; name: string }; spec: unknown; status: { podIP?: string } }[]
    }
  },
)

function deployment(name: string, replicas: number) {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 5, containers: [{ ...main, command: waits }] },
      },
    },
  }
}
