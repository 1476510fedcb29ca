import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { clusters } from '../../src/cluster/clusters.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { type Kubectl, startKubectl } from './kubectl.ts'
import { cellsOf, printed } from './outcome.ts'

const [newest] = findKubectls()
const patienceMs = 240_000
let kubectl: Kubectl

beforeAll(async () => {
  if (newest === undefined) throw new Error('there is no kubectl: tests/support/fetch-kubectl gets one')
  const simulatedTimes = { startMs: 20, readyMs: 20, runMs: 20, stopMs: 20 }
  kubectl = await startKubectl(newest, builtinKinds(), { cluster: clusters.host, simulatedTimes })
  const node = () => value('node/simulated', '{.metadata.name}{.spec.taints}')
  await eventually(async () => expect(await node()).toBe('simulated'), patienceMs)
})

afterAll(() => kubectl?.stop())

const value = async (object: string, jsonpath: string) =>
  (await kubectl.run(`get ${object}`, '-o', `jsonpath=${jsonpath}`)).stdout

const podNamed = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
})

describe.concurrent('on the embedded host', () => {
  it('there is one node, which reports that nothing runs there', async () => {
    const [, ...nodes] = cellsOf((await kubectl.run('get nodes -o wide')).stdout)
    expect(nodes).toEqual([
      [
        'simulated',
        'Ready',
        'simulated',
        '<age>',
        expect.stringMatching(/^v1\.32\./),
        '192.0.2.1',
        '<none>',
        'Simulated: nothing runs here',
        'none',
        'simulated://0.0.0',
      ],
    ])
    const { stdout } = await kubectl.run('describe node simulated')
    expect(stdout).toMatch(/Taints: +<none>/)
    expect(stdout).toMatch(/HolderIdentity: +simulated/)
    expect(stdout).toMatch(/Ready +True/)
  })

  it('a Deployment is rolled out and back, and its Pods have unique addresses', async () => {
    await kubectl.run('create deployment web --image=nginx:1 --replicas=3')
    expect((await kubectl.run('rollout status deployment/web')).stdout).toContain('successfully rolled out')
    const pods = cellsOf((await kubectl.run('get pods -l app=web -o wide')).stdout).slice(1)
    expect(pods.map(([, ready, status, restarts, , , node]) => [ready, status, restarts, node])).toEqual(
      Array.from({ length: 3 }, () => ['1/1', 'Running', '0', 'simulated']),
    )
    expect(new Set(pods.map(([, , , , , address]) => address)).size).toBe(3)
    await kubectl.run('set image deployment/web nginx=nginx:2')
    expect((await kubectl.run('rollout status deployment/web')).stdout).toContain('successfully rolled out')
    await kubectl.run('rollout undo deployment/web')
    expect((await kubectl.run('rollout status deployment/web')).code).toBe(0)
    expect((await kubectl.run('wait --for=condition=Ready pod -l app=web')).code).toBe(0)
  })

  it('logs are one line with a hint, exec and proxies are refused, and kubectl debug says the same', async () => {
    await kubectl.pipe(podNamed('quiet', {}), 'create')
    await kubectl.run('wait --for=condition=Ready pod/quiet')
    const { stdout } = await kubectl.run('logs quiet')
    expect(stdout).toMatch(/^Nothing runs on the node simulated, .*docs\/guides\/real-cluster\.md\n$/)
    await kubectl.run('create service clusterip quiet --tcp=80')
    const served = ['pods/http:quiet:80', 'services/quiet:80'].map(
      (name) => `get --raw /api/v1/namespaces/default/${name}/proxy/`,
    )
    for (const words of ['exec quiet -- true', ...served]) {
      const refused = await kubectl.run(words)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing runs on the node simulated') })
    }
    const debugged = await kubectl.run('debug quiet -i --image=busybox --profile=general -- sh')
    expect(debugged.stderr).toContain("couldn't attach to pod/quiet, falling back to streaming logs: nothing runs on")
    expect(debugged.stdout).toMatch(/^Nothing runs on the node simulated, /m)
    const { stdout: described } = await kubectl.run('describe pod quiet')
    expect(described).toMatch(/Successfully assigned default\/quiet to simulated/)
    expect(await kubectl.run('delete pod quiet')).toEqual(printed('pod "quiet" deleted'))
  })

  it('an unschedulable Pod reports the reason, and runs once it fits', async () => {
    await kubectl.pipe(podNamed('picky', { nodeSelector: { disk: 'ssd' } }), 'create')
    const message =
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    await eventually(async () => {
      expect(await value('pod/picky', '{.status.conditions[0].message}')).toBe(message)
      expect((await kubectl.run('describe pod picky')).stdout).toMatch(
        /Warning +FailedScheduling .* 0\/1 nodes are available/,
      )
    }, patienceMs)
    await kubectl.run('label node simulated disk=ssd')
    expect((await kubectl.run('wait --for=condition=Ready pod/picky --timeout=120s')).code).toBe(0)
  })

  it('a gated Pod waits, and continues when the gate is removed', async () => {
    await kubectl.pipe(podNamed('gated', { schedulingGates: [{ name: 'example.com/wait' }] }), 'create')
    expect(cellsOf((await kubectl.run('get pod gated')).stdout)[1]).toContain('SchedulingGated')
    await kubectl.run('patch pod gated --type=json', '-p', '[{"op":"remove","path":"/spec/schedulingGates"}]')
    expect((await kubectl.run('wait --for=condition=Ready pod/gated --timeout=120s')).code).toBe(0)
  })

  it('a Job completes, and so does one created manually from a CronJob', async () => {
    await kubectl.run('create job work --image=busybox')
    await kubectl.run('create cronjob nightly --image=busybox --schedule=@daily')
    await kubectl.run('create job tonight --from=cronjob/nightly')
    const { stdout } = await kubectl.run('wait --for=condition=complete job/work job/tonight --timeout=120s')
    expect(stdout).toBe('job.batch/work condition met\njob.batch/tonight condition met\n')
    expect(cellsOf((await kubectl.run('get job work')).stdout)[1]?.slice(0, 3)).toEqual(['work', 'Complete', '1/1'])
    // Events are written later.
    await eventually(async () =>
      expect((await kubectl.run('describe job work')).stdout).toMatch(/Normal +Completed .*Job completed/),
    )
  })
})

it('the node can be drained and uncordoned', async () => {
  await kubectl.run('create namespace shop')
  await kubectl.run('create deployment cart --image=nginx --replicas=2 -n shop')
  await kubectl.run('rollout status deployment/cart -n shop')
  const drained = await kubectl.run('drain simulated --force --ignore-daemonsets --delete-emptydir-data --timeout=120s')
  expect(drained).toMatchObject({ code: 0, stdout: expect.stringContaining('node/simulated drained') })
  expect((await kubectl.run('get node simulated')).stdout).toContain('Ready,SchedulingDisabled')
  await eventually(async () => {
    expect(await value('node/simulated', '{.spec.taints[*].key}')).toBe('node.kubernetes.io/unschedulable')
    const waiting = await value('pods -n shop', '{.items[*].status.conditions[?(@.type=="PodScheduled")].message}')
    expect(waiting.match(/1 node\(s\) were unschedulable/g)).toHaveLength(2)
  }, patienceMs)
  expect(await kubectl.run('uncordon simulated')).toEqual(printed('node/simulated uncordoned'))
  expect((await kubectl.run('rollout status deployment/cart -n shop --timeout=120s')).code).toBe(0)
  expect(await value('node/simulated', '{.spec.taints}')).toBe('')
})
