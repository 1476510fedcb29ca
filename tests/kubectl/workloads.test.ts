import { expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { eventually } from '../support/eventually.ts'
import { cellsOf, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

/** Generators of kinds that clusters serve and the platform does not, with a value that must have been stored. */
const generators: readonly [words: string, created: string, jsonpath: string, stored: string][] = [
  [
    'deployment made --image=nginx',
    'deployment.apps/made',
    '{.spec.replicas} {.spec.strategy.type} {.spec.template.spec.dnsPolicy} {.metadata.generation}',
    '1 RollingUpdate ClusterFirst 1',
  ],
  [
    'job made --image=busybox',
    'job.batch/made',
    '{.spec.completions} {.spec.backoffLimit} {.spec.template.metadata.labels.job-name}',
    '1 6 made',
  ],
  ['quota made --hard=pods=1', 'resourcequota/made', '{.spec.hard.pods}', '1'],
  [
    'priorityclass made --value=7',
    'priorityclass.scheduling.k8s.io/made',
    '{.value} {.preemptionPolicy}',
    '7 PreemptLowerPriority',
  ],
  [
    'ingress made --rule=shop.example.com/*=web:80',
    'ingress.networking.k8s.io/made',
    '{.spec.rules[0].host} {.spec.rules[0].http.paths[0].pathType}',
    'shop.example.com Prefix',
  ],
]

/** Generators for which older kubectls use a version that no longer exists. */
const newerGenerators: readonly [words: string, created: string, jsonpath: string, stored: string][] = [
  [
    'cronjob made --image=busybox --schedule=@daily',
    'cronjob.batch/made',
    '{.spec.concurrencyPolicy} {.spec.successfulJobsHistoryLimit}',
    'Allow 3',
  ],
  [
    'poddisruptionbudget made --selector=app=web --min-available=1',
    'poddisruptionbudget.policy/made',
    '{.spec.minAvailable}',
    '1',
  ],
]

/** Our own texts, texts that the build takes from a package, and the text of a type whose member has none. */
const explained: readonly [words: string, text: string][] = [
  ['deployment.spec', 'revisionHistoryLimit <integer>'],
  ['deployment.spec.strategy', 'How pods of an old template are replaced by pods of a new one.'],
  ['deployment.spec.minReadySeconds', 'Minimum number of seconds for which a newly created pod should be ready'],
  ['pod.spec.volumes.hostPath', 'Represents a host path mapped into a pod.'],
  ['pod --recursive', 'requiredDuringSchedulingIgnoredDuringExecution'],
]

/** Without Pods: the one has no replicas, and the other finds no nodes. */
function keptSet(kind: string): object {
  const containers = [{ name: 'c', image: 'nginx:1' }]
  const template = { metadata: { labels: { app: 'kept' } }, spec: { containers } }
  const own = kind === 'StatefulSet' ? { replicas: 0, serviceName: 'kept' } : {}
  const spec = { ...own, selector: { matchLabels: { app: 'kept' } }, template }
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'kept' }, spec }
}

eachKubectl(
  'workloads and the other kinds of a cluster',
  (kubectl) => {
    const stored = (object: string, jsonpath: string) => kubectl.run(`get ${object}`, '-o', `jsonpath=${jsonpath}`)

    it.each(generators)('create %s', async (words, created, jsonpath, expected) => {
      expect(await kubectl.run(`create ${words}`)).toEqual(printed(`${created} created`))
      expect((await stored(created, jsonpath)).stdout).toBe(expected)
    })

    for (const [words, created, jsonpath, expected] of newerGenerators) {
      kubectl.since(21, 'its stable version')(`create ${words}`, async () => {
        expect(await kubectl.run(`create ${words}`)).toEqual(printed(`${created} created`))
        expect((await stored(created, jsonpath)).stdout).toBe(expected)
      })
    }

    it('scale, set image, rollout history, undo and autoscale', async () => {
      await kubectl.run('create deployment shop --image=nginx')
      expect(await kubectl.run('scale deployment/shop --replicas=3')).toEqual(printed('deployment.apps/shop scaled'))
      expect(await kubectl.run('set image deployment/shop nginx=nginx:2')).toEqual(
        printed('deployment.apps/shop image updated'),
      )
      const { stdout } = await stored('deployment/shop', '{.spec.replicas} {.metadata.generation}')
      expect(stdout).toBe('3 3')
      await eventually(async () => {
        const { stdout: history } = await kubectl.run('rollout history deployment/shop')
        expect(history).toMatch(/^1 +<none>\n2 +<none>$/m)
      })
      expect(await kubectl.run('rollout undo deployment/shop')).toEqual(printed('deployment.apps/shop rolled back'))
      expect((await stored('deployment/shop', '{.spec.template.spec.containers[0].image}')).stdout).toBe('nginx')
      expect((await kubectl.run('autoscale deployment shop --max=5')).code).toBe(0)
      const versions = ['v1', 'v2'].map((version) => stored(`hpa.${version}.autoscaling/shop`, '{.spec.maxReplicas}'))
      expect((await Promise.all(versions)).map((each) => each.stdout)).toEqual(['5', '5'])
    })

    it.each(['StatefulSet', 'DaemonSet'])('rollout history and undo of a %s', async (kind) => {
      const name = `${kind.toLowerCase()}/kept`
      await kubectl.pipe(keptSet(kind), 'create')
      await eventually(async () => {
        expect((await kubectl.run(`rollout history ${name}`)).stdout).toMatch(/^1 +<none>$/m)
      })
      await kubectl.run(`set image ${name} c=nginx:2`)
      await eventually(async () => {
        expect((await kubectl.run(`rollout history ${name}`)).stdout).toMatch(/^1 +<none>\n2 +<none>$/m)
      })
      const undone = await kubectl.run(`rollout undo ${name}`)
      expect(undone).toEqual(printed(`${kind.toLowerCase()}.apps/kept rolled back`))
      expect((await stored(name, '{.spec.template.spec.containers[0].image}')).stdout).toBe('nginx:1')
    })

    it('get -o wide and get all', async () => {
      await kubectl.run('create namespace shown')
      await kubectl.run('create deployment web --image=nginx -n shown')
      await eventually(async () => {
        const wide = cellsOf((await kubectl.run('get deployment -o wide -n shown')).stdout)
        expect(wide[1]).toEqual(['web', '0/1', '1', '0', '<age>', 'nginx', 'nginx', 'app=web'])
      })
      expect((await kubectl.run('get all -n shown -o name')).stdout).toMatch(
        /^pod\/(web-[^-]+)-.+\ndeployment\.apps\/web\nreplicaset\.apps\/\1\n$/,
      )
    })

    it('top, wait and rollout status report the usual messages, without metrics and nodes', async () => {
      await kubectl.run('create namespace late')
      await kubectl.run('create deployment late --image=nginx -n late')
      await eventually(async () =>
        expect((await stored('deployment/late -n late', '{.status.replicas}')).stdout).toBe('1'),
      )
      expect(await kubectl.run('top pods -n late')).toEqual(refused('error: Metrics API not available'))
      expect(await kubectl.run('wait deployment/late -n late --for=condition=Available --timeout=100ms')).toEqual(
        refused('error: timed out waiting for the condition on deployments/late'),
      )
      const { stdout } = await kubectl.run('rollout status deployment/late -n late --watch=false')
      expect(stdout).toContain(
        'Waiting for deployment "late" rollout to finish: 0 of 1 updated replicas are available...',
      )
    })

    it.each(explained)('explain %s', async (words, text) => {
      const { code, stdout } = await kubectl.run(`explain ${words}`)
      expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(text)])
    })
  },
  builtinKinds(),
)
