import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { KubeClient } from '../../src/client/contract.ts'
import { clientByKubeconfig } from './client-of.ts'
import { startScriptedServer } from './scripted-server.ts'

const group = 'networking.k8s.io'
const ingresses = { name: 'ingresses', kind: 'Ingress', namespaced: true }
const configMaps = { name: 'configmaps', kind: 'ConfigMap', namespaced: true }

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, code: number): void {
  answer(response, code, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Any',
    message: 'not now',
    code,
  })
}

const versions = ['v1', 'v1beta1'].map((version) => ({ version, groupVersion: `${group}/${version}` }))
const separate: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [{ name: group, versions, preferredVersion: versions[0] }] },
  '/api/v1': { groupVersion: 'v1', resources: [configMaps] },
  [`/apis/${group}/v1`]: { groupVersion: `${group}/v1`, resources: [ingresses] },
  [`/apis/${group}/v1beta1`]: { groupVersion: `${group}/v1beta1`, resources: [ingresses] },
}

const stopping: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop()
})

/** A client of a server with these answers; a number is the status of a refusal. */
async function clientOf(answers: Readonly<Record<string, object | number | undefined>>): Promise<KubeClient> {
  const server = await startScriptedServer((response, { path }) => {
    const found = answers[path] ?? 404
    if (typeof found === 'number') refuse(response, found)
    else answer(response, 200, found)
  })
  const client = await clientByKubeconfig(server.kubeconfig(), {
    limits: { retry: { attempts: 1, firstMs: 1, longestMs: 1 } },
  })
  stopping.push(
    () => client.close(),
    () => server.stop(),
  )
  return client
}

describe('a group whose resources the server cannot list', () => {
  it.each([403, 429, 500, 503])('is not mistaken for an empty group (%d)', async (status) => {
    const { served } = await clientOf({
      ...separate,
      [`/apis/${group}/v1`]: status,
      [`/apis/${group}/v1beta1`]: status,
    })
    await expect(served.find(group, 'ingresses')).rejects.toThrow('not now')
    await expect(served.findPlural('ingresses')).rejects.toThrow('not now')
  })

  it('hides none of the others', async () => {
    const { served } = await clientOf({ ...separate, [`/apis/${group}/v1`]: 503 })
    expect(await served.find('', 'configmaps')).toMatchObject({ kind: 'ConfigMap' })
    expect(await served.find(group, 'ingresses')).toMatchObject({ version: 'v1beta1' })
    expect(await served.find('no.such.group', 'things')).toBeUndefined()
  })

  it('is absent once the server says that it is', async () => {
    const { served } = await clientOf({ ...separate, [`/apis/${group}/v1`]: 404, [`/apis/${group}/v1beta1`]: 404 })
    expect(await served.find(group, 'ingresses')).toBeUndefined()
  })

  it('is requested separately if it is stale in an aggregated answer', async () => {
    const aggregated = (items: object[]) => ({ kind: 'APIGroupDiscoveryList', items })
    const answers = {
      '/api': aggregated([]),
      '/apis': aggregated([{ metadata: { name: group }, versions: [{ version: 'v1', freshness: 'Stale' }] }]),
    }
    const { served } = await clientOf({ ...answers, [`/apis/${group}/v1`]: 503 })
    await expect(served.find(group, 'ingresses')).rejects.toThrow('not now')
  })
})

it('finds all versions of a resource, the preferred one first', async () => {
  const { served } = await clientOf(separate)
  const found = await served.findVersions(group, 'ingresses')
  expect(found.map(({ version }) => version)).toEqual(['v1', 'v1beta1'])
})
